/** Renders Markdown as elements: no HTML of a page is ever inserted, so the content security policy holds. */

import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { docsLocation } from '../../model/facts/locations.js';
import { stretchesOf } from '../../ui/highlighted.js';
import { anchorOf, type DocPage, fileAt, targetOf } from './doc-pages.js';
import styles from './docs.module.css';

const IMAGES = import.meta.glob<string>('../../../docs/images/**/*.{png,svg}', {
  query: '?url',
  import: 'default',
  eager: true,
});

export function Markdown({ page }: { page: DocPage }) {
  return <Blocks page={page} tokens={lexer(page.text)} />;
}

interface TokensProps {
  readonly page: DocPage;
  readonly tokens: readonly Token[];
}

function Blocks({ page, tokens }: TokensProps) {
  return tokens.map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity but their index.
    <Fragment key={at}>{block(page, token as MarkedToken)}</Fragment>
  ));
}

function block(page: DocPage, token: MarkedToken): ReactNode {
  const inline = (tokens: readonly Token[]) => <Inline page={page} tokens={tokens} />;
  switch (token.type) {
    case 'heading': {
      // The page already has a first heading: the name of the panel.
      const Heading = HEADINGS[token.depth - 1] ?? 'h4';
      return (
        <Heading id={headingId(token.depth === 1 ? '' : anchorOf(token.text))} tabIndex={-1}>
          {inline(token.tokens)}
        </Heading>
      );
    }
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>;
    case 'text':
      return token.tokens === undefined ? token.text : inline(token.tokens);
    case 'list': {
      const List = token.ordered ? 'ol' : 'ul';
      return (
        <List>
          {token.items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <li key={at}>
              <Blocks page={page} tokens={item.tokens} />
            </li>
          ))}
        </List>
      );
    }
    case 'blockquote':
      return (
        <blockquote>
          <Blocks page={page} tokens={token.tokens} />
        </blockquote>
      );
    case 'code':
      return <Code text={token.text} isModule={token.lang === 'entail'} />;
    case 'table':
      return <Table page={page} table={token} />;
    case 'hr':
      return <hr />;
    default:
      return null;
  }
}

const HEADINGS = ['h2', 'h3', 'h4', 'h4'] as const;

export function headingId(anchor: string): string {
  return `docs-${anchor}`;
}

function Table({ page, table }: { page: DocPage; table: Tokens.Table }) {
  const cells = (row: readonly Tokens.TableCell[], isHeader: boolean) => (
    <tr>
      {row.map(({ text, tokens }, at) => {
        // A header without text says nothing to a screen reader.
        const Cell = isHeader && text !== '' ? 'th' : 'td';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <Cell key={at}>
            <Inline page={page} tokens={tokens} />
          </Cell>
        );
      })}
    </tr>
  );
  return (
    <table>
      {table.header.some(({ text }) => text !== '') && <thead>{cells(table.header, true)}</thead>}
      <tbody>
        {table.rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <Fragment key={at}>{cells(row, false)}</Fragment>
        ))}
      </tbody>
    </table>
  );
}

function Code({ text, isModule }: { text: string; isModule: boolean }) {
  let at = 0;
  return (
    <pre className="mono">
      <code>
        {isModule
          ? text.split('\n').map((line) => {
              at += 1;
              return (
                <Fragment key={at}>
                  {stretchesOf(line).map((stretch, index) => (
                    <span
                      // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                      key={index}
                      {...(stretch.kind !== null && { className: `syntax-${stretch.kind}` })}
                    >
                      {stretch.text}
                    </span>
                  ))}
                  {'\n'}
                </Fragment>
              );
            })
          : text}
      </code>
    </pre>
  );
}

function Inline({ page, tokens }: TokensProps) {
  return tokens.map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above.
    <Fragment key={at}>{inlineElement(page, token as MarkedToken)}</Fragment>
  ));
}

function inlineElement(page: DocPage, token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'strong':
      return (
        <strong>
          <Inline page={page} tokens={token.tokens} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Inline page={page} tokens={token.tokens} />
        </em>
      );
    case 'codespan':
      return <code className="mono">{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <DocLink page={page} link={token} />;
    case 'image': {
      const path = fileAt(page, token.href);
      const src = IMAGES[`../../../${path}`];
      return src === undefined ? (
        token.text
      ) : (
        <img className={styles.picture} src={src} alt={token.text} loading="lazy" />
      );
    }
    case 'text':
    case 'escape':
      return token.text;
    default:
      return token.raw;
  }
}

/** A link to a file that is not bundled is plain text. A file name reads better as the title of its page. */
function DocLink({ page, link }: { page: DocPage; link: Tokens.Link }) {
  const target = targetOf(page, link.href);
  const content = <Inline page={page} tokens={link.tokens} />;
  if (target === undefined) return content;
  return (
    <Link className="link" to={docsLocation(target.page.id, target.anchor)}>
      {link.text.endsWith('.md') ? target.page.title : content}
    </Link>
  );
}

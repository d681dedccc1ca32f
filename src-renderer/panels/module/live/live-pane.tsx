/** The pane beside the editor: what the declaration at the cursor gives now, while the user types. */

import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useMemo } from 'react';
import type { LiveResult } from '../../../../src-runtime/api/schemas/live-schemas.js';
import type { Span } from '../../../../src-runtime/base/span.js';
import { LoadFailure, LoadingRows } from '../../../domain/failure/states.js';
import { shortName } from '../../../model/facts/locations.js';
import { useSchema } from '../../../server-state/module.js';
import { Glyph } from '../../../ui/glyph.js';
import { InlineCode } from '../../../ui/inline-code.js';
import { Pane } from '../../../ui/panes/panes.js';
import { KnownLabels } from '../../../ui/reference-label.js';
import type { WorkFile } from '../../../workspace/drafts.js';
import { livePane } from '../../../workspace/workspace.js';
import { focusSource, SOURCE_ID } from '../changes/panel-focus.js';
import styles from './live.module.css';
import { LiveArguments, noteParameters, useLiveArguments } from './live-arguments.js';
import { LiveConditions } from './live-conditions.js';
import { showCounts } from './live-counts.js';
import { LiveOutcomeView } from './live-outcome.js';
import { useLiveAnswer } from './live-request.js';
import { cutWords } from './live-words.js';

interface LivePaneProps {
  readonly files: readonly WorkFile[];
  readonly file: string;
  readonly cursor: number;
  readonly openSpan: (span: Span) => void;
}

export function LivePane({ files, file, cursor, openSpan }: LivePaneProps) {
  const schema = useSchema().data;
  const shownText = files.find((each) => each.file === file)?.text ?? '';
  const args = useLiveArguments(file, shownText, cursor);
  const question = { files, file, offset: cursor, args };
  const { result, text, error, isWaiting, retry } = useLiveAnswer(question);
  const names = useMemo(() => new Map(Object.entries(result?.names ?? {})), [result]);
  useEffect(() => noteParameters(result), [result]);
  useEffect(() => {
    if (result === undefined) return;
    const clauses = result.clauses.filter(({ span }) => span.file === file);
    showCounts(document.getElementById(SOURCE_ID), text, { clauses, nameOf: (id) => names.get(id) });
  }, [result, text, names, file]);
  useEffect(() => () => showCounts(document.getElementById(SOURCE_ID), undefined, undefined), []);
  return (
    <Pane
      title="Live"
      actions={
        <ActionIcon
          aria-label="Close live"
          onClick={() => {
            livePane.set(false);
            focusSource();
          }}
        >
          <IconX size={14} />
        </ActionIcon>
      }
    >
      <KnownLabels value={names}>
        <div className={styles.live} aria-busy={isWaiting}>
          {error !== undefined ? (
            <LoadFailure error={error} onRetry={retry} />
          ) : result === undefined || schema === undefined ? (
            <LoadingRows rows={4} />
          ) : (
            <>
              <Heading result={result} />
              {result.declaration !== null && result.parameters.length > 0 && (
                <LiveArguments path={result.declaration.path} parameters={result.parameters} schema={schema} />
              )}
              <LiveOutcomeView result={result} schema={schema} question={question} openSpan={openSpan} />
              <Cuts result={result} />
              <LiveConditions clauses={result.clauses} files={files} names={names} openSpan={openSpan} />
              <Unavailable result={result} openSpan={openSpan} />
            </>
          )}
        </div>
      </KnownLabels>
    </Pane>
  );
}

const KIND_WORDS: Readonly<Record<string, string>> = { fn: 'fn', externFn: 'extern fn', externType: 'extern type' };

function Heading({ result: { declaration, outcome } }: { readonly result: LiveResult }) {
  if (declaration === null) return null;
  const { added, removed } = outcome?.kind === 'rows' ? outcome : { added: 0, removed: 0 };
  const total = outcome?.kind === 'rows' ? outcome.total : undefined;
  return (
    <div className={styles.heading}>
      <h3>
        <span className="dim">{KIND_WORDS[declaration.kind] ?? declaration.kind}</span> {shortName(declaration.path)}
      </h3>
      <span className="numeric" role="status">
        {total !== undefined && `${total.toLocaleString('en')} ${total === 1 ? 'row' : 'rows'}`}
        {added > 0 && (
          <span className={styles.added}>
            {' '}
            <Glyph kind="added" size={10} label="added" /> {added.toLocaleString('en')}
          </span>
        )}
        {removed > 0 && (
          <span className={styles.removed}>
            {' '}
            <Glyph kind="removed" size={10} label="removed" /> {removed.toLocaleString('en')}
          </span>
        )}
      </span>
    </div>
  );
}

/** What is not complete. */
function Cuts({ result: { cut, outcome } }: { readonly result: LiveResult }) {
  if (cut.length === 0) return null;
  const rows = outcome?.kind === 'rows' ? outcome.rows.length : 0;
  return (
    <ul className={styles.cuts}>
      {cut.map((each) => (
        <li key={`${each.what} ${each.reason}`}>
          <Glyph kind="warning" size={10} /> {cutWords(each, rows)}
        </li>
      ))}
    </ul>
  );
}

interface UnavailableProps {
  readonly result: LiveResult;
  readonly openSpan: (span: Span) => void;
}

/** Declarations that were left out. */
function Unavailable({ result: { unavailable, declaration }, openSpan }: UnavailableProps) {
  const others = new Map(
    unavailable.filter(({ path }) => path !== declaration?.path).map((each) => [`${each.kind} ${each.path}`, each]),
  );
  if (others.size === 0) return null;
  return (
    <details className={styles.section}>
      <summary>
        {others.size} {others.size === 1 ? 'declaration' : 'declarations'} not available
      </summary>
      <ul>
        {[...others].map(([key, { kind, path, span, why }]) => (
          <li key={key} className={styles.unavailable}>
            <button type="button" className="plain link" onClick={() => openSpan(span)}>
              {kind} {shortName(path)}
            </button>
            <span className="dim">
              <InlineCode>{why.message}</InlineCode>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

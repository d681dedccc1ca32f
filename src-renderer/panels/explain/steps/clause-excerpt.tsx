/** The clause of the selected step, with its premise marked. */

import { clsx } from 'clsx';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { Step } from '../../../domain/proof/proof-outline.js';
import { moduleLocation } from '../../../model/facts/locations.js';
import { useModuleInfo, useSources } from '../../../server-state/module.js';
import styles from '../explain.module.css';
import { excerptFor, excerptLines } from './clause-source.js';

interface ClauseExcerptProps {
  readonly step: Step | undefined;
  readonly parents: ReadonlyMap<string, Step>;
  /** The sources of the step, if they are not the loaded ones. */
  readonly others?: readonly SourceText[] | undefined;
  /** False if the source was replaced since. */
  readonly hasSource?: boolean;
}

interface SourceText {
  readonly file: string;
  readonly text: string;
}

export function ClauseExcerpt({ step, parents, others, hasSource = true }: ClauseExcerptProps) {
  const sources = useSources().data;
  const carried = useModuleInfo().data?.sources;
  const { excerpt, lines } = useMemo(() => {
    const texts = others ?? [...(carried ?? []), ...(sources ?? [])];
    const all = new Map(texts.map(({ file, text }) => [file, text]));
    const found = step === undefined ? undefined : excerptFor(step, parents, (file) => all.get(file));
    return { excerpt: found, lines: found === undefined ? [] : excerptLines(all.get(found.file), found) };
  }, [step, parents, sources, carried, others]);
  if (excerpt === undefined || lines.length === 0) return null;
  const place = `${excerpt.file}:${excerpt.clause.start.line}`;
  return (
    <section className={styles.excerpt} aria-label="Clause in the source">
      <p className={styles.excerptHead}>
        {hasSource ? (
          <Link className="link mono" to={moduleLocation(excerpt.clause)}>
            {place}
          </Link>
        ) : (
          <>
            <span className="mono">{place}</span> <span className="dim">(earlier text, replaced since)</span>
          </>
        )}
      </p>
      <pre className={clsx('mono', styles.excerptLines)}>
        {lines.map(({ number, stretches }) => (
          <span key={number} className={styles.excerptLine}>
            <span className={styles.excerptNumber} aria-hidden>
              {number}
            </span>
            <code>
              {stretches.map(({ text, kind, marked }, at) => {
                const className = kind === null ? {} : { className: `syntax-${kind}` };
                const Element = marked ? 'mark' : 'span';
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their index.
                  <Element key={at} {...className}>
                    {text}
                  </Element>
                );
              })}
            </code>
          </span>
        ))}
      </pre>
    </section>
  );
}

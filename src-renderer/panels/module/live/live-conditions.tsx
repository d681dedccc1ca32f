/** The conditions of each clause with the bindings left after them, and examples. */

import { clsx } from 'clsx';
import type { LiveCondition, LiveResult } from '../../../../src-runtime/api/schemas/live-schemas.js';
import type { Span } from '../../../../src-runtime/base/span.js';
import type { SourceFile } from '../../../server-state/api.js';
import { Glyph } from '../../../ui/glyph.js';
import { stretchesOf } from '../../../ui/highlighted.js';
import { InlineCode } from '../../../ui/inline-code.js';
import styles from './live.module.css';
import { countText, exampleText } from './live-words.js';

interface LiveConditionsProps {
  readonly clauses: LiveResult['clauses'];
  readonly files: readonly SourceFile[];
  /** Labels by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly openSpan: (span: Span) => void;
}

export function LiveConditions({ clauses, files, names, openSpan }: LiveConditionsProps) {
  const counted = clauses.filter(({ conditions }) => conditions.length > 0);
  if (counted.length === 0) return null;
  return (
    <section className={styles.section} aria-label="Conditions">
      <h3 className="group-title">Bindings left after each condition</h3>
      {counted.map(({ span, conditions }, at) => (
        <ol key={`${span.file} ${span.start.offset}`} className={styles.clause} aria-label={`Clause ${at + 1}`}>
          {counted.length > 1 && <li className="dim">Clause in line {span.start.line}</li>}
          {conditions.map((condition) => (
            <Condition key={condition.span.start.offset} {...{ condition, files, names, openSpan }} />
          ))}
        </ol>
      ))}
    </section>
  );
}

type ConditionProps = Omit<LiveConditionsProps, 'clauses'> & { readonly condition: LiveCondition };

function Condition({ condition, files, names, openSpan }: ConditionProps) {
  const { span, examples, bindings, fault } = condition;
  const text = files.find(({ file }) => file === span.file)?.text.slice(span.start.offset, span.end.offset) ?? '';
  const isLast = bindings === 0 || fault !== undefined;
  return (
    <li>
      <div className={styles.condition}>
        <button type="button" className={clsx('plain', 'mono', styles.conditionText)} onClick={() => openSpan(span)}>
          {stretchesOf(text).map(({ text: part, kind }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity but their place.
            <span key={at} className={kind === null ? undefined : `syntax-${kind}`}>
              {part}
            </span>
          ))}
        </button>
        <span
          title={bindings === null && fault === undefined ? 'Waits for a variable of a later condition' : undefined}
          className={clsx('numeric', isLast ? styles.none : bindings === null && 'dim')}
        >
          {isLast && <Glyph kind="blocking" size={10} />} {countText(condition)}
        </span>
      </div>
      {fault !== undefined && (
        <p className={styles.none}>
          <InlineCode>{fault}</InlineCode>
        </p>
      )}
      {examples.length > 0 && (
        <details className={styles.examples}>
          <summary className="dim">Examples</summary>
          <ul>
            {examples.map((example, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: examples have no identity but their place.
              <li key={at}>{exampleText(example, (id) => names.get(id))}</li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** Two bodies side by side, with their differences. */

import { type ReactNode, useMemo } from 'react';
import type { RecordedBody } from '../../../../src-runtime/api/schemas/request-log.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { JsonTree } from '../../../domain/result/json-tree.js';
import { jsonNodes } from '../../../domain/result/json-tree-model.js';
import { Glyph, type GlyphKind } from '../../../ui/glyph.js';
import styles from '../log.module.css';
import { bodyValue } from '../request-text.js';
import { type BodyDifference, bodyDifferences } from './body-differences.js';

/** Names of the sides, such as `then` and `now`. */
export type SideNames = readonly [before: string, now: string];

interface ComparedBodiesProps {
  /** Title before the names, such as `Response`. */
  readonly title: string;
  readonly noun: 'response' | 'request body';
  readonly names: SideNames;
  readonly before: RecordedBody | null;
  readonly now: RecordedBody | null;
  /** They also differ in something shown beside the verdict. */
  readonly isOther?: boolean;
  /** Content beside the verdict. */
  readonly children?: ReactNode;
}

export function ComparedBodies({ title, noun, names, before, now, isOther = false, children }: ComparedBodiesProps) {
  const differences = useMemo(() => differencesOf(before, now), [before, now]);
  const isSame = differences?.length === 0 && !isOther;
  return (
    <div className={styles.compared}>
      <p role="status" className={styles.comparedVerdict}>
        <Glyph kind={isSame ? 'good' : 'changed'} />
        <span>{before === null && now === null ? `No ${noun} in either.` : verdictOf(noun, differences, isSame)}</span>
        {children}
      </p>
      {differences !== undefined && differences.length > 0 && (
        <Differences title={`${title}: differences`} differences={differences} names={names} />
      )}
      {(before !== null || now !== null) && (
        <div className={styles.comparedSides}>
          <Side title={`${title}, ${names[0]}`} body={before} />
          <Side title={`${title}, ${names[1]}`} body={now} />
        </div>
      )}
    </div>
  );
}

/** Undefined if they cannot be compared. */
function differencesOf(before: RecordedBody | null, now: RecordedBody | null): BodyDifference[] | undefined {
  const [left, right] = [before, now].map((body) => bodyValue(body) as JsonValue | undefined);
  const isReadable = (before === null || left !== undefined) && (now === null || right !== undefined);
  if (isReadable) return bodyDifferences(left, right);
  return before?.cut === false && now?.cut === false && before.text === now.text ? [] : undefined;
}

function verdictOf(noun: string, differences: readonly BodyDifference[] | undefined, isSame: boolean): string {
  if (differences === undefined) return 'Cannot compare: one is truncated or is not JSON.';
  if (isSame) return `Same ${noun}.`;
  const count = differences.length;
  if (count === 0) return `Different ${noun}.`;
  return `Different ${noun}: ${count === 1 ? '1 value differs' : `${count} values differ`}.`;
}

/** Most differences listed. */
const DIFFERENCES_MAX = 50;

interface DifferencesProps {
  readonly title: string;
  readonly differences: readonly BodyDifference[];
  readonly names: SideNames;
}

function Differences({ title, differences, names }: DifferencesProps) {
  const left = differences.length - DIFFERENCES_MAX;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section className={styles.comparedDifferences} tabIndex={0} aria-label={title}>
      <table className={styles.comparedTable}>
        <thead>
          <tr>
            <th scope="col">Change</th>
            <th scope="col">Path</th>
            {names.map((name) => (
              <th key={name} scope="col" className={styles.comparedName}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {differences.slice(0, DIFFERENCES_MAX).map((difference) => (
            <DifferenceRow key={`${kindOf(difference)} ${difference.path}`} difference={difference} />
          ))}
        </tbody>
      </table>
      {left > 0 && <p className="dim">{left} more differences</p>}
    </section>
  );
}

function DifferenceRow({ difference }: { difference: BodyDifference }) {
  const { path, before, now } = difference;
  const kind = kindOf(difference);
  return (
    <tr>
      <td>
        <span className={styles.comparedKind}>
          <Glyph kind={kind} />
          {KIND_WORDS[kind]}
        </span>
      </td>
      <th scope="row" className="mono">
        {path}
      </th>
      <td className="mono">{valueText(before)}</td>
      <td className="mono">{valueText(now)}</td>
    </tr>
  );
}

const KIND_WORDS = { added: 'Added', removed: 'Removed', changed: 'Changed' } satisfies Partial<
  Record<GlyphKind, string>
>;

function kindOf({ before, now }: BodyDifference): keyof typeof KIND_WORDS {
  if (before === undefined) return 'added';
  return now === undefined ? 'removed' : 'changed';
}

/** Longer values are shown below in full. */
const VALUE_CHARACTERS_MAX = 240;

function valueText(value: JsonValue | undefined): ReactNode {
  if (value === undefined) return <span className="dim">none</span>;
  const text = JSON.stringify(value);
  return text.length <= VALUE_CHARACTERS_MAX ? text : `${text.slice(0, VALUE_CHARACTERS_MAX)}…`;
}

/** Rows of a body before it scrolls. */
const SIDE_ROWS_MAX = 12;

function Side({ title, body }: { title: string; body: RecordedBody | null }) {
  const nodes = useMemo(() => jsonNodes(bodyValue(body) ?? body?.text ?? ''), [body]);
  return (
    <section aria-label={`${title}, side by side`}>
      <h3>{title}</h3>
      {body === null ? (
        <p className="dim">No body</p>
      ) : (
        <JsonTree label={title} nodes={nodes} rowsMax={SIDE_ROWS_MAX} />
      )}
    </section>
  );
}

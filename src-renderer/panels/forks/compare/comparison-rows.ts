/** Turns a diff into lines (added, removed, changed) and counts per layer. */

import type { DiffLayer, ForkDiffCount, ForkDiffRow } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { Firing, JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { sortedByName } from '../../../model/text/natural-order.js';

export type RelationIndex = ReadonlyMap<string, RelationInfo>;

export type Change = 'added' | 'removed' | 'changed';

/** One line. Left is the fork compared with, right the compared fork. */
export interface ComparisonRow {
  readonly key: string;
  readonly change: Change;
  readonly kind: ForkDiffRow['kind'];
  readonly relation: string;
  readonly left: readonly JsonValue[] | undefined;
  readonly right: readonly JsonValue[] | undefined;
  readonly violation: Firing | undefined;
}

/** A field with a value on both sides is one line; the server lists both next to each other. */
export function comparisonRows(
  rows: readonly ForkDiffRow[],
  infoOf: (relation: string) => RelationInfo | undefined,
): ComparisonRow[] {
  const shown: ComparisonRow[] = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    if (row === undefined) continue;
    const next = rows[index + 1];
    if (next !== undefined && infoOf(row.relation)?.kind === 'field' && isSameField(row, next)) {
      const [left, right] = row.only === 'left' ? [row, next] : [next, row];
      shown.push({ ...lineOf(left), change: 'changed', left: left.tuple, right: right.tuple });
      index += 1;
    } else shown.push(lineOf(row));
  }
  return shown;
}

function isSameField(row: ForkDiffRow, next: ForkDiffRow): boolean {
  return row.relation === next.relation && row.only !== next.only && row.tuple[0] === next.tuple[0];
}

function lineOf({ only, kind, factId, relation, tuple, firing }: ForkDiffRow): ComparisonRow {
  const isLeft = only === 'left';
  return {
    key: `${only} ${factId}`,
    change: isLeft ? 'removed' : 'added',
    kind,
    relation,
    left: isLeft ? tuple : undefined,
    right: isLeft ? undefined : tuple,
    violation: firing,
  };
}

export interface LayerCounts {
  readonly layer: DiffLayer;
  readonly left: number;
  readonly right: number;
  /** Differing relations by path. */
  readonly relations: readonly ForkDiffCount[];
}

export function layerCounts(layer: DiffLayer, counts: readonly ForkDiffCount[]): LayerCounts {
  const ofLayer = counts.filter(({ kind }) => (kind === 'firing' ? 'firings' : kind) === layer);
  const relations = sortedByName(ofLayer, ({ relation }) => relation);
  return {
    layer,
    left: relations.reduce((sum, { left }) => sum + left, 0),
    right: relations.reduce((sum, { right }) => sum + right, 0),
    relations,
  };
}

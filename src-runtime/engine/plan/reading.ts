/** Lookups of fields and navigations by generated code, if they could not be joined. */

import type { Type } from '../../artifact/types.js';
import { LargeMap } from '../../base/large-map.js';
import { EvaluationFault } from '../errors.js';
import { hasTombstone } from '../relation/overlays.js';
import { BLOCK_ITEMS, mapped, sorted } from '../scheduling/blocks.js';
import { type Interner, NONE } from '../values/codec.js';
import type { Comparison } from '../values/compare.js';
import type { Value } from '../values/value.js';
import type { Source } from './physical/sources.js';

/** Calls `visit` with each visible row of the individual, until it returns false. */
function eachRow(source: Source, individual: number, visit: (rows: Int32Array, row: number) => boolean): void {
  const { relation, index, version, low, high, layers } = source;
  if (individual === NONE) return;
  for (const layer of layers ?? []) {
    const { rows, count } = layer.relation;
    for (let row = layer.index?.find(rows, [individual]) ?? -1; row >= 0; row = layer.index?.older(row) ?? -1) {
      const isSeen = row < count && layer.relation.isVisible(row + layer.offset, layer.version);
      if (
        isSeen &&
        !(layer.tombstones !== null && hasTombstone(layer.tombstones, row + layer.offset)) &&
        !visit(rows, row)
      )
        return;
    }
  }
  if (index === null) return;
  // Looks up the index each time, because a writer may add rows while an evaluation with this source is paused.
  for (let row = index.find(relation.rows, [individual]); row >= low; row = index.older(row)) {
    if (row < high && relation.isVisible(row, version) && !visit(relation.rows, row)) return;
  }
}

/** The code of a stored field; NONE if it is absent. */
export function readField(source: Source, individual: number): number {
  let found = NONE;
  eachRow(source, individual, (rows, row) => {
    found = rows[row * 2 + 1] ?? NONE;
    return false;
  });
  return found;
}

/** The code of the only value, or NONE if none exists; faults if there are two. */
export function readNavigation(source: Source, individual: number, column: number, field: string): number {
  let found = NONE;
  eachRow(source, individual, (rows, row) => {
    const code = rows[row * source.relation.arity + column] ?? NONE;
    if (found !== NONE && found !== code) throw twoValues(field);
    found = code;
    return true;
  });
  return found;
}

/** How to build the list of a navigation. */
export interface ListReading {
  readonly column: number;
  readonly type: Type;
  readonly compare: Comparison;
}

/** The distinct values in the language's order. For many values it returns a generator that yields. */
export function readNavigations(
  source: Source,
  individual: number,
  interner: Interner,
  { column, type, compare }: ListReading,
): readonly Value[] | Generator<void, readonly Value[]> {
  const codes = new LargeMap<number, true>();
  eachRow(source, individual, (rows, row) => {
    codes.set(rows[row * source.relation.arity + column] ?? NONE, true);
    return true;
  });
  if (codes.size > BLOCK_ITEMS) return decodedInBlocks(codes, interner, type, compare);
  return [...codes].map(([code]) => interner.decode(type, code)).sort(compare);
}

function* decodedInBlocks(
  codes: LargeMap<number, true>,
  interner: Interner,
  type: Type,
  compare: Comparison,
): Generator<void, readonly Value[]> {
  return yield* sorted(yield* mapped(codes, ([code]) => interner.decode(type, code)), compare);
}

/** Faults unless this is the only value of the navigation. */
export function checkSingle(source: Source, individual: number, column: number, value: number, field: string): void {
  eachRow(source, individual, (rows, row) => {
    if (rows[row * source.relation.arity + column] !== value) throw twoValues(field);
    return true;
  });
}

function twoValues(field: string): EvaluationFault {
  return new EvaluationFault('fault', `${field} has two values where it may have one`);
}

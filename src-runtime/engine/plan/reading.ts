/** Reads of fields and navigations from generated code, where they could not be joined. */

import type { Type } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import { type Interner, NONE } from '../values/codec.js';
import type { Comparison } from '../values/compare.js';
import type { Value } from '../values/value.js';
import type { Source } from './unit.js';

/** Calls `visit` with each row of the individual that the source sees, newest first, until it returns false. */
function eachRow(source: Source, individual: number, visit: (row: number) => boolean): void {
  const { relation, index, version, low, high } = source;
  if (index === null || individual === NONE) return;
  // The index is asked anew each time: an evaluation that pauses may hold this source while a writer adds rows.
  for (let row = index.find(relation.rows, [individual]); row >= low; row = index.next[row] ?? -1) {
    if (row < high && relation.isVisible(row, version) && !visit(row)) return;
  }
}

/** The code of a stored field; NONE where it is absent. */
export function readField(source: Source, individual: number): number {
  let found = NONE;
  eachRow(source, individual, (row) => {
    found = source.relation.rows[row * 2 + 1] ?? NONE;
    return false;
  });
  return found;
}

/** The code of the one value; NONE where there is none; faults where there are two. */
export function readNavigation(source: Source, individual: number, column: number, field: string): number {
  let found = NONE;
  eachRow(source, individual, (row) => {
    const code = source.relation.rows[row * source.relation.arity + column] ?? NONE;
    if (found !== NONE && found !== code) throw twoValues(field);
    found = code;
    return true;
  });
  return found;
}

/** The distinct values in the language's order. */
export function readNavigations(
  source: Source,
  individual: number,
  column: number,
  interner: Interner,
  type: Type,
  compare: Comparison,
): readonly Value[] {
  const codes = new Set<number>();
  eachRow(source, individual, (row) => {
    codes.add(source.relation.rows[row * source.relation.arity + column] ?? NONE);
    return true;
  });
  return [...codes].map((code) => interner.decode(type, code)).sort(compare);
}

/** Faults unless the navigation reads this one value. */
export function checkSingle(source: Source, individual: number, column: number, value: number, field: string): void {
  eachRow(source, individual, (row) => {
    if (source.relation.rows[row * source.relation.arity + column] !== value) throw twoValues(field);
    return true;
  });
}

function twoValues(field: string): EvaluationFault {
  return new EvaluationFault('fault', `${field} has two values where it may have one`);
}

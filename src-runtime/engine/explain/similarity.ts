/** Detects sets of changes that differ only in arbitrary values: showing two of them is enough. */

import type { Program } from '../types.js';
import type { Change } from './changes.js';

type Changes = readonly Change[];

/**
 * The context of a comparison: the program, and the individuals that the question names, which are not interchangeable.
 */
export interface Question {
  readonly program: Program;
  readonly own: ReadonlySet<number>;
}

/** True if it has a value that was chosen among occurring ones, although no rule compares with it. */
export function isArbitrary({ free, isCompared }: Change): boolean {
  return free !== undefined && isCompared !== true;
}

/**
 * Whether `changes` contains `found`, apart from arbitrary values. An arbitrary individual is then replaced throughout.
 */
export function isSimilar(question: Question, found: Changes, changes: Changes): boolean {
  if (found.length > changes.length) return false;
  const chosen = selectedIn(question, found);
  const pairUp = (index: number, left: Changes, others: ReadonlyMap<number, number>): boolean => {
    const change = found[index];
    if (change === undefined) return true;
    return left.some((other) => {
      const known = paired(change, other, chosen, others);
      return (
        known !== undefined &&
        pairUp(
          index + 1,
          left.filter((each) => each !== other),
          known,
        )
      );
    });
  };
  return pairUp(0, changes, new Map());
}

/** Of each change, the columns with example values: arbitrary ones, or the same individual as an arbitrary one. */
export function exampleColumns(question: Question, changes: Changes): readonly (readonly number[])[] {
  const chosen = selectedIn(question, changes.filter(isArbitrary));
  return changes.map((change) =>
    [...change.codes.keys()].filter(
      (column) => (isArbitrary(change) && change.free?.includes(column)) || chosen(change, column),
    ),
  );
}

type IsSelected = (change: Change, column: number) => boolean;

/** An individual that is arbitrary in one of the changes is so in the whole set. */
function selectedIn({ program, own }: Question, changes: Changes): IsSelected {
  const isIndividual: IsSelected = ({ path }, column) =>
    program.relations.get(path)?.endpoints[column]?.type.kind === 'class';
  const chosen = new Set<number>();
  for (const change of changes) {
    for (const column of change.free ?? []) if (isIndividual(change, column)) chosen.add(change.codes[column] ?? 0);
  }
  return (change, column) => {
    const code = change.codes[column] ?? 0;
    return chosen.has(code) && !own.has(code) && isIndividual(change, column);
  };
}

/**
 * The mapping of individuals under which `other` is the same change, or undefined if none exists. Whether it replaces a
 * value or adds one does not matter.
 */
function paired(
  change: Change,
  other: Change,
  chosen: IsSelected,
  others: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> | undefined {
  if (change.path !== other.path || (change.op === 'delete') !== (other.op === 'delete')) return undefined;
  const known = new Map(others);
  for (const [column, code] of change.codes.entries()) {
    const there = other.codes[column] ?? 0;
    if (chosen(change, column)) {
      if ((known.get(code) ?? there) !== there) return undefined;
      known.set(code, there);
    } else if (code !== there && change.free?.includes(column) !== true) return undefined;
  }
  return known;
}

/** When sets of changes say the same but for values that nothing asks for: two of them are as good as ten. */

import type { Program } from '../types.js';
import type { Change } from './changes.js';

type Changes = readonly Change[];

/** What sets are compared under: the program, and the individuals that the question names, which stand for nobody else. */
export interface Question {
  readonly program: Program;
  readonly own: ReadonlySet<number>;
}

/** It has a value that was chosen among those that occur, where no rule asks for one. */
export function isArbitrary({ free, isAsked }: Change): boolean {
  return free !== undefined && isAsked !== true;
}

/**
 * Whether `changes` has all that `found` has, or the same with other values where those were free to choose; an individual that was
 * chosen is then another one throughout.
 */
export function isLike(question: Question, found: Changes, changes: Changes): boolean {
  if (found.length > changes.length) return false;
  const chosen = chosenIn(question, found);
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

/** Of each change, the columns whose values are examples: chosen, or the same individual as one that was. */
export function exampleColumns(question: Question, changes: Changes): readonly (readonly number[])[] {
  const chosen = chosenIn(question, changes.filter(isArbitrary));
  return changes.map((change) =>
    [...change.codes.keys()].filter(
      (column) => (isArbitrary(change) && change.free?.includes(column)) || chosen(change, column),
    ),
  );
}

type Chosen = (change: Change, column: number) => boolean;

/** Who was free to choose in one of the changes is so wherever else the set names them. */
function chosenIn({ program, own }: Question, changes: Changes): Chosen {
  const isIndividual: Chosen = ({ path }, column) =>
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

/** Who stands for whom where `other` is the same change but for that; undefined where it is not. Whether it makes room or takes a free place says nothing. */
function paired(
  change: Change,
  other: Change,
  chosen: Chosen,
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

/** How two versions of a relation differ, found from the rows created or deleted between them. */

import { BLOCK_ITEMS } from '../scheduling/blocks.js';
import { Relation } from './relation.js';

/** The tuples visible at `after` but not at `before`, and the reverse. */
export function* changesBetween(
  relation: Relation,
  before: number,
  after: number,
): Generator<void, { readonly added: Relation; readonly removed: Relation }> {
  const [added, removed] = [Relation.plain(relation.arity), Relation.plain(relation.arity)];
  if (!relation.versioned) return { added, removed };
  const { deletions } = relation.lifetimes;
  const collect = (row: number, into: Relation, seen: number, unseen: number): void => {
    if (!relation.isVisible(row, seen)) return;
    const codes = relation.rowAt(row);
    if (relation.find(codes, unseen) < 0) into.add(codes);
  };
  const end = relation.createdEnd(after);
  for (let row = relation.createdEnd(before); row < end; row++) {
    collect(row, added, after, before);
    if (row % BLOCK_ITEMS === 0) yield;
  }
  for (let at = deletions.countBy(before); at < deletions.count; at++) {
    collect(deletions.rowAt(at), removed, before, after);
    if (at % BLOCK_ITEMS === 0) yield;
  }
  return { added, removed };
}

/** How many more rows `after` sees than `before`. */
export function balanceBetween(relation: Relation, before: number, after: number): number {
  if (!relation.versioned) return 0;
  const { deletions } = relation.lifetimes;
  let balance = 0;
  const [start, end] = [relation.createdEnd(before), relation.createdEnd(after)];
  for (let row = start; row < end; row++) if (relation.isVisible(row, after)) balance += 1;
  for (let at = deletions.countBy(before); at < deletions.count; at++) {
    const row = deletions.rowAt(at);
    if (row < start && !relation.isVisible(row, after)) balance -= 1;
  }
  return balance;
}

/** An upper bound of the rows created or deleted between the versions. */
export function countOfChanges(relation: Relation, before: number, after: number): number {
  if (!relation.versioned) return 0;
  const { deletions } = relation.lifetimes;
  return (
    relation.createdEnd(after) - relation.createdEnd(before) + deletions.countBy(after) - deletions.countBy(before)
  );
}

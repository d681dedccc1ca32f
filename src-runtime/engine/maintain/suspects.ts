/** Facts that may have to be deleted, as they wait to be asked for their support. */

import type { Relation } from '../relation/relation.js';
import { BLOCK_ITEMS } from '../scheduling/blocks.js';
import type { Queue } from './queue.js';

/**
 * Puts those of a batch back that live though a lower one of it has died: that one may have been what held them up. What has
 * followed from a dead fact in the state before is suspect anyway, but not what would follow from it in a new way.
 */
export function* askAgain(
  suspects: Queue,
  asked: ReadonlyMap<string, readonly number[]>,
  relations: ReadonlyMap<string, Relation>,
  version: number,
): Generator<void, void> {
  let lowestDead = Number.POSITIVE_INFINITY;
  const living: { readonly path: string; readonly row: number; readonly height: number }[] = [];
  for (const [path, rows] of asked) {
    const relation = relations.get(path) as Relation;
    for (const [index, row] of rows.entries()) {
      if (index % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
      const height = relation.heightOf(row);
      if (relation.isVisible(row, version)) living.push({ path, row, height });
      else lowestDead = Math.min(lowestDead, height);
    }
  }
  for (const [index, { path, row, height }] of living.entries()) {
    if (index % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
    if (height > lowestDead) suspects.add(path, height, row);
  }
}

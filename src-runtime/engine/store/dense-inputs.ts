/**
 * Copies the inputs of an evaluation without deleted rows, if it visits each row many times. With deleted rows a plan
 * checks the visibility of each row, and it is a different plan from the one compiled for the first evaluation.
 *
 * Benchmark: W5c of `npm run bench:engine`. Edges out of the tree and in again take 223 ms with copies and 263 ms
 * without, ten of them; twenty edges out of the graph of W5a take 530 and 577 ms.
 */

import { type Inputs, plainRole, relationOf } from '../evaluate/inputs.js';
import type { Component } from '../program/program.js';
import { Relation } from '../relation/relation.js';
import { BLOCK_ITEMS } from '../scheduling/blocks.js';
import type { RelationVersion } from './timelines.js';

/** The inputs for an evaluation of the component, in which relations of at most this many rows may be copied. */
export function* denseInputs(inputs: Inputs, component: Component, rowsMax: number): Generator<void, Inputs> {
  const copies = new Map<string, Relation>();
  for (const path of component.reads) {
    if (component.paths.includes(path) || plainRole(inputs, path) !== 'versioned') continue;
    const seen = relationOf(inputs, path);
    if (seen.relation.end <= rowsMax) copies.set(path, yield* copyOf(seen));
  }
  if (copies.size === 0) return inputs;
  return {
    ...inputs,
    stored: (path) => copies.get(path) ?? inputs.stored(path),
    derived: (path) => {
      const materialised = inputs.derived(path);
      return { ...materialised, relation: copies.get(path) ?? materialised.relation };
    },
  };
}

/** The visible rows in their order. */
function* copyOf({ relation, version }: RelationVersion): Generator<void, Relation> {
  const { arity, end } = relation;
  const copy = Relation.withRanks(arity, end);
  for (let row = 0; row < end; row++) {
    if (row % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
    if (!relation.isVisible(row, version)) continue;
    relation.copyRow(row, copy.rows, copy.count * arity);
    copy.count += 1;
  }
  // As in a relation that never lost a row.
  yield* copy.extendIdentityInBlocks();
  copy.makeVersioned();
  return copy;
}

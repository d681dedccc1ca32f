/** What maintenance knows of the `least` and `greatest` values of a component, and the order in which it offers them. */

import type { Inputs } from '../evaluate/inputs.js';
import { isKept } from '../program/kept-values.js';
import type { Component } from '../program/program.js';
import type { Relation } from '../relation/relation.js';
import { type KeptOrder, orderOfKept } from '../values/kept-order.js';

/** A relation that keeps one value for each group of its other columns. */
export interface KeptRelation {
  readonly groupColumns: readonly number[];
  readonly order: KeptOrder;
}

/** By path; empty for a component without such relations. */
export type KeptRelations = ReadonlyMap<string, KeptRelation>;

export function keptRelations({ program, interner }: Inputs, component: Component): KeptRelations {
  const kept = new Map<string, KeptRelation>();
  for (const path of component.paths) {
    const endpoints = program.relations.get(path)?.endpoints ?? [];
    if (!isKept(program, path)) continue;
    const groupColumns = [...endpoints.keys()].slice(0, -1);
    kept.set(path, { groupColumns, order: orderOfKept(program, interner, endpoints) });
  }
  return kept;
}

/** The value of a row. */
export function keptValue(relation: Relation, row: number): number {
  return relation.rowAt(row).at(-1) ?? 0;
}

/** The visible row of a group with the best value, or −1 if the group has none. */
export function bestRow(
  { groupColumns, order }: KeptRelation,
  relation: Relation,
  codes: readonly number[],
  version: number,
): number {
  let best = -1;
  for (const row of relation.matching(groupColumns, codes.slice(0, -1), version)) {
    if (best < 0 || order.isBetter(keptValue(relation, row), keptValue(relation, best))) best = row;
  }
  return best;
}

/** Rows that are offered together, at least. */
const BATCH_SIZE = 256;

interface Offered {
  readonly path: string;
  readonly row: number;
  readonly key: number;
}

/**
 * Offered rows, the best values first, as in Dijkstra's algorithm. Once a value turns out better than those it may have
 * been derived from, all of them at once, as in that of Bellman and Ford.
 */
export class ValueQueue {
  /** A binary heap. */
  private readonly heap: Offered[] = [];
  private readonly waiting = new Map<string, number>();
  private lastKey = Number.NEGATIVE_INFINITY;
  private isOrdered = true;

  add(path: string, key: number, row: number): void {
    if (key < this.lastKey) this.isOrdered = false;
    this.waiting.set(path, (this.waiting.get(path) ?? 0) + 1);
    const { heap } = this;
    const offered = { path, row, key };
    let at = heap.length;
    heap.push(offered);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] as Offered;
      if (parent.key <= key) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = offered;
  }

  isDoneWith(path: string): boolean {
    return (this.waiting.get(path) ?? 0) === 0;
  }

  /** The next rows by path, best first; undefined if none waits. */
  next(): ReadonlyMap<string, readonly number[]> | undefined {
    const { heap } = this;
    const first = heap[0];
    if (first === undefined) return undefined;
    this.lastKey = first.key;
    const rows = new Map<string, number[]>();
    const size = this.isOrdered ? Math.min(BATCH_SIZE, heap.length) : heap.length;
    for (let taken = 0; taken < size; taken++) {
      const { path, row } = this.pop();
      const own = rows.get(path) ?? [];
      rows.set(path, own);
      own.push(row);
      this.waiting.set(path, (this.waiting.get(path) ?? 0) - 1);
    }
    return rows;
  }

  private pop(): Offered {
    const { heap } = this;
    const top = heap[0] as Offered;
    const last = heap.pop() as Offered;
    if (heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && (heap[below + 1] as Offered).key < (heap[below] as Offered).key) below += 1;
      const child = heap[below] as Offered;
      if (child.key >= last.key) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
    return top;
  }
}

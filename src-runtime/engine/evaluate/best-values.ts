/**
 * The least or greatest value of each group, while an evaluation looks for them. Groups whose value has become better
 * wait for a batch. If values only get worse along derivations, as distances do, a batch takes the best ones first, as
 * in Dijkstra's algorithm. Otherwise it takes all, as in that of Bellman and Ford, whose rounds are bounded.
 *
 * Benchmark: W9a of `npm run bench:engine`.
 */

import { findRow, insertRow } from '../relation/insert-row.js';
import { Relation } from '../relation/relation.js';
import type { EndpointInfo } from '../types.js';
import { INT_INLINE_LIMIT, type Interner } from '../values/codec.js';
import type { OrderSchema } from '../values/compare.js';
import { NO_INTS, resized } from '../values/int-array.js';
import { type KeptOrder, type OrderOfKept, orderOfKept } from '../values/kept-order.js';

/** Batches of fewer rows are not worth a run of all plans. */
const BATCH_MIN = 256;

/** The part of the waiting rows that a batch takes. */
const BATCH_PART = 8;

/** Waiting rows that estimate the key up to which a batch takes rows. */
const SAMPLE_SIZE = 64;

export class BestValues {
  /** Each group with its best value so far. A row keeps its number. */
  readonly rows: Relation;
  /** The rows of the current batch. */
  readonly batch: Relation;
  /** Finds groups: its rows have the numbers of `rows`. */
  readonly groups: Relation;
  readonly order: KeptOrder;
  /** How often a group got its first value, or a better one. */
  count = 0;
  /** Rows that wait, and 1 for each of them by number. */
  private waiting = NO_INTS;
  private waitingCount = 0;
  private isWaiting = new Uint8Array(0);
  /** 1 for each row that `settle` has accepted. */
  isSettled = new Uint8Array(0);
  private readonly valueColumn: number;
  private readonly takesBestFirst: boolean;
  /** False once a value was better than those that it was derived from. */
  private isOrdered = true;
  /** The best key of the last batch. */
  private lastKey = Number.NEGATIVE_INFINITY;

  constructor(schema: OrderSchema, interner: Interner, endpoints: readonly EndpointInfo[], expected: number) {
    const arity = endpoints.length;
    this.rows = Relation.withRanks(arity, expected);
    this.batch = Relation.withRanks(arity);
    this.groups = Relation.plain(arity - 1);
    this.groups.seal();
    this.order = orderOfKept(schema, interner, endpoints);
    this.valueColumn = arity - 1;
    this.takesBestFirst = this.order.hasKeys;
  }

  /** For `offer`: queues a row that is new or has got a better value. */
  wait(row: number): void {
    if (row >= this.isWaiting.length) {
      const grown = new Uint8Array(Math.max(64, row * 2));
      grown.set(this.isWaiting);
      this.isWaiting = grown;
    }
    this.count += 1;
    if (this.isWaiting[row] === 1) return;
    this.isWaiting[row] = 1;
    if (this.waitingCount === this.waiting.length)
      this.waiting = resized(this.waiting, this.waitingCount, Math.max(64, this.waitingCount * 2));
    this.waiting[this.waitingCount] = row;
    this.waitingCount += 1;
  }

  /** Fills `batch` with waiting rows. */
  nextBatch(): void {
    this.batch.clear();
    const bound = this.takesBestFirst ? this.batchBound() : Number.POSITIVE_INFINITY;
    const { rows, waiting, waitingCount } = this;
    let left = 0;
    for (let index = 0; index < waitingCount; index++) {
      const row = waiting[index] ?? 0;
      if (bound < Number.POSITIVE_INFINITY && this.keyOf(row) > bound) {
        waiting[left] = row;
        left += 1;
      } else {
        this.isWaiting[row] = 0;
        this.batch.appendFrom(rows, row, 0);
      }
    }
    this.waitingCount = left;
  }

  /** Rows up to this key make the next batch. */
  private batchBound(): number {
    if (!this.isOrdered || this.waitingCount === 0) return Number.POSITIVE_INFINITY;
    const { waiting, waitingCount } = this;
    let least = Number.POSITIVE_INFINITY;
    for (let index = 0; index < waitingCount; index++) least = Math.min(least, this.keyOf(waiting[index] ?? 0));
    // A row that was derived from the last batch is better than all of it.
    if (least < this.lastKey) this.isOrdered = false;
    this.lastKey = least;
    if (!this.isOrdered || waitingCount <= BATCH_MIN) return Number.POSITIVE_INFINITY;
    const sample: number[] = [];
    const step = waitingCount / SAMPLE_SIZE;
    for (let at = 0; at < waitingCount; at += step) sample.push(this.keyOf(waiting[Math.floor(at)] ?? 0));
    sample.sort((left, right) => left - right);
    return sample[Math.ceil(sample.length / BATCH_PART)] ?? Number.POSITIVE_INFINITY;
  }

  private keyOf(row: number): number {
    return this.order.keyOf(this.rows.rows[row * this.rows.arity + this.valueColumn] ?? 0);
  }

  /** Prepares for `settle`. */
  beginSettling(): void {
    this.isSettled = new Uint8Array(this.rows.count);
  }
}

/** Takes in a row, one argument a column. True if its group is new or gets a better value. */
export type Offer = (best: BestValues, ...codes: number[]) => boolean;

/** Appends a row to the relation if it has the best value of its group and was not appended before. */
export type Settle = (target: Settling, ...codes: number[]) => boolean;

/** Receives the best rows in rounds. */
export class Settling {
  readonly best: BestValues;
  readonly relation: Relation;

  constructor(best: BestValues, relation: Relation) {
    this.best = best;
    this.relation = relation;
    relation.seal();
    best.beginSettling();
  }

  /** Rows that it has received. */
  get count(): number {
    return this.relation.count;
  }
}

export function offerCode(arity: number, order: OrderOfKept): Offer {
  const { groups, all, value } = columnsOf(arity);
  const store = all.map((name, column) => `rows[r * ${arity} + ${column}] = ${name};`).join(' ');
  return generated(
    `offer ${arity} ${order}`,
    arity,
    `
    return function offer(${['best', ...all].join(', ')}) {
      const groups = best.groups, relation = best.rows;
      let r = groups.count === 0 ? -1 : find(${['groups', ...groups].join(', ')});
      if (r < 0) {
        insert(${['groups', ...groups].join(', ')});
        r = relation.count;
        if (r === relation.capacity) relation.grow();
        const rows = relation.rows;
        ${store}
        relation.count = r + 1;
      } else {
        const rows = relation.rows, at = r * ${arity} + ${arity - 1}, known = rows[at];
        if (!(${BETTER[order](value, 'known')})) return false;
        rows[at] = ${value};
      }
      best.wait(r);
      return true;
    };`,
  );
}

export function settleCode(arity: number): Settle {
  const { groups, all, value } = columnsOf(arity);
  const store = all.map((name, column) => `rows[i * ${arity} + ${column}] = ${name};`).join(' ');
  return generated(
    `settle ${arity}`,
    arity,
    `
    return function settle(${['target', ...all].join(', ')}) {
      const best = target.best;
      const r = find(${['best.groups', ...groups].join(', ')});
      if (r < 0 || best.isSettled[r] !== 0 || best.rows.rows[r * ${arity} + ${arity - 1}] !== ${value}) return false;
      best.isSettled[r] = 1;
      const relation = target.relation;
      const i = relation.count;
      if (i === relation.capacity) relation.grow();
      const rows = relation.rows;
      ${store}
      relation.count = i + 1;
      return true;
    };`,
  );
}

/** Conditions that one code of a value is better than another. */
const BETTER: Readonly<Record<OrderOfKept, (code: string, known: string) => string>> = {
  ascending: (code, known) => `${code} < ${known}`,
  descending: (code, known) => `${code} > ${known}`,
  ascendingInts: (code, known) => smallInts(code, '<', known),
  descendingInts: (code, known) => smallInts(code, '>', known),
  valued: (code, known) => `best.order.isBetter(${code}, ${known})`,
};

function smallInts(code: string, operator: string, known: string): string {
  const areSmall = `${code} < ${INT_INLINE_LIMIT} && ${known} < ${INT_INLINE_LIMIT}`;
  return `(${areSmall}) ? ${code} ${operator} ${known} : ${BETTER.valued(code, known)}`;
}

function columnsOf(arity: number) {
  const all = Array.from({ length: arity }, (_, column) => `a${column}`);
  return { all, groups: all.slice(0, -1), value: all.at(-1) ?? '' };
}

const GENERATED = new Map<string, unknown>();

/** The code is compiled on first use. It may use `find` and `insert` of groups. */
function generated<Code>(key: string, arity: number, source: string): Code {
  const known = GENERATED.get(key) ?? new Function('find', 'insert', source)(findRow(arity - 1), insertRow(arity - 1));
  GENERATED.set(key, known);
  return known as Code;
}

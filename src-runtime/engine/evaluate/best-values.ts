/**
 * The least or greatest value of each group, while an evaluation looks for them. Groups whose value has become better
 * wait for a batch. If values only get worse along derivations, as distances do, a batch takes the best ones first, as
 * in Dijkstra's algorithm. Otherwise it takes all, as in that of Bellman and Ford, whose rounds are bounded.
 *
 * Benchmark: W9a of `npm run bench:engine`.
 */

import { bitsOfCode, shiftsOf, totalBits } from '../index/key-bits.js';
import { Relation } from '../relation/relation.js';
import type { EndpointInfo } from '../types.js';
import { INT_INLINE_LIMIT, type Interner } from '../values/codec.js';
import type { OrderSchema } from '../values/compare.js';
import { NO_INTS, resized } from '../values/int-array.js';
import { type KeptOrder, type OrderOfKept, orderOfKept } from '../values/kept-order.js';

const SLOTS_MIN = 16;

/** No code of a value. */
const NO_VALUE = 0x7fffffff;

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
  /** Rows by group: a hash table with linear probing, or a slot for every possible group. −1 is free. */
  slots = new Int32Array(SLOTS_MIN).fill(-1);
  /** With a slot for every group: the best value by slot, and NO_VALUE. A worse value needs only one read. */
  values = NO_INTS;
  /** For each group column the number of each code, from 0 on, or −1; null for a hash table. */
  numbers: readonly Int32Array[] | null = null;
  shifts: readonly number[] = [];
  /** Of the values that are found now: one more than that of what they are derived from. */
  rank = 1;
  readonly order: KeptOrder;
  /** How often a group got its first value, or a better one. */
  count = 0;
  /** Rows that wait, and 1 for each of them by number. */
  private waiting = NO_INTS;
  private waitingCount = 0;
  private isWaiting = new Uint8Array(0);
  /** 1 for each row that `settle` has accepted. */
  isSettled = new Uint8Array(0);
  /** By group column, with a slot for every group: how many numbers are in use, and the bits of a number. */
  private used: number[] = [];
  private bits: readonly number[] = [];
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
    this.rows.lower(row, this.rank);
    if (this.isWaiting[row] === 1) return;
    this.isWaiting[row] = 1;
    if (this.waitingCount === this.waiting.length)
      this.waiting = resized(this.waiting, this.waitingCount, Math.max(64, this.waitingCount * 2));
    this.waiting[this.waitingCount] = row;
    this.waitingCount += 1;
  }

  /** Makes room in the table for one more group. */
  makeRoom(): void {
    const { count } = this.rows;
    if (count * 2 < this.slots.length) return;
    const length = this.slots.length * 2;
    if (!this.becomeDense(length * 2)) this.becomeHashed(length);
  }

  /** The number of a code that has none; −1 if the column has no numbers left. */
  numberOf(column: number, code: number): number {
    const numbers = this.numbers?.[column];
    const used = this.used[column] ?? 0;
    if (numbers === undefined || code < 0 || code >= numbers.length || used >= 2 ** (this.bits[column] ?? 0)) return -1;
    numbers[code] = used;
    this.used[column] = used + 1;
    return used;
  }

  /** Becomes a hash table, because a group has no slot. */
  leaveDense(): void {
    let length = SLOTS_MIN;
    while (length <= this.rows.count * 2) length *= 2;
    this.becomeHashed(length);
  }

  private becomeHashed(length: number): void {
    const { rows, count, arity } = this.rows;
    this.numbers = null;
    this.values = NO_INTS;
    this.slots = new Int32Array(length).fill(-1);
    const slotOf = hashCode(arity);
    for (let row = 0; row < count; row++) {
      let slot = slotOf(rows, row) & (length - 1);
      while ((this.slots[slot] ?? -1) >= 0) slot = (slot + 1) & (length - 1);
      this.slots[slot] = row;
    }
  }

  /** Gives every possible group a slot, if there are at most this many. */
  private becomeDense(slotsMax: number): boolean {
    const { rows, count, arity } = this.rows;
    const numbers: Int32Array[] = [];
    const used: number[] = [];
    const bits: number[] = [];
    for (let column = 0; column < arity - 1; column++) {
      let [least, most] = [0, 0];
      for (let row = 0; row < count; row++) {
        const code = rows[row * arity + column] ?? 0;
        least = Math.min(least, code);
        most = Math.max(most, code);
      }
      if (least < 0 || most >= slotsMax) return false;
      // A power of two has room for codes that come later.
      const own = new Int32Array(2 ** bitsOfCode(most)).fill(-1);
      let next = 0;
      for (let row = 0; row < count; row++) {
        const code = rows[row * arity + column] ?? 0;
        if ((own[code] ?? 0) >= 0) continue;
        own[code] = next;
        next += 1;
      }
      numbers.push(own);
      used.push(next);
      bits.push(bitsOfCode(next));
    }
    if (2 ** totalBits(bits) > slotsMax) return false;
    this.numbers = numbers;
    this.used = used;
    this.bits = bits;
    this.shifts = shiftsOf(bits);
    this.slots = new Int32Array(2 ** totalBits(bits)).fill(-1);
    this.values = new Int32Array(this.slots.length).fill(NO_VALUE);
    for (let row = 0; row < count; row++) {
      let slot = 0;
      for (let column = 0; column < arity - 1; column++)
        slot |= (numbers[column]?.[rows[row * arity + column] ?? 0] ?? 0) << (this.shifts[column] ?? 0);
      this.slots[slot] = row;
      this.values[slot] = rows[row * arity + arity - 1] ?? 0;
    }
    return true;
  }

  /** Fills `batch` with waiting rows. */
  nextBatch(): void {
    this.rank += 1;
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

export const offerCode = perOrder((arity, order): Offer => {
  const { all, value } = columnsOf(arity);
  const store = all.map((name, column) => `rows[r * ${arity} + ${column}] = ${name};`).join(' ');
  const args = ['best', ...all].join(', ');
  return new Function(`${FOLD} return function offer(${args}) {
      const relation = best.rows;
      let rows = relation.rows;
      const slots = best.slots;
      const numbers = best.numbers, mask = slots.length - 1;
      let s, r;
      if (numbers !== null) {
        ${denseSource(arity, `best.leaveDense(); return offer(${args});`)}
        const known = best.values[s];
        if (known === ${NO_VALUE}) r = -1;
        else if (!(${BETTER[order](value, 'known')})) return false;
        else r = slots[s];
      } else {
        ${probeSource(arity)}
        if (r >= 0) {
          const known = rows[r * ${arity} + ${arity - 1}];
          if (!(${BETTER[order](value, 'known')})) return false;
        } else if (relation.count * 2 >= slots.length) {
          best.makeRoom();
          return offer(${args});
        }
      }
      if (r < 0) {
        r = relation.count;
        if (r === relation.capacity) { relation.grow(); rows = relation.rows; }
        ${store}
        slots[s] = r;
        relation.count = r + 1;
      } else rows[r * ${arity} + ${arity - 1}] = ${value};
      if (numbers !== null) best.values[s] = ${value};
      best.wait(r);
      return true;
    };`)() as Offer;
});

export const settleCode = perOrder((arity): Settle => {
  const { all, value } = columnsOf(arity);
  const store = all.map((name, column) => `into[i * ${arity} + ${column}] = ${name};`).join(' ');
  return new Function(`${FOLD} return function settle(${['target', ...all].join(', ')}) {
      const best = target.best, rows = best.rows.rows, slots = best.slots;
      const numbers = best.numbers, mask = slots.length - 1;
      let s, r;
      if (numbers !== null) {
        ${denseSource(arity, 'return false;')}
        r = slots[s];
      } else { ${probeSource(arity)} }
      if (r < 0 || best.isSettled[r] !== 0 || rows[r * ${arity} + ${arity - 1}] !== ${value}) return false;
      best.isSettled[r] = 1;
      const relation = target.relation;
      const i = relation.count;
      if (i === relation.capacity) relation.grow();
      const into = relation.rows;
      ${store}
      relation.count = i + 1;
      return true;
    };`)() as Settle;
});

const hashCode = perOrder((arity) => {
  const groups = groupsOf(arity);
  const read = groups.map((name, column) => `const ${name} = rows[row * ${arity} + ${column}];`).join(' ');
  const source = `${FOLD} return function hash(rows, row) { ${read} return ${hashSource(groups)}; };`;
  return new Function(source)() as (rows: Int32Array, row: number) => number;
});

/** Statements that set the slot `s` of a group in a table of `numbers`. `outside` runs if it can have none. */
function denseSource(arity: number, outside: string): string {
  const groups = groupsOf(arity);
  const numbered = groups.map(
    (name, column) => `const m${column} = numbers[${column}];
      let n${column} = ${name} >= 0 && ${name} < m${column}.length ? m${column}[${name}] : -1;
      if (n${column} < 0 && (n${column} = best.numberOf(${column}, ${name})) < 0) { ${outside} }`,
  );
  const slot = groups.map((_, column) => `(n${column} << shifts[${column}])`).join(' | ') || '0';
  return `const shifts = best.shifts; ${numbered.join('\n')} s = ${slot};`;
}

/** Statements that set the slot `s` of a group in a hash table, and its row `r` or −1. */
function probeSource(arity: number): string {
  const groups = groupsOf(arity);
  const differs = groups.map((name, column) => `rows[r * ${arity} + ${column}] !== ${name}`).join(' || ') || 'false';
  return `s = ${hashSource(groups)} & mask; while ((r = slots[s]) >= 0 && (${differs})) s = (s + 1) & mask;`;
}

function groupsOf(arity: number): readonly string[] {
  return columnsOf(arity).all.slice(0, -1);
}

const FACTORS = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f];

const FOLD = 'function fold(h) { return h ^ (h >>> 15); }';

function hashSource(groups: readonly string[]): string {
  const sum = groups
    .map((name, column) => `Math.imul(${name}, ${(FACTORS[column % 4] ?? 1) + 2 * column})`)
    .join(' + ');
  return `fold((${sum || '0'}) | 0)`;
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
  return { all, value: all.at(-1) ?? '' };
}

/** Code for each arity and order, compiled on first use. */
function perOrder<Code>(
  make: (arity: number, order: OrderOfKept) => Code,
): (arity: number, order?: OrderOfKept) => Code {
  const compiled = new Map<string, Code>();
  return (arity, order = 'valued') => {
    const known = compiled.get(`${arity} ${order}`) ?? make(arity, order);
    compiled.set(`${arity} ${order}`, known);
    return known;
  };
}

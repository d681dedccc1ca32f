/**
 * A hash index over some columns of a relation's rows: an open-addressed table of keys, each slot the newest row of its
 * key, and a chain from there to the older ones. Chains hold one key only, so that a popular key slows no other.
 *
 * A reader may hold `slots` and `next` across a pause: both are replaced, never rewritten, when the rows are moved to other
 * arrays, so that what a reader holds stays consistent with the rows it holds.
 */

import { hashSource, MIX_SOURCE } from './hash.js';
import { NO_INTS, resized, slotsFor } from './int-array.js';

const SLOTS_MIN = 16;

/** Of an index without rows. Has room for none, so that nothing is ever written to it. */
const NO_SLOTS = Int32Array.of(-1);

/** Rows or slots between two yields. */
const BLOCK_ROWS = 16_384;

export class HashIndex {
  readonly columns: readonly number[];
  slots = NO_SLOTS;
  /** Empty as long as no two rows share a key, of an index that expects none. */
  next = NO_INTS;
  /** Distinct keys among the rows that are covered. */
  keys = 0;
  /** Rows below this are in the index. */
  covered = 0;
  /** Rows that there is room for where they are. */
  private capacity: number;
  private readonly code: IndexCode;

  constructor(arity: number, columns: readonly number[], capacity: number) {
    this.columns = columns;
    this.capacity = capacity;
    this.code = indexCode(arity, columns);
  }

  /** One whose rows are expected to share keys. */
  static chained(arity: number, columns: readonly number[], capacity: number): HashIndex {
    const index = new HashIndex(arity, columns, capacity);
    index.next = new Int32Array(capacity).fill(-1);
    return index;
  }

  private get isChained(): boolean {
    return this.next.length > 0;
  }

  /** Adds the rows up to `count`. */
  extend(rows: Int32Array, count: number): void {
    while (this.covered < count) {
      // A chunk never fills the table beyond a half, so that probing inside of it needs no check.
      const room = (this.slots.length >> 1) - this.keys;
      if (room <= 0) {
        this.enlarge(rows);
        continue;
      }
      const from = this.covered;
      const end = Math.min(count, from + room);
      if (this.isChained) {
        this.keys += this.code.extend(rows, this.slots, this.next, from, end);
        this.covered = end;
        continue;
      }
      this.covered = this.code.extendDistinct(rows, this.slots, from, end);
      this.keys += this.covered - from;
      if (this.covered < end) this.chain();
    }
  }

  /**
   * Adds the rows that there are now, in blocks; the relation may grow meanwhile, so that some may be left over. Whoever
   * else extends the index between two blocks helps.
   */
  *extendInBlocks(
    source: { readonly rows: Int32Array; readonly count: number },
    areDistinct: boolean,
  ): Generator<void, void> {
    const { count } = source;
    if (areDistinct && this.covered === 0) this.slots = new Int32Array(Math.max(SLOTS_MIN, slotsFor(count))).fill(-1);
    while (this.covered < count) {
      const blockEnd = Math.min(count, this.covered + BLOCK_ROWS);
      // Where rows share keys, a block takes much less room than it has rows: it is added in pieces that surely fit.
      while (this.covered < blockEnd) {
        const room = (this.slots.length >> 1) - this.keys;
        const end = Math.min(blockEnd, this.covered + room);
        if (room <= 0) yield* this.rehashInBlocks(source);
        else if (areDistinct) this.extendByDistinct(source.rows, end);
        else this.extend(source.rows, end);
      }
      yield;
    }
  }

  private *rehashInBlocks(source: { readonly rows: Int32Array }): Generator<void, void> {
    const { slots: old, covered } = this;
    if (old.length <= BLOCK_ROWS) {
      this.enlarge(source.rows);
      return;
    }
    const slots = new Int32Array(old.length * 2).fill(-1);
    for (let from = 0; from < old.length; from += BLOCK_ROWS) {
      this.code.rehash(source.rows, old, slots, from, Math.min(old.length, from + BLOCK_ROWS));
      yield;
      // What was moved is of no use where another one has put something into the table meanwhile.
      if (this.slots !== old || this.covered !== covered) return;
    }
    this.slots = slots;
  }

  /** The same for rows that are known to share a key neither with each other nor with those that are covered. */
  extendByDistinct(rows: Int32Array, count: number): void {
    if (this.isChained) {
      this.extend(rows, count);
      return;
    }
    const added = count - this.covered;
    if (added === 0) return;
    const length = Math.max(SLOTS_MIN, slotsFor(this.keys + added));
    if (length > this.slots.length) this.rehash(rows, length);
    this.code.place(rows, this.slots, this.covered, count);
    this.keys += added;
    this.covered = count;
  }

  /** Follows the rows to arrays of another size. */
  move(capacity: number): void {
    this.capacity = capacity;
    if (this.isChained) this.next = resized(this.next, this.covered, capacity).fill(-1, this.covered);
    if (this.slots !== NO_SLOTS) this.slots = this.slots.slice();
  }

  /** The newest row with this key; −1 where there is none. */
  find(rows: Int32Array, key: readonly number[]): number {
    return this.code.find(rows, this.slots, key);
  }

  /** Makes room for one more key. */
  makeRoom(rows: Int32Array): void {
    if (this.keys * 2 + 2 > this.slots.length) this.enlarge(rows);
  }

  /** Forgets every row, and that they shared keys. */
  clear(): void {
    this.slots = NO_SLOTS;
    this.next = NO_INTS;
    this.keys = 0;
    this.covered = 0;
  }

  /** From now on rows share keys. Who holds the slots finds in them only what has no chain. */
  private chain(): void {
    this.next = new Int32Array(this.capacity).fill(-1);
    this.slots = this.slots.slice();
  }

  private enlarge(rows: Int32Array): void {
    this.rehash(rows, Math.max(SLOTS_MIN, this.slots.length * 2));
  }

  private rehash(rows: Int32Array, length: number): void {
    const slots = new Int32Array(length).fill(-1);
    // Where each row is one key, they are read in their order rather than in that of their hashes.
    if (this.isChained) this.code.rehash(rows, this.slots, slots, 0, this.slots.length);
    else this.code.place(rows, slots, 0, this.covered);
    this.slots = slots;
  }
}

interface IndexCode {
  /** Links rows [from, to) and returns how many keys are new. */
  extend(rows: Int32Array, slots: Int32Array, next: Int32Array, from: number, to: number): number;
  /** Adds rows [from, to) up to the first whose key is there, and returns that one; `to` where there is none. */
  extendDistinct(rows: Int32Array, slots: Int32Array, from: number, to: number): number;
  /** Adds rows [from, to), whose keys are not there. */
  place(rows: Int32Array, slots: Int32Array, from: number, to: number): void;
  /** Moves what the old slots [from, to) hold. */
  rehash(rows: Int32Array, old: Int32Array, slots: Int32Array, from: number, to: number): void;
  find(rows: Int32Array, slots: Int32Array, key: readonly number[]): number;
}

const CODE = new Map<string, IndexCode>();

function indexCode(arity: number, columns: readonly number[]): IndexCode {
  const name = `${arity}:${columns.join(',')}`;
  const known = CODE.get(name);
  if (known !== undefined) return known;
  const made = makeIndexCode(arity, columns);
  CODE.set(name, made);
  return made;
}

function makeIndexCode(arity: number, columns: readonly number[]): IndexCode {
  const keys = columns.map((_, index) => `k${index}`);
  const load = (row: string): string =>
    columns.map((column, i) => `const k${i} = rows[${row} * ${arity} + ${column}];`).join(' ');
  const differs = columns.map((column, i) => `rows[r * ${arity} + ${column}] !== k${i}`).join(' || ') || 'false';
  const probe = `let s = ${hashSource(keys)} & mask; let r; while ((r = slots[s]) >= 0 && (${differs})) s = (s + 1) & mask;`;
  const place = `let s = ${hashSource(keys)} & mask; while (slots[s] >= 0) s = (s + 1) & mask; slots[s] = i;`;
  const source = `${MIX_SOURCE}
    return {
      extend(rows, slots, next, from, to) {
        const mask = slots.length - 1;
        let added = 0;
        for (let i = from; i < to; i++) {
          ${load('i')}
          ${probe}
          if (r < 0) added++;
          next[i] = r;
          slots[s] = i;
        }
        return added;
      },
      extendDistinct(rows, slots, from, to) {
        const mask = slots.length - 1;
        for (let i = from; i < to; i++) {
          ${load('i')}
          ${probe}
          if (r >= 0) return i;
          slots[s] = i;
        }
        return to;
      },
      place(rows, slots, from, to) {
        const mask = slots.length - 1;
        for (let i = from; i < to; i++) {
          ${load('i')}
          ${place}
        }
      },
      rehash(rows, old, slots, from, to) {
        const mask = slots.length - 1;
        for (let j = from; j < to; j++) {
          const i = old[j];
          if (i < 0) continue;
          ${load('i')}
          ${place}
        }
      },
      find(rows, slots, key) {
        const mask = slots.length - 1;
        ${keys.map((name, index) => `const ${name} = key[${index}];`).join(' ')}
        ${probe}
        return r;
      },
    };`;
  return new Function(source)() as IndexCode;
}

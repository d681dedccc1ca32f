/**
 * A hash index over some columns of a relation's rows: an open-addressed table of keys, each slot the newest row of its
 * key, and a chain from there to the older ones. Chains hold one key only, so that a popular key slows no other.
 *
 * A reader may hold `slots` and `next` across a pause: both are replaced, never rewritten, when the rows are moved to larger
 * arrays, so that what a reader holds stays consistent with the rows it holds.
 */

import { hashSource, MIX_SOURCE } from './hash.js';

const SLOTS_MIN = 16;

/** Rows or slots between two yields. */
const BLOCK_ROWS = 16_384;

export class HashIndex {
  readonly columns: readonly number[];
  slots = new Int32Array(SLOTS_MIN).fill(-1);
  /** Empty while no two rows can share a key. */
  next = new Int32Array(0);
  /** Distinct keys among the rows that are covered. */
  keys = 0;
  /** Rows below this are in the index. */
  covered = 0;
  private readonly code: IndexCode;

  constructor(arity: number, columns: readonly number[]) {
    this.columns = columns;
    this.code = indexCode(arity, columns);
  }

  /** From now on rows may share a key. */
  chain(capacity: number): this {
    this.next = new Int32Array(capacity).fill(-1);
    return this;
  }

  /** Adds the rows up to `count`. */
  extend(rows: Int32Array, count: number): void {
    while (this.covered < count) {
      // A chunk never fills the table beyond a half, so that probing inside of it needs no check.
      const room = (this.slots.length >> 1) - this.keys;
      if (room <= 0) {
        this.rehash(rows);
        continue;
      }
      const end = Math.min(count, this.covered + room);
      this.keys += this.code.extend(rows, this.slots, this.next, this.covered, end);
      this.covered = end;
    }
  }

  /**
   * Adds the rows that there are now, in blocks; the relation may grow meanwhile, so that some may be left over. Whoever
   * else extends the index between two blocks helps.
   */
  *extendInBlocks(source: { readonly rows: Int32Array; readonly count: number }): Generator<void, void> {
    const { count } = source;
    while (this.covered < count) {
      const room = (this.slots.length >> 1) - this.keys;
      if (room <= 0) yield* this.rehashInBlocks(source);
      else this.extend(source.rows, Math.min(count, this.covered + Math.min(room, BLOCK_ROWS)));
      yield;
    }
  }

  private *rehashInBlocks(source: { readonly rows: Int32Array }): Generator<void, void> {
    const { slots: old, covered } = this;
    if (old.length <= BLOCK_ROWS) {
      this.rehash(source.rows);
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

  /** Follows the rows to larger arrays. */
  grow(capacity: number): void {
    if (this.next.length > 0) {
      const next = new Int32Array(capacity);
      next.set(this.next);
      this.next = next.fill(-1, this.covered);
    }
    this.slots = this.slots.slice();
  }

  /** The newest row with this key; −1 where there is none. */
  find(rows: Int32Array, key: readonly number[]): number {
    return this.code.find(rows, this.slots, key);
  }

  /** Makes room for one more key. */
  makeRoom(rows: Int32Array): void {
    if (this.keys * 2 >= this.slots.length) this.rehash(rows);
  }

  /** Forgets every row. */
  clear(): void {
    this.slots = new Int32Array(SLOTS_MIN).fill(-1);
    this.next.fill(-1);
    this.keys = 0;
    this.covered = 0;
  }

  private rehash(rows: Int32Array): void {
    const slots = new Int32Array(this.slots.length * 2).fill(-1);
    this.code.rehash(rows, this.slots, slots, 0, this.slots.length);
    this.slots = slots;
  }
}

interface IndexCode {
  /** Links rows [from, to) and returns how many keys are new. */
  extend(rows: Int32Array, slots: Int32Array, next: Int32Array, from: number, to: number): number;
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
      rehash(rows, old, slots, from, to) {
        const mask = slots.length - 1;
        for (let j = from; j < to; j++) {
          const i = old[j];
          if (i < 0) continue;
          ${load('i')}
          let s = ${hashSource(keys)} & mask;
          while (slots[s] >= 0) s = (s + 1) & mask;
          slots[s] = i;
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

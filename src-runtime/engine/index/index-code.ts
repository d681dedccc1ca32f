/** Code of hash indexes, generated for an arity and columns so that no loop over columns is left. */

import { FOLD_SOURCE, fitsSource, layoutNames, layoutSource, probeSource, slotSource } from './hash.js';
import type { Layout } from './layout.js';

type Extend = (
  rows: Int32Array,
  slots: Int32Array,
  layout: Layout,
  next: Int32Array,
  chainedFrom: number,
  from: number,
  to: number,
) => number;

export interface IndexCode {
  /** The first of the rows [from, to) whose key does not fit into these bits; `to` if all fit. */
  firstOutside(rows: Int32Array, bits: Int32Array, from: number, to: number): number;
  /** Adds rows [from, to) with chains, and returns the number of new keys. */
  readonly extend: Extend;
  /** The same for a direct layout: a filled slot has the same key. */
  readonly extendDirect: Extend;
  /** Adds rows [from, to) up to the first whose key exists, and returns that row, or `to` if none exists. */
  extendDistinct(rows: Int32Array, slots: Int32Array, layout: Layout, from: number, to: number): number;
  /** Adds rows [from, to), whose keys are new. */
  place(rows: Int32Array, slots: Int32Array, layout: Layout, from: number, to: number): void;
  /** The same for a direct layout, in which their slots are free. */
  placeDirect(rows: Int32Array, slots: Int32Array, layout: Layout, from: number, to: number): void;
  /**
   * Counts the rows [from, to) by the part of the hash table that their slot is in. A part has `2 ** partBits` slots.
   */
  countByPart(
    rows: Int32Array,
    layout: Layout,
    mask: number,
    partBits: number,
    counts: Int32Array,
    from: number,
    to: number,
  ): void;
  /** Gathers these rows by part, each with its slot within the part. Advances the ends of the parts. */
  gatherByPart(
    rows: Int32Array,
    layout: Layout,
    mask: number,
    partBits: number,
    ends: Int32Array,
    gathered: Int32Array,
    within: Uint16Array,
    from: number,
    to: number,
  ): void;
  /** Moves the rows of the old slots [from, to). */
  rehash(rows: Int32Array, old: Int32Array, slots: Int32Array, layout: Layout, from: number, to: number): void;
  find(rows: Int32Array, slots: Int32Array, layout: Layout, key: readonly number[]): number;
}

/** Shared by indexes over the same columns of relations of the same arity. */
export interface IndexKind {
  readonly columns: readonly number[];
  readonly code: IndexCode;
}

const KINDS = new Map<string, IndexKind>();

export function kindOver(arity: number, columns: readonly number[]): IndexKind {
  const name = `${arity}:${columns.join(',')}`;
  const known = KINDS.get(name) ?? { columns, code: makeIndexCode(arity, columns) };
  KINDS.set(name, known);
  return known;
}

/** By arity. Cached because row sets are created often and for few rows. */
const OVER_ALL: IndexKind[] = [];

export function kindOverAll(arity: number): IndexKind {
  for (let each = OVER_ALL.length; each <= arity; each++) OVER_ALL.push(kindOver(each, [...Array(each).keys()]));
  return OVER_ALL[arity] as IndexKind;
}

function makeIndexCode(arity: number, columns: readonly number[]): IndexCode {
  const keys = columns.map((_, index) => `k${index}`);
  const names = layoutNames(columns.length);
  const load = (row: string): string =>
    columns.map((column, i) => `const k${i} = rows[${row} * ${arity} + ${column}];`).join(' ');
  const differs = columns.map((column, i) => `rows[r * ${arity} + ${column}] !== k${i}`).join(' || ') || 'false';
  const loadKey = keys.map((name, index) => `const ${name} = key[${index}];`).join(' ');
  const open = `const mask = slots.length - 1; ${layoutSource('layout', names)}`;
  const table = { layout: names, slots: 'slots', mask: 'mask', bits: 'bits' };
  const probe = probeSource(keys, table, { slot: 's', row: 'r', differs });
  const probeHashed = `let s = ${slotSource(keys, names)} & mask; let r;
    while ((r = slots[s]) >= 0 && (${differs})) s = (s + 1) & mask;`;
  const place = `let s = ${slotSource(keys, names)} & mask; while (slots[s] >= 0) s = (s + 1) & mask; slots[s] = i;`;
  const source = `${FOLD_SOURCE}
    return {
      firstOutside(rows, bits, from, to) {
        for (let i = from; i < to; i++) {
          ${load('i')}
          if (!(${fitsSource(keys, 'bits')})) return i;
        }
        return to;
      },
      extend(rows, slots, layout, next, chainedFrom, from, to) {
        ${open}
        let added = 0;
        for (let i = from; i < to; i++) {
          ${load('i')}
          ${probeHashed}
          if (r < 0) added++;
          next[i - chainedFrom] = r;
          slots[s] = i;
        }
        return added;
      },
      extendDirect(rows, slots, layout, next, chainedFrom, from, to) {
        ${open}
        let added = 0;
        for (let i = from; i < to; i++) {
          ${load('i')}
          const s = ${slotSource(keys, names)} & mask;
          const r = slots[s];
          if (r < 0) added++;
          next[i - chainedFrom] = r;
          slots[s] = i;
        }
        return added;
      },
      extendDistinct(rows, slots, layout, from, to) {
        ${open}
        const { bits } = layout;
        for (let i = from; i < to; i++) {
          ${load('i')}
          ${probe}
          if (r >= 0) return i;
          slots[s] = i;
        }
        return to;
      },
      place(rows, slots, layout, from, to) {
        ${open}
        for (let i = from; i < to; i++) {
          ${load('i')}
          ${place}
        }
      },
      placeDirect(rows, slots, layout, from, to) {
        ${open}
        for (let i = from; i < to; i++) {
          ${load('i')}
          slots[${slotSource(keys, names)} & mask] = i;
        }
      },
      countByPart(rows, layout, mask, partBits, counts, from, to) {
        ${layoutSource('layout', names)}
        for (let i = from; i < to; i++) {
          ${load('i')}
          counts[(${slotSource(keys, names)} & mask) >>> partBits]++;
        }
      },
      gatherByPart(rows, layout, mask, partBits, ends, gathered, within, from, to) {
        ${layoutSource('layout', names)}
        for (let i = from; i < to; i++) {
          ${load('i')}
          const s = ${slotSource(keys, names)} & mask;
          const at = ends[s >>> partBits]++;
          gathered[at] = i;
          within[at] = s;
        }
      },
      rehash(rows, old, slots, layout, from, to) {
        ${open}
        for (let j = from; j < to; j++) {
          const i = old[j];
          if (i < 0) continue;
          ${load('i')}
          ${place}
        }
      },
      find(rows, slots, layout, key) {
        ${open}
        const { bits } = layout;
        ${loadKey}
        ${probe}
        return r;
      },
    };`;
  return new Function(source)() as IndexCode;
}

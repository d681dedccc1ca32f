/** Generated code that inserts and finds a tuple given as arguments, without an array in between. */

import { FOLD_SOURCE, layoutNames, layoutSource, slotSource } from '../index/hash.js';
import type { Relation } from './relation.js';

/** Adds a row, one argument a column, to a relation without versions. False if it exists. */
export type InsertRow = (relation: Relation, ...codes: number[]) => boolean;

export const insertRow = perArity<InsertRow>((arity, names) => {
  const args = ['relation', ...names].join(', ');
  const store = names.map((name, column) => `rows[i * ${arity} + ${column}] = ${name};`).join(' ');
  const differs = differsSource(arity);
  const tooLarge = names.map((name, column) => `(${name} >>> bits[${column}])`).join(' | ') || '0';
  const layout = layoutNames(arity);
  const key = names.map((name, column) => `(${name} << shifts[${column}])`).join(' | ') || '0';
  return `${FOLD_SOURCE}
    function insertByRow(${args}) {
      const index = relation.identity;
      if (index.indexed !== relation.count) index.extend(relation.rows, relation.count);
      const layout = index.layout;
      const bits = layout.bits;
      if (bits !== null && (${tooLarge}) !== 0) {
        index.leaveDirect(relation.rows);
        return insertByRow(${args});
      }
      ${layoutSource('layout', layout)}
      const slots = index.slots;
      const rows = relation.rows;
      const mask = slots.length - 1;
      let s = ${slotSource(names, layout)} & mask;
      let r;
      while ((r = slots[s]) >= 0 && (${differs})) s = (s + 1) & mask;
      if (r >= 0) return false;
      const i = relation.count;
      if (i === relation.capacity || (bits === null && index.keys * 2 + 2 > slots.length)) {
        relation.makeRoom();
        return insertByRow(${args});
      }
      ${store}
      slots[s] = i;
      index.keys++;
      index.indexed = i + 1;
      relation.count = i + 1;
      return true;
    }
    return function insert(${args}) {
      const packed = relation.packed;
      if (packed === null) return insertByRow(${args});
      const bits = packed.bits;
      const shifts = packed.shifts;
      if ((${tooLarge}) !== 0) {
        relation.refit([${names.join(', ')}]);
        return insert(${args});
      }
      const key = ${key};
      const words = packed.words;
      if (words !== null) {
        const word = words[key >>> 5];
        const bit = 1 << key;
        if ((word & bit) !== 0) return false;
        const i = relation.count;
        if (i === relation.capacity) relation.makeRoom();
        const rows = relation.rows;
        ${store}
        words[key >>> 5] = word | bit;
        relation.count = i + 1;
        return true;
      }
      const slots = packed.slots;
      const mask = slots.length - 1;
      let s = Math.imul(key, 0x9e3779b1) >>> packed.hashShift;
      let k;
      while ((k = slots[s]) >= 0) {
        if (k === key) return false;
        s = (s + 1) & mask;
      }
      const i = relation.count;
      if (i === relation.capacity || i * 2 >= slots.length) {
        relation.makeRoom();
        return insert(${args});
      }
      const rows = relation.rows;
      ${store}
      slots[s] = key;
      relation.count = i + 1;
      return true;
    };`;
});

/** Finds a row, one argument a column, in a sealed relation without versions. −1 if it is missing. */
export type FindRow = (relation: Relation, ...codes: number[]) => number;

export const findRow = perArity<FindRow>((arity, names) => {
  const layout = layoutNames(arity);
  return `${FOLD_SOURCE}
    return function find(${['relation', ...names].join(', ')}) {
      const { identity: { slots, layout }, rows } = relation;
      ${layoutSource('layout', layout)}
      const mask = slots.length - 1;
      let s = ${slotSource(names, layout)} & mask;
      let r;
      while ((r = slots[s]) >= 0 && (${differsSource(arity)})) {
        if (layout.bits !== null) return -1;
        s = (s + 1) & mask;
      }
      return r;
    };`;
});

/** Appends a row with its rank, one argument a column, to a set without indexes. Allows duplicates. */
export type AppendRow = (relation: Relation, rank: number, ...codes: number[]) => void;

export const appendRow = perArity<AppendRow>((arity, names) => {
  const store = names.map((name, column) => `rows[i * ${arity} + ${column}] = ${name};`).join(' ');
  return `return function append(${['relation', 'rank', ...names].join(', ')}) {
      const i = relation.count;
      if (i === relation.capacity) relation.grow();
      const rows = relation.rows;
      ${store}
      relation.ranks[i] = rank;
      relation.count = i + 1;
    };`;
});

/** Code for each arity, compiled on first use. */
function perArity<Code>(sourceOf: (arity: number, names: readonly string[]) => string): (arity: number) => Code {
  const compiled = new Map<number, Code>();
  return (arity) => {
    const known = compiled.get(arity);
    if (known !== undefined) return known;
    const names = Array.from({ length: arity }, (_, column) => `a${column}`);
    const made = new Function(sourceOf(arity, names))() as Code;
    compiled.set(arity, made);
    return made;
  };
}

/** A condition: row `r` differs from the arguments. */
function differsSource(arity: number): string {
  const columns = Array.from({ length: arity }, (_, column) => `rows[r * ${arity} + ${column}] !== a${column}`);
  return columns.join(' || ') || 'false';
}

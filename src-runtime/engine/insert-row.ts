/** Insertion of a tuple as generated code, so that it goes from registers to the row without an array between. */

import { hashSource, MIX_SOURCE } from './hash.js';
import type { Relation } from './relation.js';

/** Adds a row given one argument a column to a relation without versions; false where it is there. */
export type InsertRow = (relation: Relation, ...codes: number[]) => boolean;

const INSERT_ROW = new Map<number, InsertRow>();

/** Made for each arity. */
export function insertRow(arity: number): InsertRow {
  const known = INSERT_ROW.get(arity);
  if (known !== undefined) return known;
  const names = Array.from({ length: arity }, (_, column) => `a${column}`);
  const differs = names.map((name, column) => `rows[r * ${arity} + ${column}] !== ${name}`).join(' || ') || 'false';
  const source = `${MIX_SOURCE}
    return function insert(relation${names.map((name) => `, ${name}`).join('')}) {
      const index = relation.identity;
      const slots = index.slots;
      const rows = relation.rows;
      const mask = slots.length - 1;
      let s = ${hashSource(names)} & mask;
      let r;
      while ((r = slots[s]) >= 0 && (${differs})) s = (s + 1) & mask;
      if (r >= 0) return false;
      const i = relation.count;
      if (i === relation.capacity || index.keys * 2 >= slots.length) {
        relation.makeRoom();
        return insert(relation${names.map((name) => `, ${name}`).join('')});
      }
      ${names.map((name, column) => `rows[i * ${arity} + ${column}] = ${name};`).join(' ')}
      slots[s] = i;
      index.keys++;
      index.covered = i + 1;
      relation.count = i + 1;
      return true;
    };`;
  const made = new Function(source)() as InsertRow;
  INSERT_ROW.set(arity, made);
  return made;
}

/** Stores of edges, with derived paths and pairs of paths that meet. */

import { loadProgram } from '../program/program.js';
import { FactStore, type FactStoreOptions } from '../store/store.js';
import type { Program, RelationReader } from '../types.js';
import { Interner } from '../values/codec.js';
import { artifact, atom, clause, INT, relation, rule } from './ir.js';

export const PATH = rule(
  'path',
  [INT, INT],
  [clause(['x', 'y'], [atom('edge', 'x', 'y')]), clause(['x', 'z'], [atom('path', 'x', 'y'), atom('edge', 'y', 'z')])],
);

/** Pairs of paths that meet. */
const MEETING = rule(
  'meeting',
  [INT, INT, INT],
  [clause(['x', 'y', 'z'], [atom('path', 'y', 'z'), atom('path', 'x', 'y')])],
);

/** New each time, as after a reload. */
export function pathProgram(): Program {
  return loadProgram(
    artifact({ rules: [PATH, MEETING], schema: { relations: [relation('edge', INT, INT), relation('flag')] } }),
  );
}

export function newStore(options: FactStoreOptions = {}): FactStore {
  const program = pathProgram();
  return new FactStore(program, new Interner(program), options);
}

export function chainStore(length: number, options: FactStoreOptions = {}): FactStore {
  const store = newStore(options);
  const transaction = store.begin();
  for (let index = 0; index < length; index++) transaction.insert('edge', [index, index + 1]);
  transaction.commit();
  return store;
}

export function sorted(reader: RelationReader): string[] {
  return [...reader.rows()].map((row) => row.join()).sort();
}

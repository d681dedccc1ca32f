/** A store under another program: the same rows, whoever of the two goes on to change them. */

import { expect, it } from 'vitest';
import { unhurried } from '../base/ports.js';
import { loadProgram } from './program.js';
import type { FactStore } from './store.js';
import { artifact, atom, clause, INT, relation, rule } from './testing/ir.js';
import { newStore, sorted } from './testing/path-store.js';

const BACK = rule('back', [INT, INT], [clause(['x', 'y'], [atom('edge', 'y', 'x')])]);
const OTHER = loadProgram(
  artifact({ rules: [BACK], schema: { relations: [relation('edge', INT, INT), relation('flag')] } }),
);

/** Edges from 0 up to this number; those of before go. */
function replaceEdges(store: FactStore, count: number): void {
  const transaction = store.begin();
  transaction.deleteMatching('edge', [null, null]);
  for (let index = 0; index < count; index++) transaction.insert('edge', [index, count]);
  transaction.commit();
}

const edges = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index},${count}`).sort();
const back = (count: number): string[] => Array.from({ length: count }, (_, index) => `${count},${index}`).sort();

it('derives what its own program says', async () => {
  const store = newStore();
  replaceEdges(store, 3);
  const view = store.under(OTHER, store.interner).view();
  expect(sorted(view.stored('edge'))).toEqual(edges(3));
  expect(sorted(await view.materialise('back', unhurried))).toEqual(back(3));
  expect(view.program.relations.has('path')).toBe(false);
});

it('goes on by itself, while the rows of before are read on', async () => {
  const old = newStore();
  replaceEdges(old, 100);
  const store = old.under(OTHER, old.interner);
  const before = old.view();
  for (const count of [90, 80, 70, 2]) {
    replaceEdges(store, count);
    const view = store.view();
    expect(sorted(await view.materialise('back', unhurried))).toEqual(back(count));
    view.release();
    expect(sorted(before.stored('edge'))).toEqual(edges(100));
  }
  before.release();
  expect(sorted(old.view().stored('edge'))).toEqual(edges(100));
});

it('reads on what it was made of when the other one goes on', async () => {
  const store = newStore();
  replaceEdges(store, 100);
  const view = store.under(OTHER, store.interner).view();
  for (const count of [90, 80, 2]) {
    replaceEdges(store, count);
    store.view().release();
  }
  expect(sorted(await view.materialise('back', unhurried))).toEqual(back(100));
  view.release();
  replaceEdges(store, 3);
  store.view().release();
  expect(sorted(store.view().stored('edge'))).toEqual(edges(3));
});

it('takes its forks along, and what they were made of', async () => {
  const old = newStore();
  replaceEdges(old, 5);
  const fork = old.fork();
  replaceEdges(old, 4);
  const forkOfFork = fork.fork();
  replaceEdges(fork, 3);
  fork.close();
  const known = new Map<FactStore, FactStore>();
  const [main, above] = [old.under(OTHER, old.interner, known), forkOfFork.under(OTHER, old.interner, known)];
  replaceEdges(main, 2);
  expect(sorted(await above.view().materialise('back', unhurried))).toEqual(back(5));
  replaceEdges(above, 1);
  expect(sorted(await above.view().materialise('back', unhurried))).toEqual(back(1));
  expect(sorted(await main.view().materialise('back', unhurried))).toEqual(back(2));
  expect(sorted(forkOfFork.view().stored('edge'))).toEqual(edges(5));
});

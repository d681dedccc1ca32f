/** A store under another program, which shares its rows with the old store and changes independently. */

import { expect, it } from 'vitest';
import { noDeadline } from '../base/ports.js';
import { loadProgram } from './program/program.js';
import type { FactStore } from './store/store.js';
import { artifact, atom, clause, INT, relation, rule } from './testing/ir.js';
import { chainStore, newStore, pathProgram, sorted } from './testing/path-store.js';
import type { Transaction, View } from './types.js';

const BACK = rule('back', [INT, INT], [clause(['x', 'y'], [atom('edge', 'y', 'x')])]);
const OTHER = loadProgram(
  artifact({ rules: [BACK], schema: { relations: [relation('edge', INT, INT), relation('flag')] } }),
);

/** With different rules. */
const other = ({ interner }: FactStore) => ({ program: OTHER, interner, affected: () => true });
/** With the same rules. */
const same = ({ interner }: FactStore) => ({ program: pathProgram(), interner, affected: () => false });

/** For reading only, with values that are dropped with it. */
const guest = (store: FactStore, at: View) => ({ ...other(store), interner: store.interner.passing(), at });

/** Replaces the edges by edges from 0 up to this number. */
function replaceEdges(store: FactStore, count: number): void {
  const transaction = store.begin();
  transaction.deleteMatching('edge', [null, null]);
  for (let index = 0; index < count; index++) transaction.insert('edge', [index, count]);
  transaction.commit();
}

const edges = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index},${count}`).sort();
const back = (count: number): string[] => Array.from({ length: count }, (_, index) => `${count},${index}`).sort();

it('derives facts with the rules of the new program', async () => {
  const store = newStore();
  replaceEdges(store, 3);
  const view = store.under(other(store)).view();
  expect(sorted(view.stored('edge'))).toEqual(edges(3));
  expect(sorted(await view.materialise('back', noDeadline))).toEqual(back(3));
  expect(view.program.relations.has('path')).toBe(false);
});

it('changes independently while the old rows are read', async () => {
  const old = newStore();
  replaceEdges(old, 100);
  const store = old.under(other(old));
  const before = old.view();
  for (const count of [90, 80, 70, 2]) {
    replaceEdges(store, count);
    const view = store.view();
    expect(sorted(await view.materialise('back', noDeadline))).toEqual(back(count));
    view.release();
    expect(sorted(before.stored('edge'))).toEqual(edges(100));
  }
  before.release();
  expect(sorted(old.view().stored('edge'))).toEqual(edges(100));
});

it('keeps its rows when the old store changes', async () => {
  const store = newStore();
  replaceEdges(store, 100);
  const view = store.under(other(store)).view();
  for (const count of [90, 80, 2]) {
    replaceEdges(store, count);
    store.view().release();
  }
  expect(sorted(await view.materialise('back', noDeadline))).toEqual(back(100));
  view.release();
  replaceEdges(store, 3);
  store.view().release();
  expect(sorted(store.view().stored('edge'))).toEqual(edges(3));
});

it('supports forks and their parents', async () => {
  const old = newStore();
  replaceEdges(old, 5);
  const fork = old.fork();
  replaceEdges(old, 4);
  const forkOfFork = fork.fork();
  replaceEdges(fork, 3);
  fork.close();
  const known = new Map<FactStore, FactStore>();
  const [main, above] = [old.under(other(old), known), forkOfFork.under(other(old), known)];
  replaceEdges(main, 2);
  expect(sorted(await above.view().materialise('back', noDeadline))).toEqual(back(5));
  replaceEdges(above, 1);
  expect(sorted(await above.view().materialise('back', noDeadline))).toEqual(back(1));
  expect(sorted(await main.view().materialise('back', noDeadline))).toEqual(back(2));
  expect(sorted(forkOfFork.view().stored('edge'))).toEqual(edges(5));
});

/** The number of pairs along a chain of this many edges. */
const paths = (length: number): number => (length * (length + 1)) / 2;

async function sizeOfPath(store: FactStore): Promise<number> {
  const view = store.view();
  const { size } = await view.materialise('path', noDeadline);
  view.release();
  return size;
}

function removeEdge(store: FactStore, from: number): void {
  const transaction = store.begin();
  transaction.delete('edge', [from, from + 1]);
  transaction.commit();
}

it('shares derived facts of equal rules, and maintains them', async () => {
  const old = chainStore(60);
  const store = old.under(same(old));
  expect(store.view().knownSize('path')).toBeUndefined();
  expect(await sizeOfPath(old)).toBe(paths(60));
  const later = old.under(same(old));
  expect(later.view().knownSize('path')).toEqual({ size: paths(60), isCurrent: true });
  removeEdge(later, 59);
  expect(later.view().knownSize('path')).toEqual({ size: paths(60), isCurrent: false });
  expect(await sizeOfPath(later)).toBe(paths(59));
  expect(await sizeOfPath(old)).toBe(paths(60));
});

it('keeps derived facts for a reader of the old store while the new one deletes them', async () => {
  const old = chainStore(60, { maintenanceCostMin: 1e9 });
  await sizeOfPath(old);
  const store = old.under(same(old));
  const view = old.view();
  const read = await view.materialise('path', noDeadline);
  const before = sorted(read);
  for (let from = 59; from >= 10; from--) {
    removeEdge(store, from);
    expect(await sizeOfPath(store)).toBe(paths(from));
    expect(sorted(read)).toEqual(before);
  }
  view.release();
});

it('keeps deleted rows of a fork for a reader that uses an index', async () => {
  const old = newStore({ maintenanceCostMin: 0 }).fork();
  const write = (to: FactStore, change: (transaction: Transaction) => void) => {
    const transaction = to.begin();
    change(transaction);
    transaction.commit();
  };
  write(old, (transaction) => {
    for (let node = 1; node <= 100; node++) transaction.insert('edge', [0, node]);
  });
  const before = old.view();
  const store = old.under(same(old));
  await sizeOfPath(store);
  for (let node = 1; node <= 100; node++) {
    write(store, (transaction) => transaction.delete('edge', [0, node]));
    await sizeOfPath(store);
  }
  expect([...before.stored('edge').match([0, null])].length).toBe(100);
});

it('keeps facts that are read when the old view is released before a write rolls back', async () => {
  const old = chainStore(60, { maintenanceCostMin: 1e9 });
  const last = old.view();
  await last.materialise('path', noDeadline);
  const store = old.under(same(old));
  removeEdge(store, 59);
  const view = store.view();
  const reader = await view.materialise('path', noDeadline);
  const writer = store.begin();
  writer.delete('edge', [58, 59]);
  await writer.view.materialise('path', noDeadline);
  last.release();
  writer.rollback();
  expect(sorted(reader).length).toBe(paths(59));
});

it('shares the derived facts of a fork and of its parent', async () => {
  const old = chainStore(60);
  await sizeOfPath(old);
  const fork = old.fork();
  removeEdge(fork, 50);
  const [above, below] = [paths(50) + paths(9), paths(60)];
  expect(await sizeOfPath(fork)).toBe(above);
  const stores = new Map<FactStore, FactStore>();
  const [main, carried] = [old.under(same(old), stores), fork.under(same(old), stores)];
  expect(carried.view().knownSize('path')).toEqual({ size: above, isCurrent: true });
  removeEdge(main, 59);
  removeEdge(carried, 0);
  expect(await sizeOfPath(main)).toBe(paths(59));
  expect(await sizeOfPath(carried)).toBe(paths(49) + paths(9));
  expect([await sizeOfPath(old), await sizeOfPath(fork)]).toEqual([below, above]);
});

it('reads as a guest of a store that is being written', async () => {
  const host = newStore();
  replaceEdges(host, 100);
  const held = host.view();
  const writer = host.begin();
  writer.deleteMatching('edge', [null, null]);
  const view = host.under(guest(host, held)).view();
  expect(sorted(await view.materialise('back', noDeadline))).toEqual(back(100));
  writer.commit();
  expect(sorted(await host.under(guest(host, held)).view().materialise('back', noDeadline))).toEqual(back(100));
  for (const count of [90, 2]) {
    replaceEdges(host, count);
    host.view().release();
  }
  expect(sorted(view.stored('edge'))).toEqual(edges(100));
  view.release();
  held.release();
  expect(sorted(host.view().stored('edge'))).toEqual(edges(2));
});

it('has the derived facts of its host as a guest, and derives no more for it', async () => {
  const host = chainStore(60, { maintenanceCostMin: 1e9 });
  await sizeOfPath(host);
  const held = host.view();
  const first = host.under({ ...guest(host, held), ...same(host) });
  expect(first.view().knownSize('path')).toEqual({ size: paths(60), isCurrent: true });
  removeEdge(host, 59);
  const later = host.view();
  const second = host.under({ ...guest(host, later), ...same(host) });
  expect(await sizeOfPath(second)).toBe(paths(59));
  expect(host.view().knownSize('path')).toEqual({ size: paths(60), isCurrent: false });
  expect(await sizeOfPath(host)).toBe(paths(59));
  expect(await sizeOfPath(first)).toBe(paths(60));
  expect(await sizeOfPath(host.under({ ...guest(host, held), ...same(host) }))).toBe(paths(60));
  held.release();
  later.release();
});

/** Work in progress sees nothing of what others do meanwhile, wherever it pauses. */

import { describe, expect, it } from 'vitest';
import { noDeadline } from '../base/ports.js';
import { SteppedWork } from '../base/testing/stepped-work.js';
import { loadProgram } from './program/program.js';
import { FactStore } from './store/store.js';
import { artifact, atom, clause, INT, relation, rule } from './testing/ir.js';
import { sorted } from './testing/path-store.js';
import type { Transaction } from './types.js';
import { Interner } from './values/codec.js';

const PAIR = [INT, INT];
const PROGRAM = loadProgram(
  artifact({
    rules: [
      rule('copy', PAIR, [clause(['x', 'y'], [atom('edge', 'x', 'y')])]),
      rule('marked', PAIR, [clause(['x', 'y'], [atom('mark', 'x'), atom('edge', 'x', 'y')])]),
      rule('markedCopy', PAIR, [clause(['x', 'y'], [atom('mark', 'x'), atom('copy', 'x', 'y')])]),
    ],
    schema: { relations: [relation('edge', INT, INT), relation('mark', INT)] },
  }),
);

/** An edge from each of so many nodes to 0. */
function edges(count: number): FactStore {
  const store = new FactStore(PROGRAM, new Interner(PROGRAM));
  commit(store, (transaction) => {
    for (let from = 0; from < count; from++) transaction.insert('edge', [from, 0]);
  });
  return store;
}

function commit(store: FactStore, work: (transaction: Transaction) => void): void {
  const transaction = store.begin();
  work(transaction);
  transaction.commit();
}

/** What a reader of the present state sees that pauses once, at the given checkpoint. */
async function paused(
  store: FactStore,
  path: string,
  checkpoints: number,
  meanwhile: () => Promise<void>,
): Promise<readonly string[]> {
  const view = store.view();
  let told: readonly string[] = [];
  const reading = new SteppedWork(async (deadline) => {
    told = sorted(await view.materialise(path, deadline));
  });
  await reading.advance(checkpoints);
  await meanwhile();
  await reading.finish();
  view.release();
  return told;
}

const CHECKPOINTS = [6, 5, 4, 3, 2, 1, 0];

describe('a reader that pauses', () => {
  it.each(CHECKPOINTS)(
    'at %d, while it makes an index, sees no fact that is added meanwhile and taken back',
    async (checkpoints) => {
      const store = edges(40_000);
      commit(store, (transaction) => transaction.insert('mark', [1]));
      const told = await paused(store, 'marked', checkpoints, async () => {
        const transaction = store.begin();
        transaction.insert('edge', [1, 7]);
        transaction.rollback();
      });
      expect(told).toEqual(['1,0']);
    },
  );

  it.each(CHECKPOINTS)('at %d, while it maintains, reads what is derived as it was', async (checkpoints) => {
    const count = 1024;
    const store = edges(count + 1);
    commit(store, (transaction) => {
      for (let node = 0; node < count; node++) transaction.insert('mark', [node]);
    });
    await store.view().materialise('markedCopy', noDeadline);
    commit(store, (transaction) => transaction.insert('mark', [count]));
    const told = await paused(store, 'markedCopy', checkpoints, async () => {
      commit(store, (transaction) => transaction.insert('edge', [count, 7]));
      await store.view().materialise('copy', noDeadline);
    });
    expect(told.filter((fact) => fact.startsWith(`${count},`))).toEqual([`${count},0`]);
  });
});

/** Work in progress sees no concurrent changes, wherever it pauses. */

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

/** An edge to 0 from each of this many nodes. */
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

/** The facts that a reader of the current state sees if it pauses once, at the given checkpoint. */
async function paused(
  store: FactStore,
  path: string,
  checkpoints: number,
  meanwhile: () => Promise<void>,
): Promise<readonly string[]> {
  const view = store.view();
  let facts: readonly string[] = [];
  const reading = new SteppedWork(async (deadline) => {
    facts = sorted(await view.materialise(path, deadline));
  });
  await reading.advance(checkpoints);
  await meanwhile();
  await reading.finish();
  view.release();
  return facts;
}

const CHECKPOINTS = [6, 5, 4, 3, 2, 1, 0];

describe('a paused reader', () => {
  it.each(CHECKPOINTS)(
    'sees no rolled-back fact if it pauses at checkpoint %d while it builds an index',
    async (checkpoints) => {
      const store = edges(40_000);
      commit(store, (transaction) => transaction.insert('mark', [1]));
      const facts = await paused(store, 'marked', checkpoints, async () => {
        const transaction = store.begin();
        transaction.insert('edge', [1, 7]);
        transaction.rollback();
      });
      expect(facts).toEqual(['1,0']);
    },
  );

  it.each(CHECKPOINTS)(
    'sees no later derived facts if it pauses at checkpoint %d while it maintains',
    async (checkpoints) => {
      const count = 1024;
      const store = edges(count + 1);
      commit(store, (transaction) => {
        for (let node = 0; node < count; node++) transaction.insert('mark', [node]);
      });
      await store.view().materialise('markedCopy', noDeadline);
      commit(store, (transaction) => transaction.insert('mark', [count]));
      const facts = await paused(store, 'markedCopy', checkpoints, async () => {
        commit(store, (transaction) => transaction.insert('edge', [count, 7]));
        await store.view().materialise('copy', noDeadline);
      });
      expect(facts.filter((fact) => fact.startsWith(`${count},`))).toEqual([`${count},0`]);
    },
  );
});

/** Explanations under a replaced module: its facts at that time, its rules, and its texts. */

import { expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { FRAME, failureOf, startWorld } from '../testing/start-world.js';

const BASE = `module roads
pub concept Town { name: Text }
pub relation road(from: Town, to: Town)
pub relation closed(town: Town)
pub individual ada: Town { name: "Ada" }
pub individual bel: Town { name: "Bel" }
pub mutation found(name: Text) -> Town { return insert Town { name: name } }
pub mutation build(from: Town, to: Town) { insert road(from, to) }
pub mutation raze(from: Town, to: Town) { delete road(from, to) }
fact closed(@bel)
`;
const TRANSITIVE = `pub derive reach(a: Town, b: Town) when road(a, b), closed(b)
pub derive reach(a: Town, c: Town) when reach(a, b), reach(b, c)
`;

async function replaced() {
  const text = BASE + TRANSITIVE;
  const world = await startWorld(text);
  await world.load(text, { sources: [{ file: 'test0.entail', text }] });
  await world.mutate('roads::found', { name: 'Cor' });
  await world.mutate('roads::build', { from: '#i1', to: '@ada' });
  const { txn } = await world.mutate('roads::build', { from: '#i1', to: '@bel' });
  const { moduleHash } = world.runtime;
  await world.load(`${BASE}pub individual aaron: Town { name: "Aaron" }\n`);
  const explain = async (wish: { moduleHash: string; before?: number }) =>
    (await world.runtime.enter(FRAME)).explain('roads::reach', ['#i1', '@roads::bel'], noDeadline, wish);
  return { world, moduleHash, txn: txn ?? 0, explain };
}

it('proves a fact that a reload ended, with the previous rules, their sources, declared facts and events', async () => {
  const { moduleHash, explain, txn } = await replaced();
  const answer = await explain({ moduleHash });
  expect(answer).toMatchObject({
    holds: true,
    proof: {
      rule: { path: 'roads::reach', clause: 0 },
      premises: [
        { kind: 'stored', event: { txn } },
        { kind: 'declared', relation: 'roads::closed' },
      ],
    },
    names: { '#i1': 'Cor' },
    rules: { moduleHash, sources: [{ file: 'test0.entail', text: BASE + TRANSITIVE }] },
  });
});

it('ignores writes after the reload, and explains an earlier state', async () => {
  const { world, moduleHash, explain, txn } = await replaced();
  await world.mutate('roads::raze', { from: '#i1', to: '@bel' });
  expect(await explain({ moduleHash })).toMatchObject({ holds: true });
  expect(await explain({ moduleHash, before: txn })).toMatchObject({ holds: false });
});

it('accepts only the last replaced module, and none with renamed declarations', async () => {
  const { world, moduleHash, explain } = await replaced();
  await world.load(BASE + TRANSITIVE);
  expect(await failureOf(explain({ moduleHash: 'other' }))).toMatchObject({ code: 'SVC_RUNTIME_VALIDATION_FAILED' });
  expect((await explain({ moduleHash })).rules).toBeUndefined();
  await world.load((BASE + TRANSITIVE).replaceAll('road(', 'street('), {
    renames: [{ from: 'roads::road', to: 'roads::street' }],
  });
  expect(await failureOf(explain({ moduleHash }))).toMatchObject({ code: 'SVC_RUNTIME_VALIDATION_FAILED' });
});

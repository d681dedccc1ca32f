/** What the check of a history finds. */

import { expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { compile } from '../../compiler/index.js';
import type { EventStore, TransactionPart } from '../../storage/event-store.js';
import { FRAME, startWorld } from '../testing/start-world.js';
import { programOf } from '../wire/artifact-program.js';
import { checkScope, type ScopeReport } from './check-scope.js';

const GRAPH = `module g
pub concept Node { name: Text }
pub relation link(a: Node, b: Node)
pub derive reach(a: Node, c: Node) when link(a, c)
pub derive reach(a: Node, c: Node) when reach(a, b), link(b, c)
pub derive last(n: Node) when Node(n), not link(n, _)
pub mutation add(name: Text) -> Node { return insert Node { name: name } }
pub mutation connect(a: Node, b: Node) { insert link(a, b) }
pub mutation disconnect(a: Node, b: Node) { delete link(a, b) }
`;

it('finds nothing in a sound history, whose derived facts it follows in each fork', async () => {
  const store = await written();
  const report = await checked(store);
  expect(report).toMatchObject({ hidden: { count: 0 }, differences: [], faults: [] });
  expect(report.facts).toBeGreaterThan(30);
});

it('counts events about individuals that do not exist', async () => {
  const store = await written();
  const report = await checked(store, (part) => (part.txn === 1 ? { ...part, events: part.events.slice(1) } : part));
  expect(report.hidden).toEqual({ count: 2, example: 'g::Node.name(#i1, "a")' });
});

it('names the relations whose facts differ after the changes', async () => {
  const store = await written();
  let reads = 0;
  const report = await checked(store, (part) => {
    const isFollowed = part.txn === 5 && ++reads > 1;
    return isFollowed ? { ...part, events: [] } : part;
  });
  expect(report.differences.filter(({ fork }) => fork === 'main')).toEqual([
    { fork: 'main', relation: 'g::link', missing: 1, surplus: 0 },
    { fork: 'main', relation: 'g::last', missing: 0, surplus: 1 },
    { fork: 'main', relation: 'g::reach', missing: 3, surplus: 0 },
  ]);
});

/** A chain of four nodes, and a fork without its last link. */
async function written(): Promise<EventStore> {
  const world = await startWorld(GRAPH);
  for (const name of ['a', 'b', 'c', 'd']) await world.mutate('g::add', { name });
  for (const [a, b] of [
    ['#i1', '#i2'],
    ['#i2', '#i3'],
    ['#i3', '#i4'],
  ])
    await world.mutate('g::connect', { a: a as string, b: b as string });
  const session = await world.runtime.enter(FRAME);
  await session.createFork({ id: 'cut' });
  const cut = await world.runtime.enter({ ...FRAME, forks: [{ from: 'path', fork: 'cut' }] });
  await cut.mutate('g::disconnect', { a: '#i3', b: '#i4' }, { dryRun: false, granted: [] }, noDeadline);
  return world.store;
}

function program() {
  const { artifact } = compile([{ file: 'g.entail', text: GRAPH }]);
  if (artifact === undefined) throw new Error('expected an artifact');
  return programOf(artifact);
}

async function checked(
  store: EventStore,
  change: (part: TransactionPart) => TransactionPart = (part) => part,
): Promise<ScopeReport> {
  const [record] = await store.scopes();
  const changed = {
    forks: (scopeId: string) => store.forks(scopeId),
    lastNumbers: (scopeId: string) => store.lastNumbers(scopeId),
    async *read(...where: Parameters<EventStore['read']>) {
      for await (const part of store.read(...where)) yield change(part);
    },
  };
  return checkScope(program(), changed, record ?? { scopeId: '', tenant: '' }, { factsPerRule: 1e6 }, noDeadline);
}

/** When states are saved, and what is in them. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import type { EventStore } from '../../storage/event-store.js';
import { openSqlJsStore } from '../../storage/index.js';
import { rememberingLog } from '../../storage/testing/histories.js';
import type { Runtime } from '../contract/runtime.js';
import { changedStore } from '../testing/changed-store.js';
import { enter } from '../testing/firm.js';
import { ALL, FRAME, startWorld, type TestWorld } from '../testing/start-world.js';
import { savedStateOf } from './saved-state.js';
import type { Session } from './session.js';

const MODULE = `module office
pub concept Person { name: Text }
pub relation seat(no: Int, floor: Int)
pub query floors(no: Int) -> [Int] { select f where seat(no, f) }
pub query people() -> [Text] { select p.name where Person(p) order by p.name }
pub mutation hire(name: Text) -> Person { return insert Person { name: name } }
pub mutation dismiss(p: Person) { delete p }
pub mutation erase(p: Person) { forget p }
pub mutation furnish(from: Int, to: Int) { for n in (range(from, to)) { insert seat(n, n) } }
`.replace('(range(from, to))', '(select n where upTo(n), n >= from, n < to)');
const NUMBERS = `pub relation next(n: Int, m: Int)
fact next(0, 1)
pub derive upTo(n: Int) when next(n, _)
pub derive upTo(m: Int) when upTo(n), n < 12000, let m = n + 1
`;

let directory: string;
const log = rememberingLog();
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'entail-state-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const openStore = () => openSqlJsStore({ directory, log });
const open = async (store: EventStore) => startWorld(`${MODULE}${NUMBERS}`, { store });
const states = async () => (await readdir(directory)).filter((name) => name.startsWith('state-'));

/** Counts the transactions that are read. */
function counting(store: EventStore): { readonly store: EventStore; readonly read: () => number } {
  let count = 0;
  async function* read(...args: Parameters<EventStore['read']>): ReturnType<EventStore['read']> {
    for await (const part of store.read(...args)) {
      count += 1;
      yield part;
    }
  }
  return { store: changedStore(store, { read }), read: () => count };
}

it('saves a state when the runtime closes, and opens from it and the history since', async () => {
  const world = await open(await openStore());
  await world.mutate('office::furnish', { from: 0, to: 5_000 });
  await world.mutate('office::hire', { name: 'Ada' });
  await world.runtime.close();
  expect(await states(), 'a short history is not worth it').toEqual([]);

  const longer = await open(await openStore());
  await longer.mutate('office::furnish', { from: 5_000, to: 11_000 });
  await longer.runtime.close();
  expect(await states()).toHaveLength(1);

  const counted = counting(await openStore());
  const again = await open(counted.store);
  expect(await again.query('office::floors', { no: 10_999 })).toEqual([10_999]);
  expect(counted.read()).toBe(0);
  await again.mutate('office::hire', { name: 'Bel' });
  await again.runtime.close();
  const last = counting(await openStore());
  const opened = await open(last.store);
  expect(await opened.query('office::people')).toEqual(['Ada', 'Bel']);
  expect(last.read()).toBe(1);
  await opened.runtime.close();
});

it('opens forks from the state of main, which they see as of their creation, and what they have written', async () => {
  const world = await open(await openStore());
  await world.mutate('office::furnish', { from: 0, to: 5_000 });
  await world.mutate('office::hire', { name: 'Ada' });
  await (await world.runtime.enter(FRAME)).createFork({ id: 'what-if' });
  const fork = await enter(world, 'what-if');
  await world.mutate('office::dismiss', { p: '#i1' });
  await world.mutate('office::hire', { name: 'Bel' });
  await fork.mutate('office::hire', { name: 'Cleo' }, { dryRun: false, granted: [] }, noDeadline);
  await world.mutate('office::furnish', { from: 5_000, to: 11_000 });
  await world.runtime.close();
  expect(await states()).toHaveLength(1);

  const counted = counting(await openStore());
  const again = await open(counted.store);
  expect(await again.query('office::people')).toEqual(['Bel']);
  const people = await (await enter(again, 'what-if')).query('office::people', {}, ALL, noDeadline);
  expect(people.result).toEqual(['Ada', 'Cleo']);
  expect(counted.read(), 'the transaction of the fork').toBe(1);
  await again.runtime.close();
});

it('saves the state of a scope that only a reload has opened', async () => {
  const world = await open(await openStore());
  await world.mutate('office::furnish', { from: 0, to: 5_000 });
  await world.mutate('office::furnish', { from: 5_000, to: 11_000 });
  await world.runtime.close();
  for (const name of await states()) await rm(join(directory, name));
  const again = await open(await openStore());
  await again.load(`${MODULE}${NUMBERS}pub derive ground(no: Int) when seat(no, 1)\n`);
  await again.runtime.close();
  expect(await states()).toHaveLength(1);
});

it('saves no values of forgotten individuals', async () => {
  const world = await open(await openStore());
  await world.mutate('office::hire', { name: 'Ada' });
  await world.mutate('office::hire', { name: 'Secret' });
  expect(await savedText(world)).toContain('Secret');
  await world.mutate('office::erase', { p: '#i2' });
  expect(await savedText(world)).not.toContain('Secret');
  expect(await savedText(world)).toContain('Ada');
  await world.runtime.close();
});

async function savedText({ runtime }: TestWorld): Promise<string> {
  const plain = Object.getPrototypeOf(runtime) as Runtime<Session>;
  const { scope } = await plain.enter(FRAME);
  const headers: unknown[] = [];
  for await (const { header } of savedStateOf(scope, noDeadline).parts) headers.push(header);
  return JSON.stringify(headers);
}

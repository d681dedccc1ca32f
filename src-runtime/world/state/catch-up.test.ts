/** What other servers have written, read from a shared PostgreSQL, where one is installed. */

import { expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import type { Entry, EventStore, SharedStore } from '../../storage/event-store.js';
import { openPostgresStore } from '../../storage/postgres/postgres-store.js';
import { testDatabase } from '../../storage/testing/postgres.js';
import { programs } from '../../storage/testing/postgres-cluster.js';
import { changedStore } from '../testing/changed-store.js';
import { ALL, FRAME, startWorld } from '../testing/start-world.js';

const SHOP = `module shop
context tenantId: Text?
pub concept Item { name: Text unique }
pub mutation addBoth() { insert Item { name: "a" } insert Item { name: "b" } }
pub query names() -> [Text] { select i.name where Item(i) order by i.name }
`;

it.runIf(programs)('counts a long transaction once if the database fails between its parts', async () => {
  const database = await testDatabase();
  const open = async () => {
    const store = await openPostgresStore({ url: database.url, log: { info: () => {}, warn: () => {} } });
    return store as EventStore & { readonly shared: SharedStore };
  };
  const [ones, others] = [await open(), await open()];
  let isBroken = false;
  const shared: SharedStore = {
    ...others.shared,
    entriesAfter: async function* (...args) {
      for await (const entry of others.shared.entriesAfter(...args)) {
        if (entry.kind !== 'transaction') yield entry;
        else {
          const [first, second] = halves(entry);
          yield first;
          if (isBroken) throw new Error('broken');
          yield second;
        }
      }
    },
  };
  const one = await startWorld(SHOP, { store: ones });
  const other = await startWorld(SHOP, { store: changedStore(others, { shared }) });
  const forks = async ({ runtime }: typeof one) => (await (await runtime.enter(FRAME)).forks(ALL, noDeadline)).result;
  const before = await forks(other);
  await one.mutate('shop::addBoth');
  isBroken = true;
  await expect(other.query('shop::names')).rejects.toThrow();
  isBroken = false;
  expect(await other.query('shop::names')).toEqual(['a', 'b']);
  expect(await forks(other)).toEqual(await forks(one));
  expect(await forks(other)).not.toEqual(before);
  await ones.close();
  await others.close();
});

function halves(entry: Entry & { readonly kind: 'transaction' }): [Entry, Entry] {
  const { part } = entry;
  return [
    { ...entry, part: { ...part, events: part.events.slice(0, 1), isLast: false } },
    { ...entry, part: { ...part, events: part.events.slice(1) } },
  ];
}

/** Deploying a module to servers that share a PostgreSQL, where one is installed. */

import { afterEach, describe, expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import type { EventStore, SharedStore } from '../../storage/event-store.js';
import { openPostgresStore } from '../../storage/postgres/postgres-store.js';
import { type TestDatabase, testDatabase } from '../../storage/testing/postgres.js';
import { programs } from '../../storage/testing/postgres-cluster.js';
import { changedStore } from '../testing/changed-store.js';
import { ALL, FRAME, startWorld, type TestWorld } from '../testing/start-world.js';

const SHOP = `module shop
context tenantId: Text?
pub concept Item { name: Text unique }
pub mutation add(name: Text) { insert Item { name: name } }
pub query names() -> [Text] { select i.name where Item(i) order by i.name }
`;

describe.runIf(programs)('a deployment', () => {
  const opened: EventStore[] = [];
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  const open = async ({ url }: TestDatabase) => {
    const store = await openPostgresStore({ url, log: { info: () => {}, warn: () => {} } });
    opened.push(store);
    return store as EventStore & { readonly shared: SharedStore };
  };

  it('locks the facts after two checks during which others wrote, and has what they wrote', async () => {
    const database = await testDatabase();
    const other = await startWorld(SHOP, { store: await open(database) });
    const store = await open(database);
    let writes = 0;
    const write = async () => other.mutate('shop::add', { name: `item ${++writes}` });
    const shared: SharedStore = {
      ...store.shared,
      deploy: async (...args) => {
        await write();
        return await store.shared.deploy(...args);
      },
      lockScopes: async () => {
        await write();
        return await store.shared.lockScopes();
      },
    };
    const one = await startWorld(SHOP, { store: changedStore(store, { shared }) });
    await write();
    await one.load(`${SHOP}pub query size() -> Int { value count(for i where Item(i)) }`);
    expect([writes, await one.query('shop::size')]).toEqual([4, 4]);
    await other.runtime.followOthers();
    expect(await other.query('shop::size')).toBe(4);
    await write();
    expect(await one.query('shop::names')).toEqual([1, 2, 3, 4, 5].map((n) => `item ${n}`));
  });

  it('that renames is checked against what others have written meanwhile', async () => {
    const dropping = `${SHOP}pub mutation drop() { for i in (select x where Item(x)) { delete i } }`;
    const database = await testDatabase();
    const other = await startWorld(dropping, { store: await open(database) });
    const store = await open(database);
    let meanwhile = async () => {};
    const shared: SharedStore = {
      ...store.shared,
      positions: async (scopeIds) => {
        const positions = await store.shared.positions(scopeIds);
        await meanwhile();
        return positions;
      },
    };
    const one = await startWorld(dropping, { store: changedStore(store, { shared }) });
    await other.mutate('shop::add', { name: 'first' });
    expect(await one.query('shop::names')).toEqual(['first']);
    meanwhile = async () => {
      meanwhile = async () => {};
      await other.mutate('shop::drop');
      await other.mutate('shop::add', { name: 'second' });
    };
    const renames = [{ from: 'shop::Item', to: 'shop::Thing' }];
    await one.load(dropping.replaceAll('Item', 'Thing'), { renames });
    expect([await one.query('shop::names'), await other.query('shop::names')]).toEqual([['second'], ['second']]);
  });

  it('that renames lets a write run again that has read the history under both names', async () => {
    const database = await testDatabase();
    const one = await startWorld(SHOP, { store: await open(database) });
    const store = await open(database);
    let meanwhile = async () => {};
    const reading = changedStore(store, {
      async *read(...args) {
        await meanwhile();
        yield* store.read(...args);
      },
    });
    const other = await startWorld(SHOP, { store: reading });
    await one.mutate('shop::add', { name: 'first' });
    const session = await other.runtime.enter(FRAME);
    meanwhile = async () => {
      meanwhile = async () => {};
      await one.load(SHOP.replaceAll('Item', 'Thing'), { renames: [{ from: 'shop::Item', to: 'shop::Thing' }] });
    };
    expect((await session.pick({ from: 'main', txn: 1, dryRun: false }, noDeadline)).txn).toBeNull();
    expect(await other.query('shop::names')).toEqual(['first']);
  });

  it('that renames lets a read of the past run again that has not replayed it yet', async () => {
    const database = await testDatabase();
    const one = await startWorld(SHOP, { store: await open(database) });
    const other = await startWorld(SHOP, { store: await open(database) });
    await one.mutate('shop::add', { name: 'first' });
    await one.mutate('shop::add', { name: 'second' });
    const past = await other.runtime.enter({ ...FRAME, asOf: { kind: 'transaction', txn: 1 } });
    await one.load(SHOP.replaceAll('Item', 'Thing'), { renames: [{ from: 'shop::Item', to: 'shop::Thing' }] });
    expect((await past.query('shop::names', {}, ALL, noDeadline)).result).toEqual(['first']);
  });

  it('is followed without reading the history of open scopes again, unless it was rewritten', async () => {
    const database = await testDatabase();
    const one = await startWorld(SHOP, { store: await open(database) });
    const store = await open(database);
    let openings = 0;
    const counting = changedStore(store, {
      opening: (...args) => {
        openings += 1;
        return store.opening(...args);
      },
    });
    const other = await startWorld(SHOP, { store: counting });
    await one.mutate('shop::add', { name: 'first' });
    expect(await other.query('shop::names')).toEqual(['first']);
    await one.mutate('shop::add', { name: 'second' });
    const sized = `${SHOP}pub query size() -> Int { value count(for i where Item(i)) }`;
    await one.load(sized);
    await one.mutate('shop::add', { name: 'third' });
    openings = 0;
    await other.runtime.followOthers();
    expect([await other.query('shop::size'), await other.query('shop::names'), openings]).toEqual([
      3,
      ['first', 'second', 'third'],
      0,
    ]);
    await other.mutate('shop::add', { name: 'fourth' });
    await one.load(sized.replaceAll('Item', 'Thing'), { renames: [{ from: 'shop::Item', to: 'shop::Thing' }] });
    expect([await other.query('shop::size'), await one.query('shop::size'), openings]).toEqual([4, 4, 1]);
  });

  it('keeps followers of a scope whose history was rewritten meanwhile', async () => {
    const erasing = `${SHOP}pub mutation erase() { for i in (select x where Item(x)) { forget i } }`;
    const database = await testDatabase();
    const one = await startWorld(erasing, { store: await open(database) });
    const store = await open(database);
    let held: Promise<void> | undefined;
    let [isOpened, isFollowing] = [false, false];
    const shared: SharedStore = {
      ...store.shared,
      deployment: async (id) => {
        const deployment = await store.shared.deployment(id);
        // By then the caller waits for the writers of what is open.
        setImmediate(() => {
          isFollowing = true;
        });
        return deployment;
      },
    };
    const holding = changedStore(store, {
      shared,
      opening: async (...args) => {
        const opened = await store.opening(...args);
        isOpened = true;
        await held;
        return opened;
      },
    });
    const other = await startWorld(erasing, { store: holding });
    await one.mutate('shop::add', { name: 'first' });
    const follower = await followerOf(other);
    await one.mutate('shop::erase');
    let release = (): void => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    isOpened = false;
    const query = other.query('shop::names');
    await expect.poll(() => isOpened).toBe(true);
    await one.load(`${erasing}pub query size() -> Int { value count(for i where Item(i)) }`);
    isFollowing = false;
    const following = other.runtime.followOthers();
    await expect.poll(() => isFollowing).toBe(true);
    release();
    await Promise.all([query, following]);
    await one.mutate('shop::add', { name: 'second' });
    await other.runtime.followOthers();
    expect((await follower.seen()).slice(-2)).toEqual(['insertIndividual', 'setField']);
  });

  it('keeps followers of a scope that a request opens again while a module is checked', async () => {
    const erasing = `${SHOP}pub mutation erase() { for i in (select x where Item(x)) { forget i } }`;
    const database = await testDatabase();
    const one = await startWorld(erasing, { store: await open(database) });
    const store = await open(database);
    let held: Promise<void> | undefined;
    let [openings, questions] = [0, 0];
    const shared: SharedStore = {
      ...store.shared,
      positions: async (scopeIds) => {
        const positions = await store.shared.positions(scopeIds);
        // By then the caller waits for its turn to write.
        setImmediate(() => {
          questions += 1;
        });
        return positions;
      },
    };
    const holding = changedStore(store, {
      shared,
      opening: async (...args) => {
        const opened = await store.opening(...args);
        openings += 1;
        await held;
        return opened;
      },
    });
    const other = await startWorld(erasing, { store: holding });
    await one.mutate('shop::add', { name: 'first' });
    const follower = await followerOf(other);
    await one.mutate('shop::erase');
    let release = (): void => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    [openings, questions] = [0, 0];
    const query = other.query('shop::names');
    await expect.poll(() => openings).toBe(1);
    const loading = other.load(`${erasing}pub query size() -> Int { value count(for i where Item(i)) }`);
    await expect.poll(() => questions).toBe(2);
    release();
    await Promise.all([query, loading]);
    await one.mutate('shop::add', { name: 'second' });
    await other.runtime.followOthers();
    expect((await follower.seen()).slice(-2)).toEqual(['insertIndividual', 'setField']);
  });

  it('is followed by a preview on another server', async () => {
    const database = await testDatabase();
    const one = await startWorld(SHOP, { store: await open(database) });
    const other = await startWorld(SHOP, { store: await open(database) });
    await one.mutate('shop::add', { name: 'first' });
    expect(await other.query('shop::names')).toEqual(['first']);
    await one.load(SHOP.replaceAll('Item', 'Thing'), { renames: [{ from: 'shop::Item', to: 'shop::Thing' }] });
    const again = { from: 'shop::Thing', to: 'shop::Part' };
    expect(await other.preview(SHOP.replaceAll('Item', 'Part'), [again])).toMatchObject({
      renames: [{ ...again, facts: 1 }],
    });
  });

  it('shows followers of all tenants what a preview has read of other servers', async () => {
    const database = await testDatabase();
    const one = await startWorld(SHOP, { store: await open(database) });
    const other = await startWorld(SHOP, { store: await open(database) });
    const frame = { ...FRAME, headerContext: { tenantId: 'a' } };
    const feed = await (await one.runtime.enter(frame)).follow(undefined);
    let calls = 0;
    const stop = feed.onWrite(() => {
      calls += 1;
    });
    const session = await other.runtime.enter(frame);
    await session.mutate('shop::add', { name: 'first' }, { dryRun: false, granted: [] }, noDeadline);
    await one.preview(SHOP);
    expect(calls).toBeGreaterThan(0);
    const seen: unknown[] = [];
    for await (const batch of feed.unread()) seen.push(...batch);
    expect(seen).toHaveLength(2);
    stop();
  });
});

/** Follows the scope from its first event. `seen` ends it and has the kinds of its events. */
async function followerOf({ runtime }: TestWorld): Promise<{ seen(): Promise<readonly string[]> }> {
  const feed = await (await runtime.enter(FRAME)).follow(0);
  const kinds: string[] = [];
  const reading: Promise<void>[] = [];
  const drain = async () => {
    for await (const batch of feed.unread()) kinds.push(...batch.map(({ kind }) => kind));
  };
  const stop = feed.onWrite(() => void reading.push(drain()));
  return {
    async seen() {
      await Promise.all(reading);
      stop();
      return kinds;
    },
  };
}

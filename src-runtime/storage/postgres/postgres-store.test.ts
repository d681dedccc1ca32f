/** What only the store of several servers promises, on a real PostgreSQL where one is installed. */

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runs } from '../../base/testing/property-runs.js';
import type { Entry, EventStore, Position, SharedStore } from '../event-store.js';
import { type CuttingProxy, cuttingProxy } from '../testing/cutting-proxy.js';
import {
  closing,
  forgetting,
  forkRecord,
  history,
  longTransaction,
  rememberingLog,
  SCOPE,
  scopeRecord,
  transaction,
} from '../testing/histories.js';
import { type TestDatabase, testDatabase } from '../testing/postgres.js';
import { programs } from '../testing/postgres-cluster.js';
import { openPostgresStore } from './postgres-store.js';

/** Of a store for several servers. */
type Store = EventStore & { readonly shared: SharedStore };

const START: Position = { version: 0, epoch: 0, deployment: 0 };
const AT = '2026-01-02T03:04:05.678Z';
const behind = expect.objectContaining({ name: 'ScopeBehind' });

describe.runIf(programs)('two servers on PostgreSQL', () => {
  let database: TestDatabase;
  let [one, other] = [] as unknown as [Store, Store];
  const opened: EventStore[] = [];

  const open = async (url = database.url, unknownAfterMs?: number): Promise<Store> => {
    const store = await openPostgresStore({ url, log: rememberingLog(), unknownAfterMs });
    opened.push(store);
    return store as Store;
  };

  beforeEach(async () => {
    database = await testDatabase();
    [one, other] = [await open(), await open()];
    await one.createScope(scopeRecord);
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  const at = async (store = one, scopeId: string = SCOPE) => (await store.shared.positions([scopeId])).get(scopeId);

  it('learn what the other wrote after a version, in order', async () => {
    await one.append(SCOPE, [transaction(1)]);
    await one.createFork(SCOPE, forkRecord(2), transaction(3, 'what-if'));
    await one.append(SCOPE, [longTransaction(4, 20_000, 9)]);
    await one.closeFork(SCOPE, closing(2, 'promoted'), { ...transaction(5), events: [] });
    await one.labelFork(SCOPE, { fork: 'what-if', txn: 2, label: 'First' });
    expect(await other.shared.positions([SCOPE, 'nobody'])).toEqual(new Map([[SCOPE, { ...START, version: 5 }]]));
    const entries = await entriesOf(other, 1);
    const long = entries.filter(({ version }) => version === 3);
    expect(long.flatMap((entry) => (entry.kind === 'transaction' ? entry.part.events : []))).toEqual(
      longTransaction(4, 20_000, 9).events,
    );
    expect(entries.filter((entry) => !long.includes(entry))).toEqual([
      { version: 2, kind: 'createFork', fork: forkRecord(2) },
      { version: 2, kind: 'transaction', part: { ...transaction(3, 'what-if'), isLast: true } },
      { version: 4, kind: 'transaction', part: { ...transaction(5), events: [], isLast: true } },
      { version: 4, kind: 'closeFork', closing: closing(2, 'promoted') },
      { version: 5, kind: 'labelFork', labelling: { fork: 'what-if', txn: 2, label: 'First' } },
    ]);
  });

  it('cannot write on an older state, whatever they write', async () => {
    await one.createFork(SCOPE, forkRecord(1), undefined, { at: START });
    await expect(other.append(SCOPE, [transaction(2)], { at: START })).rejects.toEqual(behind);
    await expect(other.createFork(SCOPE, forkRecord(2, 'second'), undefined, { at: START })).rejects.toEqual(behind);
    await expect(other.labelFork(SCOPE, { fork: 'what-if', txn: 1, label: 'a' }, { at: START })).rejects.toEqual(
      behind,
    );
    await expect(other.closeFork(SCOPE, closing(1, 'aborted'), undefined, { at: START })).rejects.toEqual(behind);
    const now = await at(other);
    await other.append(SCOPE, [transaction(2)], { at: now });
    expect([await history(one), await one.forks(SCOPE)]).toEqual([[transaction(2)], [forkRecord(1)]]);
  });

  it('write what waits for a scope in one transaction, and refuse what builds on a refused write', async () => {
    const writes = Array.from({ length: 100 }, (_, index) =>
      one.append(SCOPE, [transaction(index + 1)], { at: { ...START, version: index } }),
    );
    await Promise.all(writes);
    expect(await at()).toEqual({ ...START, version: 100 });
    const [count] = await database.query('SELECT count(DISTINCT write_id)::int AS writes FROM entail_entries');
    expect(count).toEqual({ writes: 1 });
    await other.append(SCOPE, [transaction(101)]);
    const late = [101, 102, 103].map((txn) =>
      one.append(SCOPE, [transaction(txn)], { at: { ...START, version: txn - 1 } }),
    );
    expect(await Promise.allSettled(late)).toEqual(late.map(() => ({ status: 'rejected', reason: behind })));
    expect((await history(other)).length).toBe(101);
  });

  it('create a scope once, and none under an older deployment', async () => {
    const second = { ...scopeRecord, scopeId: 'second' };
    const both = await Promise.allSettled([one.createScope(second), other.createScope(second)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await one.createScope({ ...scopeRecord, scopeId: 'third' }, 0);
    await deployAll(one);
    await expect(other.createScope({ ...scopeRecord, scopeId: 'fourth' }, 0)).rejects.toEqual(behind);
    await other.createScope({ ...scopeRecord, scopeId: 'fourth' }, 1);
    expect((await at(one, 'fourth'))?.deployment).toBe(1);
  });

  it('wait for each other while one has locked all scopes, and are behind what it deploys', async () => {
    const locked = await one.shared.lockScopes();
    expect([locked.deployment, ...locked.scopes]).toEqual([0, [SCOPE, START]]);
    const waiting = Promise.allSettled([
      other.append(SCOPE, [transaction(1)], { at: START }),
      other.createScope({ ...scopeRecord, scopeId: 'second' }, 0),
      deployAll(other),
    ]);
    await expect.poll(() => waitsIn(database)).toBe(3);
    const module = { moduleHash: 'm', artifact: Uint8Array.of(1) };
    expect(await locked.deploy(module, { schemaHash: 'h2', scopeIds: [SCOPE] })).toBe(1);
    expect(await waiting).toEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason: behind })));
    expect([await at(other), await other.scopes()]).toEqual([
      { ...START, deployment: 1 },
      [{ ...scopeRecord, schemaHash: 'h2' }],
    ]);
  });

  it('go on when one unlocks the scopes without a deployment', async () => {
    const locked = await one.shared.lockScopes();
    const waiting = other.append(SCOPE, [transaction(1)], { at: START });
    await expect.poll(() => waitsIn(database)).toBe(1);
    await locked.release();
    await waiting;
    expect([await at(one), await one.shared.lastDeployment()]).toEqual([{ ...START, version: 1 }, 0]);
  });

  it('deploy one after the other, on scopes that nobody has changed', async () => {
    const artifact = Uint8Array.of(1, 2, 255);
    const scopes = await one.shared.positions([SCOPE]);
    await other.append(SCOPE, [transaction(1)]);
    const adoption = { schemaHash: 'h2', scopeIds: [SCOPE] };
    const module = { moduleHash: 'm', artifact };
    await expect(one.shared.deploy(module, adoption, { deployment: 0, scopes })).rejects.toEqual(behind);
    await expect(
      one.shared.deploy(module, { ...adoption, scopeIds: [] }, { deployment: 0, scopes: new Map() }),
    ).rejects.toEqual(behind);
    const now = { deployment: 0, scopes: await one.shared.positions([SCOPE]) };
    const paths = { 'lease::Person': 'lease::Human' };
    expect(await one.shared.deploy(module, { ...adoption, renaming: { paths, values: {} } }, now)).toBe(1);
    await expect(other.shared.deploy(module, adoption, now)).rejects.toEqual(behind);
    expect(await other.shared.lastDeployment()).toBe(1);
    const { artifact: stored, ...rest } = await other.shared.deployment(1);
    expect([rest, Uint8Array.from(stored)]).toEqual([{ id: 1, moduleHash: 'm' }, artifact]);
    expect(await at(other)).toEqual({ version: 1, epoch: 1, deployment: 1 });
    expect((await history(other))[0]?.events[0]).toMatchObject({ concept: 'lease::Human' });
    await expect(other.append(SCOPE, [transaction(2)], { at: { ...START, version: 1, epoch: 1 } })).rejects.toEqual(
      behind,
    );
  });

  it('empty all outcomes of the scope when they erase', async () => {
    const outcome = (key: string) => ({
      key,
      request: `hash of ${key}`,
      response: '{"value":{"result":"Ada"}}',
      at: AT,
    });
    const keys = ['a', 'b', 'c'];
    for (const [at, key] of keys.entries()) {
      await one.append(SCOPE, [transaction(at + 1)], { outcome: outcome(key) });
    }
    const erasure = { individuals: ['#i1'], plainPositions: {} };
    await one.append(SCOPE, [forgetting(4, 1)], { erasure, outcome: outcome('forget') });
    const kept = await Promise.all(keys.map((key) => other.outcome(SCOPE, key)));
    expect(kept).toEqual(keys.map((key) => ({ key, request: '', response: '{"value":{"result":null}}', at: AT })));
    expect(await other.outcome(SCOPE, 'forget')).toEqual(outcome('forget'));
  });

  it('raise the epoch when they erase or archive, and keep no state of before', async () => {
    await one.append(SCOPE, [transaction(1)]);
    await other.opening(SCOPE, async () => undefined);
    await one.append(SCOPE, [forgetting(2, 1)], {
      erasure: { individuals: ['#i1'], plainPositions: {} },
      at: await at(),
    });
    expect(await at(other)).toEqual({ version: 2, epoch: 1, deployment: 0 });
    await expect(other.append(SCOPE, [transaction(3)], { at: { ...START, version: 2 } })).rejects.toEqual(behind);
    async function* state() {
      yield { header: 'old', numbers: new Int32Array(0) };
    }
    // The other server has not read the scope anew, so that its state may hold what was erased.
    expect(await other.saveState(SCOPE, 2, state())).toBe(false);
    const { rewrites } = await other.overview();
    await one.adoptSchema({ schemaHash: 'h2', scopeIds: [], setAside: [{ scopeId: SCOPE, asideId: `${SCOPE}.1` }] });
    expect(await at(other)).toEqual({ version: 2, epoch: 2, deployment: 0 });
    expect((await other.overview()).rewrites).toBeGreaterThan(rewrites);
  });

  it('never replace a saved state by an older one', async () => {
    for (const txn of [1, 2]) await one.append(SCOPE, [transaction(txn)]);
    async function* state(name: string) {
      yield { header: name, numbers: Int32Array.of(1) };
    }
    expect(await one.saveState(SCOPE, 2, state('newer'))).toBe(true);
    expect(await other.saveState(SCOPE, 1, state('older'))).toBe(false);
    expect(await other.savedState(SCOPE)).toEqual([{ header: 'newer', numbers: Int32Array.of(1) }]);
  });

  it('open a scope as it is at one moment', async () => {
    await one.append(SCOPE, [transaction(1)]);
    await one.opening(SCOPE, async (seen, position) => {
      await other.append(SCOPE, [transaction(2)]);
      expect(position).toEqual({ ...START, version: 1 });
      expect(await seen.lastNumbers(SCOPE)).toEqual({ txn: 1, seq: 2 });
      expect(await history(seen as EventStore)).toEqual([transaction(1)]);
    });
    await expect(one.opening(SCOPE, () => Promise.reject(new Error('no module')))).rejects.toThrow('no module');
    for (let count = 0; count < 20; count += 1) await one.opening(SCOPE, async () => undefined);
  });

  it('hear of what the other writes and deploys, also where notifications are lost', async () => {
    one.shared.onChange(() => undefined);
    const proxy = await cuttingProxy(portOf(database));
    proxy.cutAt('LISTEN', { cut: 'before' });
    const deaf = await open(database.address({ port: proxy.port }));
    for (const store of [other, deaf]) {
      await store.opening(SCOPE, async () => undefined);
      const changed = new Promise<void>((resolve) => {
        store.shared.onChange((scopeId) => {
          if (scopeId === SCOPE) resolve();
        });
      });
      await one.append(SCOPE, [transaction((await one.lastNumbers(SCOPE)).txn + 1)]);
      await changed;
    }
    const deployed = new Promise<void>((resolve) => {
      other.shared.onChange((scopeId) => {
        if (scopeId === undefined) resolve();
      });
    });
    await deployAll(one);
    await deployed;
    expect(await other.shared.secret()).toHaveLength(32);
    expect(await other.shared.secret()).toEqual(await one.shared.secret());
    await proxy.close();
  });

  it('hear of what they are not notified of', async () => {
    await other.opening(SCOPE, async () => undefined);
    const heard = new Set<string | undefined>();
    other.shared.onChange((scopeId) => heard.add(scopeId));
    await expect.poll(() => listenersIn(database)).toBe(1);
    // It does not listen, and so sends no notifications.
    await one.append(SCOPE, [transaction(1)]);
    await deployAll(one);
    await expect.poll(() => heard, { timeout: 20_000 }).toEqual(new Set([SCOPE, undefined]));
  });

  describe('behind a proxy that cuts connections', () => {
    let proxy: CuttingProxy;
    let cutOff: Store;
    beforeEach(async () => {
      proxy = await cuttingProxy(portOf(database));
      cutOff = await open(database.address({ port: proxy.port }));
      await cutOff.append(SCOPE, [transaction(1)]);
    });
    afterEach(async () => {
      await cutOff.close();
      await proxy.close();
    });

    it.each(['before', 'after', 'late'] as const)(
      'write once if the connection breaks at the write (%s)',
      async (cut) => {
        proxy.cutAt('entail append', { cut, until: 'entail append' });
        await cutOff.append(SCOPE, [transaction(2)], { at: { ...START, version: 1 } });
        expect(await history(other)).toEqual([transaction(1), transaction(2)]);
        expect(await at(other)).toEqual({ ...START, version: 2 });
      },
    );

    it.each(['before', 'after', 'late'] as const)(
      'promote once if the connection breaks at the commit (%s)',
      async (cut) => {
        await one.createFork(SCOPE, forkRecord(2));
        // Not one of READ COMMITTED.
        proxy.cutAt('COMMIT\0', { cut, until: 'entail raiseFence' });
        await cutOff.closeFork(SCOPE, closing(2, 'promoted'), transaction(3), { at: await at() });
        expect(await history(other)).toEqual([transaction(1), transaction(3)]);
        expect(await other.forks(SCOPE)).toMatchObject([{ status: 'promoted' }]);
        expect(await at(other)).toEqual({ ...START, version: 3 });
      },
    );

    it('say that an outcome is unknown if the database stays away, and go on once it is back', async () => {
      const waiting = await open(database.address({ port: proxy.port }), 300);
      proxy.cutAt('entail append', { cut: 'after', thenRefuses: true });
      const position = { ...START, version: 1 };
      const lost = waiting.append(SCOPE, [transaction(2)], { at: position });
      const following = lost.catch(() => waiting.append(SCOPE, [transaction(3)], { at: { ...START, version: 2 } }));
      await expect(lost).rejects.toMatchObject({ reason: 'unreachable', isUnknown: true });
      await expect(following).rejects.toMatchObject({ reason: 'unreachable', isUnknown: false });
      await expect(waiting.append(SCOPE, [transaction(3)])).rejects.toMatchObject({ reason: 'unreachable' });
      await expect(waiting.probe()).rejects.toMatchObject({ reason: 'unreachable' });
      proxy.refuse(false);
      await waiting.probe();
      await waiting.append(SCOPE, [transaction(3)]);
      expect(await history(other)).toEqual([transaction(1), transaction(2), transaction(3)]);
    });
  });

  it('have one order of everything, however their writes interleave', async () => {
    let count = 0;
    const operation = fc.record({
      server: fc.nat({ max: 1 }),
      kind: fc.constantFrom('append', 'createFork', 'labelFork', 'closeFork'),
      /** Waits until the previous operation has ended. */
      isAwaited: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
        count += 1;
        const scopeId = `order-${count}`;
        await one.createScope({ ...scopeRecord, scopeId });
        const servers = [new Follower(one, scopeId, 'one'), new Follower(other, scopeId, 'other')];
        const running: Promise<void>[] = [];
        for (const { server, kind, isAwaited } of operations) {
          running.push((servers[server] as Follower).write(kind));
          if (isAwaited) await Promise.all(running.splice(0));
        }
        await Promise.all(running);
        for (const server of servers) await server.catchUp();
        const all = await entriesOf(one, 0, scopeId);
        expect(servers.map(({ entries }) => entries)).toEqual([all, all]);
        expect([...new Set(all.map(({ version }) => version))]).toEqual(
          Array.from({ length: operations.length }, (_, index) => index + 1),
        );
        const numbers = all.flatMap((entry) =>
          entry.kind === 'transaction' ? entry.part.txn : entry.kind === 'createFork' ? entry.fork.txn : [],
        );
        expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      }),
      { numRuns: runs(10) },
    );
  });

  /** A server that follows one scope: it writes on what it has read, and reads what it missed when it was not first. */
  class Follower {
    entries: Entry[] = [];
    readonly #store: Store;
    readonly #scopeId: string;
    #last: Promise<void> = Promise.resolve();
    readonly #name: string;
    #written = 0;

    constructor(store: Store, scopeId: string, name: string) {
      this.#name = name;
      this.#store = store;
      this.#scopeId = scopeId;
    }

    async catchUp(): Promise<void> {
      const version = this.entries.at(-1)?.version ?? 0;
      this.entries.push(...(await entriesOf(this.#store, version, this.#scopeId)));
    }

    write(kind: string): Promise<void> {
      this.#last = this.#last.then(async () => {
        for (;;) {
          try {
            await this.#attempt(kind);
            break;
          } catch (error) {
            if (!(error instanceof Error) || error.name !== 'ScopeBehind') throw error;
            await this.catchUp();
          }
        }
        await this.catchUp();
      });
      return this.#last;
    }

    async #attempt(kind: string): Promise<void> {
      const options = { at: { ...START, version: this.entries.at(-1)?.version ?? 0 } };
      const open = new Map<number, string>();
      let txn = 1;
      for (const entry of this.entries) {
        if (entry.kind === 'transaction') txn = entry.part.txn + 1;
        if (entry.kind === 'createFork') [txn] = [entry.fork.txn + 1, open.set(entry.fork.txn, entry.fork.fork)];
        if (entry.kind === 'closeFork') open.delete(entry.closing.txn);
      }
      const [fork] = open;
      if (kind === 'createFork')
        await this.#store.createFork(this.#scopeId, forkRecord(txn, `f${txn}`), undefined, options);
      else if (kind === 'labelFork' && fork !== undefined) {
        await this.#store.labelFork(this.#scopeId, { txn: fork[0], fork: fork[1], label: `${txn}` }, options);
      } else if (kind === 'closeFork' && fork !== undefined) {
        const end = closing(fork[0], 'promoted', fork[1]);
        await this.#store.closeFork(this.#scopeId, end, transaction(txn), options);
      } else {
        this.#written += 1;
        const principal = `${this.#name} ${this.#written}`;
        await this.#store.append(this.#scopeId, [{ ...transaction(txn), principal }], options);
        // On the state that it had read, and nothing else.
        const [entry] = await entriesOf(this.#store, options.at.version, this.#scopeId);
        expect(entry).toMatchObject({ version: options.at.version + 1, part: { principal } });
      }
    }
  }
});

async function entriesOf(store: Store, version: number, scopeId: string = SCOPE): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of store.shared.entriesAfter(scopeId, version)) entries.push(entry);
  return entries;
}

/** How many connections of a database listen. */
async function listenersIn({ query }: TestDatabase): Promise<number> {
  const sql = `SELECT count(*)::int AS listeners FROM pg_stat_activity
    WHERE datname = current_database() AND query IN ('LISTEN entail_changed', 'SET synchronous_commit = off')`;
  return Number((await query(sql))[0]?.['listeners']);
}

/** How many statements of a database wait for a lock. */
async function waitsIn({ query }: TestDatabase): Promise<number> {
  const sql = `SELECT count(*)::int AS waits FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return Number((await query(sql))[0]?.['waits']);
}

/** Deploys a module that fits all scopes. */
async function deployAll(store: Store): Promise<void> {
  const scopeIds = (await store.scopes()).map(({ scopeId }) => scopeId);
  const scopes = await store.shared.positions(scopeIds);
  const deployment = await store.shared.lastDeployment();
  const module = { moduleHash: 'm', artifact: Uint8Array.of(1) };
  await store.shared.deploy(module, { schemaHash: 'h1', scopeIds }, { deployment, scopes });
}

function portOf({ url }: TestDatabase): number {
  return Number(new URL(url).port);
}

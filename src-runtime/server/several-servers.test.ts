/** Several servers on one PostgreSQL database, over real HTTP: each answers as one server would. */

import { describe, expect, it } from 'vitest';
import type { ForkInfo } from '../api/schemas/fork-schemas.js';
import type { WireEvent } from '../api/schemas/schemas.js';
import { testDatabase } from '../storage/testing/postgres.js';
import { programs } from '../storage/testing/postgres-cluster.js';
import { type RealServer, serversOfTests } from './testing/real.js';
import { openStream } from './testing/stream.js';

const BANK = `
module bank
context tenantId: Text?
pub concept Account { name: Text unique, balance: Int }
pub derive poor(a: Account) when Account(a), a.balance < 50
pub check overdrawn(a: Account) when Account(a), a.balance < 0 severity blocking message "{a.name} is overdrawn"
pub query balances() -> [Int] { select a.balance where Account(a) order by a.name }
pub query names() -> [Text] { select a.name where Account(a) order by a.name }
pub query poorOnes() -> [Text] { select a.name where poor(a) order by a.name }
pub mutation open(name: Text, balance: Int) -> Account { return insert Account { name: name, balance: balance } }
pub mutation add(a: Account, n: Int) { set a.balance = a.balance + n }
pub mutation close(a: Account) { forget a }
`;

const serve = serversOfTests();

/** As many servers on a new database. The first deploys the module. */
async function servers(count: number, options: object = {}): Promise<readonly RealServer[]> {
  const { url } = await testDatabase();
  const all = { store: url, grant: ['fork', 'reload', 'forget'], ...options } as const;
  const started = [await serve(BANK, all)];
  while (started.length < count) started.push(await serve(undefined, all));
  return started;
}

const ok = async (response: ReturnType<RealServer['mutation']>) => {
  const { status, body } = await response;
  expect(body.error).toBeUndefined();
  expect(status).toBeLessThan(300);
  return body;
};

const balances = async (server: RealServer, headers = {}) =>
  (await ok(server.query('bank::balances', {}, headers))).result;

describe.runIf(programs)('several servers', () => {
  it('read what any of them has written, with its conclusions', async () => {
    const [one, other, third] = (await servers(3)) as [RealServer, RealServer, RealServer];
    const { result: account } = await ok(one.mutation('bank::open', { name: 'Ada', balance: 20 }));
    expect(await balances(other)).toEqual([20]);
    await ok(other.mutation('bank::add', { a: account.$id, n: 50 }));
    expect(await balances(third)).toEqual([70]);
    expect((await ok(one.query('bank::poorOnes'))).result).toEqual([]);
    await ok(third.mutation('bank::open', { name: 'Bo', balance: 10 }));
    expect((await ok(one.query('bank::poorOnes'))).result).toEqual(['Bo']);
    expect((await ok(other.query('bank::names', {}, { 'x-tenant-id': 'other' }))).result).toEqual([]);
  });

  it('run a write again on what another has written first, and lose none', async () => {
    const all = await servers(3);
    const { result: account } = await ok((all[0] as RealServer).mutation('bank::open', { name: 'Ada', balance: 0 }));
    const adding = Array.from({ length: 60 }, (_, at) =>
      ok((all[at % 3] as RealServer).mutation('bank::add', { a: account.$id, n: 1 })),
    );
    const txns = (await Promise.all(adding)).map(({ txn }) => txn);
    expect(new Set(txns).size).toBe(60);
    for (const server of all) expect(await balances(server)).toEqual([60]);
  });

  it('run a repeated request once, whichever of them gets it', async () => {
    const all = await servers(3);
    const key = { 'idempotency-key': 'opening-1' };
    const opening = all.map((server) => ok(server.mutation('bank::open', { name: 'Ada', balance: 0 }, key)));
    const [first, ...others] = await Promise.all(opening);
    expect(first.txn).toBe(1);
    for (const { result, txn } of others) expect({ result, txn }).toEqual({ result: first.result, txn: 1 });
    const other = await (all[0] as RealServer).mutation('bank::open', { name: 'Bo', balance: 0 }, key);
    expect(other.body.error.code).toBe('SVC_RUNTIME_VALIDATION_FAILED');
  });

  it('refuse by the facts of all: a taken name, and an overdrawn account', async () => {
    const [one, other] = (await servers(2)) as [RealServer, RealServer];
    const { result: account } = await ok(one.mutation('bank::open', { name: 'Ada', balance: 10 }));
    const taken = await other.mutation('bank::open', { name: 'Ada', balance: 1 });
    expect(taken.body.error.code).toBe('SVC_RUNTIME_CHECK_VIOLATION');
    const both = await Promise.all([one, other].map((each) => each.mutation('bank::add', { a: account.$id, n: -6 })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await balances(one)).toEqual([4]);
  });

  it('share forks: created, written, labelled, promoted, undone and aborted through any of them', async () => {
    const [one, other] = (await servers(2)) as [RealServer, RealServer];
    const { result: account } = await ok(one.mutation('bank::open', { name: 'Ada', balance: 10 }));
    await ok(one.call('POST', '/v1/forks', { id: 'what-if' }));
    const onFork = { 'x-fork-id': 'what-if' };
    await ok(other.mutation('bank::add', { a: account.$id, n: 5 }, onFork));
    expect(await balances(one, onFork)).toEqual([15]);
    await ok(other.call('PATCH', '/v1/forks/what-if', { label: 'What if?' }));
    const forks = (await ok(one.call('GET', '/v1/forks'))).result as ForkInfo[];
    expect(forks.find(({ id }) => id === 'what-if')).toMatchObject({ label: 'What if?', status: 'open', events: 1 });
    await ok(one.mutation('bank::open', { name: 'Bo', balance: 1 }));
    const { txn } = await ok(one.call('POST', '/v1/forks/what-if/promote', {}));
    expect(await balances(other)).toEqual([15, 1]);
    expect((await other.mutation('bank::add', { a: account.$id, n: 1 }, onFork)).body.error.code).toBe(
      'SVC_RUNTIME_FORK_CLOSED',
    );
    await ok(other.call('POST', `/v1/transactions/${txn}/undo`, {}));
    expect(await balances(one)).toEqual([10, 1]);
    await ok(other.call('POST', '/v1/forks', { id: 'idle' }));
    await ok(one.call('DELETE', '/v1/forks/idle'));
    expect(((await ok(other.call('GET', '/v1/forks'))).result as ForkInfo[]).at(-1)).toMatchObject({
      status: 'aborted',
    });
  });

  it('forget an individual everywhere', async () => {
    const [one, other] = (await servers(2)) as [RealServer, RealServer];
    const { result: account } = await ok(one.mutation('bank::open', { name: 'Ada', balance: 10 }));
    expect(await balances(other)).toEqual([10]);
    await ok(one.mutation('bank::close', { a: account.$id }));
    expect(await balances(other)).toEqual([]);
    await ok(other.mutation('bank::open', { name: 'Bo', balance: 1 }));
    expect(await balances(one)).toEqual([1]);
    expect(JSON.stringify((await ok(other.call('GET', '/v1/events'))).result)).not.toContain('Ada');
  });

  it('serve a module that one of them was given, over the same facts', async () => {
    const [one, other] = (await servers(2)) as [RealServer, RealServer];
    await ok(one.mutation('bank::open', { name: 'Ada', balance: 10 }));
    expect(await balances(other)).toEqual([10]);
    const next = `${BANK}pub query rich() -> [Text] { select a.name where Account(a), a.balance >= 10 }\n`;
    const files = [{ file: 'lease.entail', text: next }];
    expect((await ok(one.call('PUT', '/v1/module/sources', { files }))).result).toMatchObject({ reloaded: true });
    expect((await ok(other.query('bank::rich'))).result).toEqual(['Ada']);
    await ok(other.mutation('bank::open', { name: 'Bo', balance: 50 }));
    expect((await ok(one.query('bank::rich'))).result).toEqual(['Ada', 'Bo']);
  });

  it('refuse a module that does not fit what others have written', async () => {
    const [one, other] = (await servers(2)) as [RealServer, RealServer];
    expect(await balances(one)).toEqual([]);
    await ok(other.mutation('bank::open', { name: 'Ada', balance: 10 }));
    const text = BANK.replace('balance: Int }', 'balance: Int where value > 50 }');
    const { result } = await ok(one.call('PUT', '/v1/module/sources', { files: [{ file: 'lease.entail', text }] }));
    expect(result).toMatchObject({ reloaded: false, failure: { code: 'SVC_RUNTIME_MODULE_INCOMPATIBLE' } });
    expect(await balances(other)).toEqual([10]);
  });

  it('refuse to start with another module than the others serve, unless it replaces theirs', async () => {
    const { url } = await testDatabase();
    const first = await serve(BANK, { store: url });
    await ok(first.mutation('bank::open', { name: 'Ada', balance: 10 }));
    const next = `${BANK}pub query rich() -> [Text] { select a.name where Account(a), a.balance >= 10 }\n`;
    await expect(serve(next, { store: url })).rejects.toThrow(/serve another module .*--deploy/);
    const second = await serve(next, { store: url, deploy: true });
    expect((await ok(second.query('bank::rich'))).result).toEqual(['Ada']);
    expect((await ok(first.query('bank::rich'))).result).toEqual(['Ada']);
  });

  it('resume an event stream of another server, and see what it writes', async () => {
    const [one, other] = (await servers(2)) as [RealServer, RealServer];
    await ok(one.mutation('bank::open', { name: 'Ada', balance: 10 }));
    const stream = await openStream(other.running, { 'last-event-id': '1' });
    await ok(one.mutation('bank::open', { name: 'Bo', balance: 20 }));
    const events: WireEvent[] = [];
    while (events.length < 5) events.push(JSON.parse((await stream.next())?.data ?? 'null'));
    expect(events.map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6]);
    await stream.close();
  });

  it('carry the version of the scope, and catch up to the one that a request has seen', async () => {
    const [one, other] = (await servers(2, { readConsistency: 'bounded' })) as [RealServer, RealServer];
    expect(await balances(other)).toEqual([]);
    const { headers } = await one.mutation('bank::open', { name: 'Ada', balance: 10 });
    const version = headers.get('x-scope-version') ?? '';
    expect(version).toMatch(/^[1-9][0-9]*$/);
    expect(await balances(other, { 'x-scope-version': version })).toEqual([10]);
  });
});

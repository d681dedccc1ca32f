/** Requests with an Idempotency-Key over HTTP: each runs once, and each repeat has its first response. */

import { expect, it } from 'vitest';
import { type RealOptions, type RealServer, serversOfTests } from './testing/real.js';

const CLUB = `module club
context tenantId: Text?
context principalId: Text?
pub concept Member { name: Text, age: Int where value > 0 }
pub relation knows(a: Member, b: Member)
pub check minor(m: Member) when m.age < 18 severity warning message "{m.name} is young"
pub query names() -> [Text] { select m.name where Member(m) order by m.name }
pub mutation admit(name: Text, age: Int) -> Member { return insert Member { name: name, age: age } }
pub mutation rename(m: Member, name: Text) { set m.name = name }
pub mutation erase(m: Member, name: Text) -> Text { forget m return name }
pub mutation purge() { for m in (select m where Member(m)) { forget m } }
`;

const started = serversOfTests();
const serve = (options: RealOptions = {}) => started(CLUB, { grant: ['fork', 'forget', 'reload'], ...options });
const keyed = (key: string, headers: Record<string, string> = {}) => ({ 'idempotency-key': key, ...headers });
const names = async (server: RealServer) => (await server.query('club::names')).body.result;
const ADHOC = { source: 'mutation m(n: Text) { insert Member { name: n, age: 30 } }', args: { n: 'Cy' } };
const STEPS = { steps: [{ mutation: 'club::admit', args: { name: 'Bo', age: 40 } }, { query: 'club::names' }] };

function withoutId({ status, body: { requestId: _, ...body } }: Awaited<ReturnType<RealServer['call']>>) {
  return { status, body };
}

it('runs a repeated mutation, ad-hoc mutation and batch once, and repeats the response', async () => {
  const server = await serve();
  const requests = [
    () => server.mutation('club::admit', { name: 'Ada', age: 7 }, keyed('a')),
    () =>
      server.call(
        'POST',
        '/v1/dispatch/mutation?effects=true',
        { path: 'club::admit', args: { name: 'Al', age: 7 } },
        keyed('b'),
      ),
    () => server.call('POST', '/v1/mutation/adhoc', ADHOC, keyed('c')),
    () => server.call('POST', '/v1/batch', STEPS, keyed('d')),
  ];
  for (const send of requests) {
    const first = await send();
    expect(first.status).toBe(200);
    const second = await send();
    expect(withoutId(second)).toEqual(withoutId(first));
    expect(second.body.requestId).not.toBe(first.body.requestId);
  }
  expect(await names(server)).toEqual(['Ada', 'Al', 'Bo', 'Cy']);
});

it('runs requests with one key once, even if they are sent at the same time', async () => {
  const server = await serve({ onDisk: true });
  const send = () => server.mutation('club::admit', { name: 'Ada', age: 30 }, keyed('a'));
  const responses = await Promise.all(Array.from({ length: 20 }, send));
  expect(new Set(responses.map((response) => JSON.stringify(withoutId(response)))).size).toBe(1);
  expect(await names(server)).toEqual(['Ada']);
});

it('refuses a key that belongs to another request', async () => {
  const server = await serve();
  await server.call('POST', '/v1/forks', { id: 'plan' });
  const args = { name: 'Ada', age: 30 };
  await server.mutation('club::admit', args, keyed('a'));
  const others = await Promise.all([
    server.mutation('club::admit', { ...args, age: 31 }, keyed('a')),
    server.mutation('club::rename', { m: '#i1', name: 'Ada' }, keyed('a')),
    server.mutation('club::admit', args, keyed('a', { 'x-fork-id': 'plan' })),
    server.mutation('club::admit', args, keyed('a', { 'x-principal-id': 'bob' })),
    server.call('POST', '/v1/dispatch/mutation?effects=true', { path: 'club::admit', args }, keyed('a')),
    server.call('POST', '/v1/batch', STEPS, keyed('a')),
  ]);
  for (const { body } of others) {
    expect(body.error).toMatchObject({
      code: 'SVC_RUNTIME_VALIDATION_FAILED',
      message: expect.stringContaining('The Idempotency-Key "a" belongs to another request'),
      details: { header: 'idempotency-key' },
    });
  }
  for (const key of ['', 'a b', 'x'.repeat(256)]) {
    expect((await server.mutation('club::admit', args, keyed(key))).body.error.code).toMatch(/VALIDATION_FAILED/);
  }
  const { body } = await server.mutation('club::admit', args, keyed('a', { 'x-tenant-id': 'other' }));
  expect(body.txn).toBe(1);
  expect(await names(server)).toEqual(['Ada']);
});

it('repeats a response whose members the client sends in another order', async () => {
  const server = await serve();
  const first = await server.call(
    'POST',
    '/v1/dispatch/mutation',
    { path: 'club::admit', args: { name: 'A', age: 1 } },
    keyed('a'),
  );
  const second = await server.call(
    'POST',
    '/v1/dispatch/mutation',
    { args: { age: 1, name: 'A' }, path: 'club::admit' },
    keyed('a'),
  );
  expect(withoutId(second)).toEqual(withoutId(first));
});

it('runs a request again if it changed nothing the first time', async () => {
  const server = await serve();
  const dryRun = { path: 'club::admit', args: { name: 'Ada', age: 30 } };
  await server.call('POST', '/v1/dispatch/mutation?dryRun=true', dryRun, keyed('a'));
  await server.mutation('club::admit', { name: 'Ada', age: 0 }, keyed('a'));
  expect((await server.mutation('club::admit', { name: 'Ada', age: 30 }, keyed('a'))).body.txn).toBe(1);
  expect((await server.mutation('club::rename', { m: '#i1', name: 'Ada' }, keyed('b'))).body.txn).toBeNull();
  await server.mutation('club::rename', { m: '#i1', name: 'Al' });
  expect((await server.mutation('club::rename', { m: '#i1', name: 'Ada' }, keyed('b'))).body.txn).toBe(3);
});

it('repeats a response after a restart, and after its fork was promoted', async () => {
  const server = await serve({ onDisk: true });
  await server.call('POST', '/v1/forks', { id: 'plan' });
  const send = (to: RealServer) =>
    to.mutation('club::admit', { name: 'Ada', age: 30 }, keyed('a', { 'x-fork-id': 'plan' }));
  const first = await send(server);
  await server.call('POST', '/v1/forks/plan/promote', {});
  await server.stop();
  const again = await serve({ onDisk: true, folder: server.folder });
  expect(withoutId(await send(again))).toEqual(withoutId(first));
  const { body } = await again.mutation('club::admit', { name: 'Bo', age: 30 }, keyed('b', { 'x-fork-id': 'plan' }));
  expect(body.error.code).toBe('SVC_RUNTIME_FORK_CLOSED');
  expect(await names(again)).toEqual(['Ada']);
});

it('runs a request once although an individual was forgotten since, and repeats its response without facts', async () => {
  const server = await serve();
  await server.mutation('club::admit', { name: 'Ada', age: 7 }, keyed('a'));
  const erase = () => server.mutation('club::erase', { m: '#i1', name: 'Ada' }, keyed('erase'));
  const first = await erase();
  expect(first.body).toMatchObject({ result: 'Ada', txn: 2 });
  expect((await erase()).body).toMatchObject({ result: null, txn: 2, events: [], warnings: [] });
  const again = await server.mutation('club::admit', { name: 'Ada', age: 7 }, keyed('a'));
  expect(again.body).toMatchObject({ result: null, txn: 1, events: [], warnings: [] });
  expect(await names(server)).toEqual([]);
  await server.mutation('club::admit', { name: 'Eve', age: 30 });
  const steps = [{ mutation: 'club::purge' }, { mutation: 'club::admit', args: { name: 'Bo', age: 30 } }];
  const purge = async () => withoutId(await server.call('POST', '/v1/batch', { steps }, keyed('purge')));
  const { body } = await purge();
  const erased = body.result.map((step: object) => ({ ...step, result: null, events: [] }));
  expect((await purge()).body.result).toEqual(erased);
  expect(await names(server)).toEqual(['Bo']);
});

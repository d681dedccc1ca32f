/** Forks of an earlier state over HTTP: their facts, their records, and their promotion, which resets the parent. */

import { describe, expect, it } from 'vitest';
import { expectCode } from './testing/expect-code.js';
import { type RealServer, serversOfTests } from './testing/real.js';

const STOCK = `
module stock
pub concept Item { name: Text, place: Text?, next: Item?, tag: Text? = "new" }
pub relation near(a: Item, b: Item)
pub derive close(a: Item, b: Item) when near(a, b)
pub mutation add(name: Text) -> Item { return insert Item { name: name } }
pub mutation move(i: Item, place: Text?, next: Item?) {
  set i.place = place
  set i.next = next
}
pub mutation join(a: Item, b: Item) { insert near(a, b) }
pub mutation untag(i: Item) { set i.tag = none }
pub mutation remove(i: Item) { delete i }
`;

const started = serversOfTests();

async function written(options: Parameters<typeof started>[1] = {}) {
  const server = await started(STOCK, options);
  const write = async (name: string, args: object, fork = 'main') => {
    const path = `/v1/forks/${fork}/dispatch/mutation`;
    const { body } = await server.call('POST', path, { path: `stock::${name}`, args });
    expect(body.error).toBeUndefined();
    return body.result?.$id as string;
  };
  const [a, b] = [await write('add', { name: 'a' }), await write('add', { name: 'b' })];
  await write('join', { a, b });
  await write('move', { i: a, place: 'shelf', next: b });
  const then = await facts(server, 'main');
  await write('move', { i: a, place: 'floor', next: null });
  await write('remove', { i: b });
  await write('add', { name: 'c' });
  return { server, a, then, write };
}

async function facts(server: RealServer, fork: string): Promise<string[]> {
  const { body } = await server.call('GET', '/v1/snapshot?include=derived', undefined, { 'x-fork-id': fork });
  return [...body.result.facts, ...body.result.derived].map(({ factId }: { factId: string }) => factId).sort();
}

const fork = (server: RealServer, body: object) => server.call('POST', '/v1/forks', body);

describe('a fork as of an earlier transaction', () => {
  it('has the facts and conclusions of that time, and a first transaction that names it', async () => {
    const { server, then, a } = await written();
    const { body } = await fork(server, { id: 'then', asOf: 4 });
    expect(body.result).toMatchObject({ id: 'then', parent: 'main', asOf: 4, status: 'open', events: 7 });
    expect(await facts(server, 'then')).toEqual(then);
    const [first] = (await server.call('GET', '/v1/transactions?limit=1', undefined, { 'x-fork-id': 'then' })).body
      .result;
    expect(first).toMatchObject({ fork: 'then', cause: { kind: 'asOf', txn: 4 } });
    await fork(server, { id: 'first', asOf: 0 });
    expect(await facts(server, 'first')).toEqual([]);
    await fork(server, { id: 'now', asOf: 7 });
    expect(await facts(server, 'now')).toEqual(await facts(server, 'main'));
    expect((await server.call('GET', '/v1/forks/now')).body.result.events).toBe(0);
    const proof = await server.call('POST', '/v1/forks/then/explain', {
      relation: 'stock::Item.place',
      tuple: [a, 'shelf'],
    });
    expect(proof.body.result.holds).toBe(true);
  });

  it('survives a restart, takes writes, and resets its parent when it is promoted', async () => {
    const { server, then } = await written({ onDisk: true });
    await fork(server, { id: 'then', asOf: 4 });
    await server.stop();
    const again = await started(STOCK, { onDisk: true, folder: server.folder });
    expect(await facts(again, 'then')).toEqual(then);
    expect((await again.call('GET', '/v1/forks/then')).body.result.asOf).toBe(4);
    const { body } = await again.call('POST', '/v1/forks/then/promote');
    expect(body).toMatchObject({ conflicts: [], result: { status: 'promoted' } });
    expect(await facts(again, 'main')).toEqual(then);
  });

  it('changes nothing on its parent if the earlier state is already restored', async () => {
    const { server } = await written();
    for (const id of ['one', 'two']) await fork(server, { id, asOf: 4 });
    const promote = async (id: string) => (await server.call('POST', `/v1/forks/${id}/promote`)).body.events;
    expect(await promote('one')).toHaveLength(7);
    expect(await promote('two')).toEqual([]);
  });

  it('keeps a field empty that was empty then, even if the field has a default', async () => {
    const { server, a, write } = await written();
    await write('untag', { i: a });
    const then = await facts(server, 'main');
    await write('remove', { i: a });
    await fork(server, { id: 'untagged', asOf: 8 });
    expect(await facts(server, 'untagged')).toEqual(then);
  });

  it('is refused for a transaction that its parent cannot see', async () => {
    const { server } = await written();
    expectCode(await fork(server, { id: 'x', asOf: 8 }), 'SVC_RUNTIME_VALIDATION_FAILED', /has no transaction 8/);
    expectCode(await fork(server, { id: 'x', asOf: -1 }), 'SVC_RUNTIME_VALIDATION_FAILED', /asOf/);
    expect((await server.call('GET', '/v1/forks')).body.result).toHaveLength(1);
  });
});

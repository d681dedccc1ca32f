/** Reverting a transaction over HTTP: what is restored, what stays, how the history shows it, and refusals. */

import { describe, expect, it } from 'vitest';
import { expectCode } from './testing/expect-code.js';
import { type RealServer, serversOfTests } from './testing/real.js';

const LEASE = `
module lease
pub concept Person { name: Text, note: Text? }
pub relation tenantOf(lease: Text, tenant: Person)
pub check crowded(p: Person) when Person(p), let n = count(for l where tenantOf(l, p)), n > 1
  severity blocking message "{p.name} holds {n} leases"
pub mutation add(name: Text) -> Person { return insert Person { name: name } }
pub mutation change(p: Person, name: Text, note: Text?) {
  set p.name = name
  set p.note = note
}
pub mutation sign(p: Person, lease: Text) { insert tenantOf(lease, p) }
pub mutation leave(p: Person, lease: Text) { delete tenantOf(lease, p) }
pub mutation remove(p: Person) { delete p }
pub mutation signAgain(p: Person, lease: Text) {
  delete tenantOf(lease, p)
  insert tenantOf(lease, p)
}
pub mutation signBriefly(p: Person, lease: Text) {
  insert tenantOf(lease, p)
  delete tenantOf(lease, p)
}
pub mutation changeTwice(p: Person) {
  set p.name = "one"
  set p.name = "two"
}
pub mutation addBriefly(p: Person) {
  let other = insert Person { name: "Bo" }
  delete other
  set p.note = "x"
}
pub mutation erase(p: Person) { forget p }
`;

const started = serversOfTests();

/** Ada holds a lease, written by the transactions 1 and 2. */
async function letting() {
  const server = await started(LEASE, { grant: ['fork', 'forget', 'reload'] });
  const write = async (name: string, args: object, fork = 'main') => {
    const path = `/v1/forks/${fork}/dispatch/mutation`;
    const { body } = await server.call('POST', path, { path: `lease::${name}`, args });
    expect(body.error).toBeUndefined();
    return body.result?.$id as string;
  };
  const ada = await write('add', { name: 'Ada' });
  await write('sign', { p: ada, lease: 'L1' });
  return { server, write, ada };
}

const undo = (server: RealServer, txn: number, query = '', headers: Record<string, string> = {}) =>
  server.call('POST', `/v1/transactions/${txn}/undo${query}`, undefined, headers);

async function facts(server: RealServer, fork = 'main'): Promise<string[]> {
  const { body } = await server.call('GET', '/v1/snapshot', undefined, { 'x-fork-id': fork });
  return body.result.facts.map(({ factId }: { factId: string }) => factId).sort();
}

describe('reverting a transaction that changed a value more than once', () => {
  it.each([
    ['took a fact away and put it back', 'signAgain', { lease: 'L1' }],
    ['put a fact there and took it away', 'signBriefly', { lease: 'L9' }],
    ['set a field twice', 'changeTwice', {}],
    ['made somebody and deleted them', 'addBriefly', {}],
  ])('restores the state before it, if it %s, and reports no conflict', async (_, name, args) => {
    const { server, write, ada } = await letting();
    const before = await facts(server);
    await write(name, { p: ada, ...args });
    const { body } = await undo(server, 3);
    // Without a net change there is nothing to revert.
    expect(body.conflicts ?? []).toEqual([]);
    expect(await facts(server)).toEqual(before);
  });

  it('restores the state before several calls of a batch', async () => {
    const { server, ada } = await letting();
    const before = await facts(server);
    const steps = ['leave', 'sign'].map((name) => ({ mutation: `lease::${name}`, args: { p: ada, lease: 'L1' } }));
    const batch = await server.call('POST', '/v1/batch', { steps });
    expect(batch.body.error).toBeUndefined();
    expect((await undo(server, 3)).body.error).toBeUndefined();
    expect(await facts(server)).toEqual(before);
  });
});

describe('reverting a transaction', () => {
  it('restores the values from before, keeps later changes, and reports later values that are lost', async () => {
    const { server, write, ada } = await letting();
    await write('change', { p: ada, name: 'Adah', note: 'new' });
    await write('change', { p: ada, name: 'Ada L', note: 'new' });
    await write('sign', { p: await write('add', { name: 'Bo' }), lease: 'L2' });
    const dry = await undo(server, 3, '?dryRun=true');
    expect(dry.body).toMatchObject({
      txn: null,
      result: { txn: 3, cause: { kind: 'mutation', path: 'lease::change' }, events: 2 },
    });
    expect(await facts(server)).toHaveLength(7);
    const { body } = await undo(server, 3);
    expect(body).toMatchObject({
      result: { txn: 3 },
      txn: 7,
      conflicts: [{ individual: ada, field: 'lease::Person.name', before: 'Ada', promoted: 'Adah', now: 'Ada L' }],
    });
    const { body: person } = await server.call('GET', `/v1/individuals/${encodeURIComponent(ada)}`);
    expect(person.result).toMatchObject({ name: 'Ada', note: null });
    const [last] = (await server.call('GET', '/v1/transactions?limit=1')).body.result;
    expect(last).toMatchObject({ txn: 7, cause: { kind: 'undo', txn: 3 } });
    expect((await undo(server, 3)).body).toMatchObject({ txn: null, events: [], conflicts: [] });
  });

  it('restores a deleted individual with all its facts, and can itself be reverted', async () => {
    const { server, write, ada } = await letting();
    const before = await facts(server);
    await write('remove', { p: ada });
    expect(await facts(server)).toEqual([]);
    await undo(server, 3);
    expect(await facts(server)).toEqual(before);
    await undo(server, 4);
    expect(await facts(server)).toEqual([]);
  });

  it('writes to the fork of the request, even for a transaction of its parent', async () => {
    const { server, ada } = await letting();
    await server.call('POST', '/v1/forks', { id: 'what-if' });
    const { body } = await undo(server, 2, '', { 'x-fork-id': 'what-if' });
    expect(body.events).toMatchObject([{ kind: 'deleteFact', tuple: ['L1', ada] }]);
    expect((await facts(server)).length - (await facts(server, 'what-if')).length).toBe(1);
  });

  it('is noted in the record of the promoted fork, for the transaction of a promotion', async () => {
    const { server, write } = await letting();
    await server.call('POST', '/v1/forks', { id: 'what-if' });
    await write('add', { name: 'Cy' }, 'what-if');
    const { body: promoted } = await server.call('POST', '/v1/forks/what-if/promote');
    const { body } = await undo(server, promoted.txn);
    const { body: record } = await server.call('GET', '/v1/forks/what-if');
    expect(record.result.undoneAt).toBe(body.events[0].at);
  });

  it('is refused by a check, for an unknown transaction, for a forgotten individual, and without the capability', async () => {
    const { server, write, ada } = await letting();
    await write('leave', { p: ada, lease: 'L1' });
    await write('sign', { p: ada, lease: 'L2' });
    expectCode(await undo(server, 3), 'SVC_RUNTIME_CHECK_VIOLATION', /./);
    expectCode(await undo(server, 9), 'SVC_RUNTIME_VALIDATION_FAILED', /has no transaction 9/);
    await write('erase', { p: ada });
    expectCode(await undo(server, 5), 'SVC_RUNTIME_VALIDATION_FAILED', /erased an individual/);
    const plain = await started(LEASE, { grant: ['reload'] });
    expectCode(await undo(plain, 1), 'SVC_RUNTIME_CAPABILITY_DENIED', /fork/);
  });
});

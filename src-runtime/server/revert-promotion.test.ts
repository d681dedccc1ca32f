/** Reverting a promotion over HTTP: what is restored, what stays, and refusals. */

import { describe, expect, it } from 'vitest';
import { expectCode } from './testing/expect-code.js';
import { type RealOptions, type RealServer, serversOfTests } from './testing/real.js';

const LEASE = `
module lease
context tenantId: Text?
pub concept Person { name: Text, boss: Person?, note: Text? }
pub concept Lease { code: Text, keeper: Person? }
pub relation tenantOf(lease: Lease, tenant: Person)
pub check tooManyLeases(p: Person)
  when Person(p), let n = count(for l where tenantOf(l, p)), n > 1
  severity blocking
  message "{p.name} holds {n} leases; one is allowed"
pub check vacant(l: Lease) when Lease(l), not tenantOf(l, _) severity warning message "lease {l.code} is vacant"
pub mutation addPerson(name: Text) -> Person { return insert Person { name: name } }
pub mutation change(p: Person, name: Text, boss: Person?, note: Text?) {
  set p.name = name
  set p.boss = boss
  set p.note = note
}
pub mutation remove(p: Person) { delete p }
pub mutation cancel(l: Lease) { delete l }
pub mutation sign(tenant: Person, code: Text) -> Lease {
  let l = insert Lease { code: code, keeper: tenant }
  insert tenantOf(l, tenant)
  return l
}
pub mutation join(l: Lease, tenant: Person) { insert tenantOf(l, tenant) }
pub mutation leave(l: Lease, tenant: Person) { delete tenantOf(l, tenant) }
pub mutation erase(p: Person) { forget p }
`;

const started = serversOfTests();
const serve = (options: RealOptions = {}) => started(LEASE, options);

async function write(server: RealServer, fork: string, name: string, args: object) {
  const { body } = await server.call('POST', `/v1/forks/${fork}/dispatch/mutation`, { path: `lease::${name}`, args });
  expect(body.error).toBeUndefined();
  return body;
}

/** A server where Ada holds a lease and is Bob's boss, and a fork `what-if` that was created afterwards. */
async function forked(options: RealOptions = {}) {
  const server = await serve(options);
  const add = async (name: string) => (await write(server, 'main', 'addPerson', { name })).result.$id as string;
  const [ada, bob] = [await add('Ada'), await add('Bob')];
  const { result: lease } = await write(server, 'main', 'sign', { tenant: ada, code: 'L1' });
  await write(server, 'main', 'change', { p: bob, name: 'Bob', boss: ada, note: 'old' });
  await server.call('POST', '/v1/forks', { id: 'what-if' });
  return { server, ada, bob, lease: lease.$id as string };
}

async function promote(server: RealServer, fork = 'what-if') {
  const { body } = await server.call('POST', `/v1/forks/${fork}/promote`);
  expect(body.error).toBeUndefined();
  return body;
}

const undo = (server: RealServer, query = '') => server.call('POST', `/v1/forks/what-if/promote/undo${query}`);

async function load(server: RealServer, text: string) {
  const files = [{ file: 'lease.entail', text }];
  const { body } = await server.call('PUT', '/v1/module/sources', { files });
  expect(body.result).toMatchObject({ reloaded: true, diagnostics: [] });
}

/** All stored facts of `main`. */
async function facts(server: RealServer): Promise<string[]> {
  const { body } = await server.call('GET', '/v1/snapshot');
  return body.result.facts.map(({ factId }: { factId: string }) => factId).sort();
}

describe('reverting a promotion', () => {
  it('restores what was set, deleted and inserted, and keeps later changes', async () => {
    const { server, ada, bob, lease } = await forked();
    const before = await facts(server);
    await write(server, 'what-if', 'change', { p: bob, name: 'Robert', boss: null, note: 'new' });
    await write(server, 'what-if', 'remove', { p: ada });
    await write(server, 'what-if', 'join', { l: lease, tenant: bob });
    const { result: cy } = await write(server, 'what-if', 'addPerson', { name: 'Cy' });
    await write(server, 'what-if', 'sign', { tenant: cy.$id, code: 'L2' });
    await promote(server);
    const { result: dee } = await write(server, 'main', 'addPerson', { name: 'Dee' });
    const since = (await facts(server)).filter((factId) => !before.includes(factId));
    const dry = await undo(server, '?dryRun=true');
    expect(dry.body).toMatchObject({ txn: null, conflicts: [], result: { id: 'what-if', status: 'promoted' } });
    expect(await facts(server)).toContain(since[0]);

    const { body } = await undo(server);
    expect(body.events).toEqual(
      dry.body.events.map((event: object) => ({ ...event, txn: body.txn, at: body.events[0].at })),
    );
    const now = await facts(server);
    expect(now.filter((factId) => before.includes(factId))).toEqual(before);
    expect(now.length - before.length).toBe(2);
    expect((await server.call('GET', `/v1/individuals/${encodeURIComponent(dee.$id)}`)).status).toBe(200);
    const restored = await server.call('GET', `/v1/individuals/${encodeURIComponent(bob)}`);
    expect(restored.body.result).toMatchObject({ name: 'Bob', boss: ada, note: 'old' });
    const proof = await server.call('POST', '/v1/explain', { relation: 'lease::tenantOf', tuple: [lease, ada] });
    expect(proof.body.result.proof.event.txn).toBe(body.txn);
  });

  it('changes nothing the second time, or after a promotion without changes', async () => {
    const { server, bob } = await forked();
    await write(server, 'what-if', 'change', { p: bob, name: 'Rob', boss: null, note: null });
    await promote(server);
    expect((await undo(server)).body.events).toHaveLength(3);
    expect((await undo(server)).body).toMatchObject({ txn: null, events: [], conflicts: [] });
    await server.call('POST', '/v1/forks', { id: 'idle' });
    await promote(server, 'idle');
    const idle = await server.call('POST', '/v1/forks/idle/promote/undo');
    expect(idle.body).toMatchObject({ txn: null, events: [], warnings: [] });
  });

  it('is noted in the record of the fork, also after a reload and a restart, but not for a dry run', async () => {
    const { server, bob } = await forked({ onDisk: true });
    await write(server, 'what-if', 'change', { p: bob, name: 'Rob', boss: null, note: null });
    await promote(server);
    const record = async (of: Pick<RealServer, 'call'>) => (await of.call('GET', '/v1/forks/what-if')).body.result;
    await undo(server, '?dryRun=true');
    expect(await record(server)).not.toHaveProperty('undoneAt');
    const { body } = await undo(server);
    const undone = { status: 'promoted', undoneAt: body.events[0].at };
    expect([body.result, await record(server)]).toMatchObject([undone, undone]);
    await load(server, `${LEASE}\npub derive lone(p: Person) when Person(p), p.boss == none`);
    expect(await record(server)).toMatchObject(undone);
    await server.stop();
    expect(await record(await serve({ onDisk: true, folder: server.folder }))).toMatchObject(undone);
  });

  it('reports later changes of a field that are lost, and new violations', async () => {
    const { server, ada, bob, lease } = await forked();
    await write(server, 'what-if', 'change', { p: bob, name: 'Rob', boss: ada, note: 'old' });
    const { result: cy } = await write(server, 'what-if', 'addPerson', { name: 'Cy' });
    await promote(server);
    await write(server, 'main', 'change', { p: bob, name: 'Bert', boss: ada, note: 'later' });
    await write(server, 'main', 'change', { p: cy.$id, name: 'Cyril', boss: null, note: null });
    await write(server, 'main', 'leave', { l: lease, tenant: ada });
    await write(server, 'main', 'sign', { tenant: cy.$id, code: 'L2' });
    const { body } = await undo(server);
    expect(body.conflicts).toEqual([
      {
        individual: bob,
        field: 'lease::Person.name',
        before: 'Bob',
        promoted: 'Rob',
        now: 'Bert',
        seq: expect.any(Number),
      },
      {
        individual: cy.$id,
        field: 'lease::Person.name',
        before: null,
        promoted: 'Cy',
        now: 'Cyril',
        seq: expect.any(Number),
      },
    ]);
    // The lease that was signed later has lost the tenant that the promotion added.
    expect(body.warnings).toMatchObject([{ check: 'lease::vacant', message: 'lease L2 is vacant' }]);
    const { body: kept } = await server.call('GET', `/v1/individuals/${encodeURIComponent(bob)}`);
    expect(kept.result).toMatchObject({ name: 'Bob', note: 'later' });
  });

  it('reads the history after a restart, and forgotten individuals stay forgotten', async () => {
    const { server, ada, bob } = await forked({ onDisk: true, grant: ['fork', 'forget'] });
    await write(server, 'main', 'change', { p: bob, name: 'Bob', boss: bob, note: 'older' });
    await write(server, 'main', 'change', { p: bob, name: 'Bob', boss: ada, note: 'old' });
    await server.call('DELETE', '/v1/forks/what-if');
    await server.call('POST', '/v1/forks', { id: 'what-if' });
    await write(server, 'what-if', 'change', { p: bob, name: 'Rob', boss: null, note: 'new' });
    await promote(server);
    await write(server, 'main', 'erase', { p: ada });
    await server.stop();
    const again = await serve({ onDisk: true, folder: server.folder });
    expect((await undo(again)).status).toBe(200);
    const { body } = await again.call('GET', `/v1/individuals/${encodeURIComponent(bob)}`);
    expect(body.result).toMatchObject({ name: 'Bob', boss: null, note: 'old' });
  });

  it('works for a promotion from a fork to its parent that is a fork', async () => {
    const { server, bob } = await forked();
    await server.call('POST', '/v1/forks', { id: 'inner', from: 'what-if' });
    await write(server, 'inner', 'change', { p: bob, name: 'Rob', boss: null, note: null });
    await promote(server, 'inner');
    const path = '/v1/forks/inner/promote/undo';
    expect((await server.call('POST', path)).body.events).toHaveLength(3);
    expect((await server.call('GET', '/v1/forks/what-if/diff/main')).body.result).toEqual([]);
    await server.call('DELETE', '/v1/forks/what-if');
    expectCode(await server.call('POST', path), 'SVC_RUNTIME_FORK_CLOSED', /"what-if" has been aborted/);
  });
});

describe('a refused revert', () => {
  it('SVC_RUNTIME_CHECK_VIOLATION if a guard of the parent refuses the result', async () => {
    const { server, ada, lease } = await forked();
    await write(server, 'what-if', 'cancel', { l: lease });
    await promote(server);
    await write(server, 'main', 'sign', { tenant: ada, code: 'L2' });
    const before = await facts(server);
    for (const query of ['?dryRun=true', '']) {
      const refused = await undo(server, query);
      expectCode(refused, 'SVC_RUNTIME_CHECK_VIOLATION', /one is allowed/);
      expect(refused.body.error.details.diagnostics).toMatchObject([{ tuple: { p: ada } }]);
    }
    expect(await facts(server)).toEqual(before);
  });

  it('SVC_RUNTIME_VALIDATION_FAILED for a reference to a missing individual, and for a fork that was not promoted', async () => {
    const { server, ada, bob } = await forked();
    expectCode(await undo(server), 'SVC_RUNTIME_VALIDATION_FAILED', /"what-if" has not been promoted/);
    expectCode(
      await server.call('POST', '/v1/forks/main/promote/undo'),
      'SVC_RUNTIME_VALIDATION_FAILED',
      /"main" has not been promoted/,
    );
    await write(server, 'what-if', 'change', { p: bob, name: 'Bob', boss: bob, note: 'old' });
    const { events } = await promote(server);
    await write(server, 'main', 'remove', { p: ada });
    const lost = await undo(server);
    expectCode(lost, 'SVC_RUNTIME_VALIDATION_FAILED', new RegExp(`${ada} does not exist`));
    expect(lost.body.error.details).toMatchObject({ fork: 'what-if', seq: events[0].seq });
  });

  it('SVC_RUNTIME_VALIDATION_FAILED for a value that the module no longer accepts', async () => {
    const kinds = (members: string) => `${LEASE}enum Kind { ${members} }\npub concept Case { kind: Kind }\n`;
    const withOld = `${kinds('old, new')}pub mutation open() -> Case { return insert Case { kind: old } }
pub mutation renew(c: Case) { set c.kind = new }
`;
    const server = await started(withOld);
    const { result: first } = await write(server, 'main', 'open', {});
    await server.call('POST', '/v1/forks', { id: 'what-if' });
    await write(server, 'what-if', 'renew', { c: first.$id });
    await promote(server);
    await load(server, kinds('new'));
    const before = await facts(server);
    expectCode(
      await undo(server),
      'SVC_RUNTIME_VALIDATION_FAILED',
      /"lease::Case.kind" can no longer hold "old"\. Restore that first/,
    );
    expect(await facts(server)).toEqual(before);
  });

  it('SVC_RUNTIME_VALIDATION_FAILED for a tuple that the module no longer accepts', async () => {
    const kinds = (members: string) => `${LEASE}enum Kind { ${members} }\npub relation kindOf(p: Person, kind: Kind)\n`;
    const server = await started(`${kinds('old, new')}pub mutation kind(p: Person) { insert kindOf(p, old) }
pub mutation unkind(p: Person) { delete kindOf(p, _) }
`);
    const { result: ada } = await write(server, 'main', 'addPerson', { name: 'Ada' });
    await write(server, 'main', 'kind', { p: ada.$id });
    await server.call('POST', '/v1/forks', { id: 'what-if' });
    await write(server, 'what-if', 'unkind', { p: ada.$id });
    await promote(server);
    await load(server, kinds('new'));
    expectCode(
      await undo(server),
      'SVC_RUNTIME_VALIDATION_FAILED',
      /"lease::kindOf" can no longer hold \["#i1","old"\]/,
    );
  });

  it('gives restored individuals the defaults of newly required fields, or is refused without a default', async () => {
    const { server, ada, bob } = await forked();
    for (const p of [ada, bob]) await write(server, 'what-if', 'remove', { p });
    await promote(server);
    const requiring = (field: string) =>
      LEASE.replace('concept Person { name: Text,', `concept Person { name: Text, ${field},`);
    await load(server, requiring('age: Int = 18'));
    expect((await undo(server, '?dryRun=true')).body.events).toContainEqual(
      expect.objectContaining({ id: bob, field: 'lease::Person.age', value: 18 }),
    );
    const withoutDefault = requiring('age: Int').replace('Person { name: name }', 'Person { name: name, age: 1 }');
    await load(server, withoutDefault);
    expectCode(
      await undo(server),
      'SVC_RUNTIME_VALIDATION_FAILED',
      /"lease::Person.age" is required, and the history has no value/,
    );
  });

  it('SVC_RUNTIME_FORK_NOT_FOUND, SVC_RUNTIME_FORK_CONFLICT and SVC_RUNTIME_CAPABILITY_DENIED as for a promotion', async () => {
    const { server } = await forked();
    const path = '/v1/forks/what-if/promote/undo';
    expectCode(await server.call('POST', '/v1/forks/what-of/promote/undo'), 'SVC_RUNTIME_FORK_NOT_FOUND');
    expectCode(await server.call('POST', path, { fork: 'main' }), 'SVC_RUNTIME_FORK_CONFLICT');
    const denying = await serve({ grant: ['reload'] });
    expectCode(await denying.call('POST', path), 'SVC_RUNTIME_CAPABILITY_DENIED');
  });
});

/** Cherry-picks over HTTP: their changes, conflicts and refusals. */

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCode } from './testing/expect-code.js';
import { forkServers, names, on, write } from './testing/lease-forks.js';
import { type RealServer, serversOfTests } from './testing/real.js';

const { serve, forked } = forkServers();
const started = serversOfTests();

const pick = (server: RealServer, onto: string, body: object, query = '') =>
  server.call('POST', `/v1/forks/${onto}/pick${query}`, body);

async function facts(server: RealServer, fork: string): Promise<string[]> {
  const { body } = await server.call('GET', '/v1/snapshot', undefined, on(fork));
  return body.result.facts.map(({ factId }: { factId: string }) => factId).sort();
}

/** `what-if` has signed a lease for Ada and renamed her. Returns these transactions. */
async function signed() {
  const { server, ada } = await forked({ grant: ['fork', 'forget', 'reload'] });
  const sign = await write(server, 'what-if', 'lease::sign', { tenant: ada, code: 'L1', rent: 700 });
  const change = await write(server, 'what-if', 'lease::rename', { p: ada, name: 'Adah' });
  return { server, ada, sign: sign.txn as number, change: change.txn as number, lease: sign.result.$id as string };
}

describe('a cherry-pick', () => {
  it('writes the changes to another fork, as one transaction that names its source, and nothing else', async () => {
    const { server, ada, sign, lease } = await signed();
    const before = await facts(server, 'main');
    const dry = await pick(server, 'main', { from: 'what-if', txn: sign }, '?dryRun=true&effects=true');
    expect(dry.body).toMatchObject({
      result: { txn: sign, fork: 'what-if', cause: { kind: 'mutation', path: 'lease::sign' } },
      txn: null,
      conflicts: [],
      effects: { facts: expect.arrayContaining([expect.objectContaining({ kind: 'derived', tuple: [ada, lease] })]) },
    });
    expect(await facts(server, 'main')).toEqual(before);
    const { body } = await pick(server, 'main', { from: 'what-if', txn: sign });
    expect(body.events).toEqual(dry.body.events.map((event: object) => ({ ...event, at: expect.any(String) })));
    expect(body).not.toHaveProperty('effects');
    expect(await names(server, 'main')).toEqual(['Ada']);
    const [last] = (await server.call('GET', '/v1/transactions?limit=1')).body.result;
    expect(last).toMatchObject({ txn: body.txn, cause: { kind: 'pick', txn: sign, fork: 'what-if' }, events: 4 });
    expect((await server.call('GET', '/v1/forks/what-if')).body.result).toMatchObject({ status: 'open', behind: 4 });
  });

  it('gives the same facts as a promotion if every transaction of the fork is cherry-picked', async () => {
    const { server, ada, lease } = await signed();
    const { result: bo } = await write(server, 'what-if', 'lease::addPerson', { name: 'Bo' });
    await write(server, 'what-if', 'lease::hire', { p: ada, boss: bo.$id });
    const { result: cy } = await write(server, 'what-if', 'lease::addPerson', { name: 'Cy' });
    await write(server, 'what-if', 'lease::fire', { p: bo.$id });
    await write(server, 'what-if', 'lease::sign', { tenant: cy.$id, code: 'L2', rent: 9000 });
    await write(server, 'what-if', 'lease::rename', { p: ada, name: 'Ada' });
    await server.call('POST', '/v1/forks', { id: 'picked' });
    const listed = (await server.call('GET', '/v1/transactions', undefined, on('what-if'))).body.result;
    const own = listed.filter(({ fork }: { fork: string }) => fork === 'what-if').reverse();
    for (const { txn } of own)
      expect((await pick(server, 'picked', { from: 'what-if', txn })).body.conflicts).toEqual([]);
    await server.call('POST', '/v1/forks/what-if/promote');
    expect(await facts(server, 'picked')).toEqual(await facts(server, 'main'));
    expect(await facts(server, 'picked')).toHaveLength(12);
    expect((await server.call('GET', `/v1/individuals/${encodeURIComponent(lease)}`)).status).toBe(200);
  });

  it('changes nothing if the changes are already there, and says so', async () => {
    const { server, sign } = await signed();
    await pick(server, 'main', { from: 'what-if', txn: sign });
    for (const query of ['?dryRun=true', '']) {
      const again = await pick(server, 'main', { from: 'what-if', txn: sign }, query);
      expect(again).toMatchObject({ status: 200, body: { txn: null, events: [], warnings: [], conflicts: [] } });
    }
    await pick(server, 'what-if', { from: 'what-if', txn: sign });
    const promoted = (await server.call('POST', '/v1/forks/what-if/promote')).body;
    expect(promoted).toMatchObject({ conflicts: [], events: [{ kind: 'setField', value: 'Adah' }] });
  });

  it('reports fields that the target changed too, and keeps the requested value', async () => {
    const { server, ada, change } = await signed();
    await server.mutation('lease::rename', { p: ada, name: 'Adeline' });
    const conflict = { individual: ada, field: 'lease::Person.name', base: 'Ada', fork: 'Adah', parent: 'Adeline' };
    const kept = await pick(server, 'main', { from: 'what-if', txn: change }, '?keep=parent');
    expect(kept.body).toMatchObject({ txn: null, events: [], conflicts: [{ ...conflict, kept: 'parent' }] });
    const { body } = await pick(server, 'main', { from: 'what-if', txn: change });
    expect(body).toMatchObject({ txn: expect.any(Number), conflicts: [{ ...conflict, kept: 'fork' }] });
    expect(await names(server, 'main')).toEqual(['Adah']);
  });

  it('can be explained before it is made, with the requested values', async () => {
    const { server, ada, change } = await signed();
    await write(server, 'main', 'lease::rename', { p: ada, name: 'Anna' });
    const named = async (name: string, keep: object) => {
      const after = { pick: { from: 'what-if', txn: change }, ...keep };
      const request = { relation: 'lease::Person.name', tuple: [ada, name], after };
      return (await server.call('POST', '/v1/explain', request)).body.result.holds;
    };
    expect(await named('Adah', {})).toBe(true);
    expect(await named('Anna', { keep: 'parent' })).toBe(true);
    expect(await named('Anna', { keep: [[ada, 'lease::Person.name']] })).toBe(true);
    expect(await named('Anna', { keep: [] })).toBe(false);
  });

  it('restores reverted changes, and those of an aborted fork', async () => {
    const { server, sign, change } = await signed();
    await server.call('POST', `/v1/transactions/${change}/undo`, undefined, on('what-if'));
    await pick(server, 'what-if', { from: 'what-if', txn: change });
    expect(await names(server, 'what-if')).toEqual(['Adah']);
    await server.call('DELETE', '/v1/forks/what-if');
    const { body } = await pick(server, 'main', { from: 'what-if', txn: sign });
    expect(body).toMatchObject({ txn: expect.any(Number), events: expect.any(Array) });
    expect(await facts(server, 'main')).toHaveLength(6);
  });

  it('restores an individual without fields that were set later, unlike a promotion or a fork as of then', async () => {
    const { server, ada } = await forked();
    const { result, txn: came } = await write(server, 'main', 'lease::addPerson', { name: 'Bo' });
    const bo = result.$id as string;
    const { txn: hired } = await write(server, 'main', 'lease::hire', { p: bo, boss: ada });
    const bossOn = async (fork: string) =>
      (await server.call('GET', `/v1/individuals/${encodeURIComponent(bo)}`, undefined, on(fork))).body.result.boss;
    await server.call('POST', '/v1/forks', { id: 'anew' });
    await write(server, 'anew', 'lease::fire', { p: bo });
    await pick(server, 'anew', { from: 'main', txn: came });
    expect([await bossOn('main'), await bossOn('anew')]).toEqual([ada, null]);
    await server.call('POST', '/v1/forks', { id: 'then', from: 'anew', asOf: hired });
    expect(await bossOn('then')).toBe(ada);
    expect((await server.call('POST', '/v1/forks/anew/promote')).status).toBe(200);
    expect(await bossOn('main')).toBeNull();
  });

  it('survives a restart', async () => {
    const { server } = await forked({ onDisk: true });
    const { txn } = await write(server, 'what-if', 'lease::addPerson', { name: 'Bo' });
    await pick(server, 'main', { from: 'what-if', txn });
    await server.stop();
    const again = await serve({ onDisk: true, folder: server.folder });
    expect(await names(again, 'main')).toEqual(['Ada', 'Bo']);
  });

  it('restores no individual that was forgotten since', async () => {
    const { server, ada, sign, change } = await signed();
    await server.mutation('lease::erase', { p: ada });
    expect((await pick(server, 'main', { from: 'what-if', txn: change })).body).toMatchObject({ txn: null });
    const { body } = await pick(server, 'main', { from: 'what-if', txn: sign });
    expect(body.events).not.toContainEqual(expect.objectContaining({ kind: 'insertFact' }));
  });
});

describe('a transaction written under another module', () => {
  const module = (declared: string, add: string) => `module case
pub concept Case { name: Text${declared} }
pub mutation open() -> Case { return insert Case { name: "A"${add} } }
`;
  const load = async (server: RealServer, text: string) => {
    const { body } = await server.call('PUT', '/v1/module/sources', { files: [{ file: 'lease.entail', text }] });
    expect(body.error).toBeUndefined();
  };
  const aborted = async (text: string) => {
    const server = await started(text, { grant: ['fork', 'reload'] });
    await server.call('POST', '/v1/forks', { id: 'what-if' });
    const { txn } = await write(server, 'what-if', 'case::open', {});
    await server.call('DELETE', '/v1/forks/what-if');
    return { server, txn: txn as number };
  };

  it('gets the defaults that the loaded module requires, or is refused without one', async () => {
    const { server, txn } = await aborted(module('', ''));
    await load(server, module(', rank: Int', ', rank: 2'));
    expectCode(
      await pick(server, 'main', { from: 'what-if', txn }),
      'SVC_RUNTIME_VALIDATION_FAILED',
      /"case::Case.rank" is required, and the history has no value/,
    );
    await load(server, module(', rank: Int = 1', ''));
    const { body } = await pick(server, 'main', { from: 'what-if', txn });
    expect(body.events).toContainEqual(expect.objectContaining({ field: 'case::Case.rank', value: 1 }));
  });

  it('is refused if the loaded module cannot represent it', async () => {
    const { server, txn } = await aborted(module(', note: Text?', ', note: "x"'));
    await load(server, module('', ''));
    expectCode(
      await pick(server, 'main', { from: 'what-if', txn }),
      'SVC_RUNTIME_VALIDATION_FAILED',
      /no longer declares: case::Case\.note.*Load a module that declares it/,
    );
  });

  it('is reported as archived if its facts were', async () => {
    const server = await started(module(', note: Text?', ', note: "x"'), { grant: ['fork', 'reload'] });
    const { txn } = await write(server, 'main', 'case::open', {});
    const files = [{ file: 'lease.entail', text: module('', '') }];
    await server.call('PUT', '/v1/module/sources?setAside=true', { files });
    const gone = await pick(server, 'main', { from: 'main', txn });
    expectCode(
      gone,
      'SVC_RUNTIME_VALIDATION_FAILED',
      /It begins after event 3\. Earlier events were archived \(entail serve --scope/,
    );
  });
});

describe('codes of a cherry-pick', () => {
  it('SVC_RUNTIME_VALIDATION_FAILED for an unknown transaction, an invalid body, and what the target lacks', async () => {
    const { server, ada, sign } = await signed();
    const unknown = await pick(server, 'main', { from: 'main', txn: sign });
    expectCode(unknown, 'SVC_RUNTIME_VALIDATION_FAILED', /"main" has no transaction \d+; GET \/v1\/transactions/);
    for (const body of [{}, { txn: sign }, { from: 'what-if' }, { from: 'what-if', txn: -1 }, { from: 7, txn: sign }])
      expectCode(await pick(server, 'main', body), 'SVC_RUNTIME_VALIDATION_FAILED');
    expectCode(
      await pick(server, 'main', { from: 'what-if', txn: sign }, '?keep=mine'),
      'SVC_RUNTIME_VALIDATION_FAILED',
      /keep/,
    );
    await server.mutation('lease::fire', { p: ada });
    const lost = await pick(server, 'main', { from: 'what-if', txn: sign });
    expectCode(lost, 'SVC_RUNTIME_VALIDATION_FAILED', /cannot be replayed on "main".*Add what it refers/);
    expect(lost.body.error.details).toMatchObject({ fork: 'what-if', parent: 'main', txn: sign });
    expect(await facts(server, 'main')).toEqual([]);
  });

  it('SVC_RUNTIME_CHECK_VIOLATION if a check of the target refuses it, with proofs on request', async () => {
    const { server, ada, sign } = await signed();
    await server.mutation('lease::sign', { tenant: ada, code: 'L0', rent: 1 });
    const before = await facts(server, 'main');
    for (const query of ['?dryRun=true', '', '?explain=true']) {
      const refused = await pick(server, 'main', { from: 'what-if', txn: sign }, query);
      expectCode(refused, 'SVC_RUNTIME_CHECK_VIOLATION', /holds 2 leases/);
      expect(refused.body.error.details.conflicts).toEqual([]);
      expect(refused.body.error.details.explanations?.length).toBe(query === '?explain=true' ? 1 : undefined);
    }
    expect(await facts(server, 'main')).toEqual(before);
  });

  it('SVC_RUNTIME_FORK_NOT_FOUND and SVC_RUNTIME_FORK_CONFLICT for either fork, SVC_RUNTIME_FORK_CLOSED for the target only', async () => {
    const { server, sign } = await signed();
    const wanted = { from: 'what-if', txn: sign };
    expectCode(await pick(server, 'what-of', wanted), 'SVC_RUNTIME_FORK_NOT_FOUND', /did you mean "what-if"/);
    expectCode(await pick(server, 'main', { ...wanted, from: 'what-of' }), 'SVC_RUNTIME_FORK_NOT_FOUND', /"what-if"/);
    expectCode(await pick(server, 'main', { ...wanted, fork: 'what-if' }), 'SVC_RUNTIME_FORK_CONFLICT');
    await server.call('DELETE', '/v1/forks/what-if');
    expectCode(await pick(server, 'what-if', { from: 'main', txn: 1 }), 'SVC_RUNTIME_FORK_CLOSED', /what-if/);
    expect((await pick(server, 'main', wanted)).status).toBe(200);
  });

  it('SVC_RUNTIME_STORAGE_ERROR if the disk refuses it, and it can be repeated later', async () => {
    const { server } = await forked({ onDisk: true });
    const { txn } = await write(server, 'what-if', 'lease::addPerson', { name: 'Bo' });
    const data = join(server.folder, 'data');
    await rename(data, `${data}-away`);
    expectCode(await pick(server, 'main', { from: 'what-if', txn }), 'SVC_RUNTIME_STORAGE_ERROR');
    await rename(`${data}-away`, data);
    expect(await names(server, 'main')).toEqual(['Ada']);
    expect((await pick(server, 'main', { from: 'what-if', txn })).status).toBe(200);
    expect(await names(server, 'main')).toEqual(['Ada', 'Bo']);
  });

  it('SVC_RUNTIME_CAPABILITY_DENIED if the server does not grant fork', async () => {
    const server = await serve({ grant: ['reload'] });
    const denied = await pick(server, 'main', { from: 'main', txn: 1 });
    expectCode(denied, 'SVC_RUNTIME_CAPABILITY_DENIED');
    expect(denied.body.error.details.capability).toBe('fork');
  });
});

/** Reaches each code of forks over HTTP. */

import { describe, expect, it } from 'vitest';
import { expectCode } from './testing/expect-code.js';
import { forkServers, names, on, write } from './testing/lease-forks.js';

const { serve, forked } = forkServers();

describe('codes of forks', () => {
  it('SVC_RUNTIME_FORK_NOT_FOUND', async () => {
    const { server } = await forked();
    for (const answer of [
      await server.query('lease::names', {}, on('what-of')),
      await server.call('GET', '/v1/forks/what-of'),
      await server.call('DELETE', '/v1/forks/what-of'),
      await server.call('PATCH', '/v1/forks/what-of', { label: 'Mine' }),
      await server.call('POST', '/v1/forks/what-of/promote'),
      await server.call('POST', '/v1/forks/what-of/update'),
      await server.call('GET', '/v1/forks/what-of/update'),
      await server.call('POST', '/v1/forks/what-of/derive'),
      await server.call('POST', '/v1/forks', { from: 'what-of' }),
      await server.query('lease::nothing', {}, on('what-of')),
    ])
      expectCode(answer, 'SVC_RUNTIME_FORK_NOT_FOUND', /did you mean "what-if"/);
    const elsewhere = { 'x-tenant-id': 'another' };
    expectCode(await server.call('GET', '/v1/forks/what-if', undefined, elsewhere), 'SVC_RUNTIME_FORK_NOT_FOUND');
  });

  it('SVC_RUNTIME_FORK_CONFLICT between path, header and body', async () => {
    const { server } = await forked();
    const query = { path: 'lease::names' };
    for (const answer of [
      await server.call('POST', '/v1/dispatch/query', { ...query, fork: 'main' }, on('what-if')),
      await server.call('POST', '/v1/forks/what-if/dispatch/query', query, on('main')),
      await server.call('POST', '/v1/forks/what-if/dispatch/query', { ...query, fork: 'nowhere' }),
      await server.call('POST', '/v1/forks/main/promote', {}, on('what-if')),
      await server.call('POST', '/v1/forks/main/update', {}, on('what-if')),
      await server.call('POST', '/v1/forks/what-if/update', { fork: 'main' }),
      await server.call('PATCH', '/v1/forks/what-if', { label: 'Mine', fork: 'main' }),
      await server.call('GET', '/v1/forks/what-if/checks', undefined, on('main')),
    ])
      expectCode(answer, 'SVC_RUNTIME_FORK_CONFLICT');
    const agreeing = await server.call('POST', '/v1/forks/main/dispatch/query', { ...query, fork: 'main' }, on('main'));
    expect(agreeing.status).toBe(200);
  });

  it.each([
    ['POST', '/v1/forks/what-if/derive'],
    ['POST', '/v1/forks/what-if/promote'],
    ['DELETE', '/v1/forks/what-if'],
  ])('accepts context and fork in the body of %s %s, and no body', async (method, path) => {
    const { server } = await forked();
    expectCode(await server.call(method, path, { fork: 'main' }), 'SVC_RUNTIME_FORK_CONFLICT');
    expectCode(await server.call(method, path, { context: { tenantId: 'b' } }), 'SVC_RUNTIME_FORK_NOT_FOUND');
    expectCode(await server.call(method, path, []), 'SVC_RUNTIME_VALIDATION_FAILED');
    const empty = await server.call(method, path, '', { 'content-type': 'application/json' });
    expect([empty.status, empty.body.error]).toEqual([200, undefined]);
  });

  it('SVC_RUNTIME_FORK_EXISTS, but the id of an aborted fork can be reused', async () => {
    const { server } = await forked();
    const create = (id: string) => server.call('POST', '/v1/forks', { id });
    expectCode(await create('main'), 'SVC_RUNTIME_FORK_EXISTS');
    expectCode(await create('what-if'), 'SVC_RUNTIME_FORK_EXISTS', /abort it first/);
    for (const query of ['', '?dryRun=true']) {
      const update = await server.call('POST', `/v1/forks/what-if/update${query}`, { id: 'what-if' });
      expectCode(update, 'SVC_RUNTIME_FORK_EXISTS', /what-if/);
    }
    await write(server, 'what-if', 'lease::addPerson', { name: 'Bob' });
    expect((await server.call('DELETE', '/v1/forks/what-if')).body.result.status).toBe('aborted');
    expect(await names(server, 'what-if')).toEqual(['Ada', 'Bob']);
    expect((await create('what-if')).body.result).toMatchObject({ status: 'open', events: 0 });
    expect(await names(server, 'what-if')).toEqual(['Ada']);
    await server.call('POST', '/v1/forks/what-if/promote');
    expectCode(await create('what-if'), 'SVC_RUNTIME_FORK_EXISTS', /another id/);
  });

  it('SVC_RUNTIME_FORK_CLOSED after promote and abort, before the callable is checked', async () => {
    const { server } = await forked();
    await server.call('POST', '/v1/forks', { id: 'aborted' });
    await server.call('POST', '/v1/forks', { id: 'inner', from: 'aborted' });
    await server.call('DELETE', '/v1/forks/aborted');
    await server.call('POST', '/v1/forks/what-if/promote');
    for (const fork of ['what-if', 'aborted']) {
      const path = `/v1/forks/${fork}`;
      for (const answer of [
        await server.call('POST', `${path}/dispatch/mutation`, { path: 'lease::nothing' }),
        await server.mutation('lease::addPerson', { name: 'Bob' }, on(fork)),
        await server.call('POST', `${path}/batch`, { steps: [{ mutation: 'lease::nothing', args: {} }] }),
        await server.call('POST', `${path}/mutation/adhoc`, {
          source: 'mutation clear() { for p in (select x where Person(x)) { delete p } }',
        }),
        await server.call('POST', `${path}/derive`),
        await server.call('POST', `${path}/promote`),
        await server.call('POST', `${path}/promote?dryRun=true`),
        await server.call('POST', `${path}/update`),
        await server.call('GET', `${path}/update/counts`),
        await server.call('DELETE', path),
        await server.call('POST', '/v1/forks', { from: fork }),
      ])
        expectCode(answer, 'SVC_RUNTIME_FORK_CLOSED', new RegExp(fork));
      expect(await names(server, fork)).toEqual(['Ada']);
    }
    await write(server, 'inner', 'lease::addPerson', { name: 'Cy' });
    expectCode(await server.call('POST', '/v1/forks/inner/promote'), 'SVC_RUNTIME_FORK_CLOSED', /parent "aborted"/);
  });

  it('SVC_RUNTIME_FORK_NOT_DERIVED before a derive and after a later write on the fork, not one elsewhere', async () => {
    const { server } = await forked();
    const derived = () => server.call('GET', '/v1/forks/what-if/derived');
    expectCode(await derived(), 'SVC_RUNTIME_FORK_NOT_DERIVED');
    await server.call('POST', '/v1/forks/what-if/derive');
    await server.mutation('lease::addPerson', { name: 'Bob' });
    expect((await derived()).body.result.fork).toBe('what-if');
    expectCode(await server.call('GET', '/v1/forks/main/derived'), 'SVC_RUNTIME_FORK_NOT_DERIVED');
    await write(server, 'what-if', 'lease::addPerson', { name: 'Cy' });
    expectCode(await derived(), 'SVC_RUNTIME_FORK_NOT_DERIVED');
    expectCode(await server.call('GET', '/v1/forks/what-if/derive/trace'), 'SVC_RUNTIME_FORK_NOT_DERIVED');
    expect((await server.call('GET', '/v1/forks/what-if')).body.result.derivedAt).toBeUndefined();
  });

  it('SVC_RUNTIME_VALIDATION_FAILED for main, for invalid ids, and for facts that the parent no longer has', async () => {
    const { server, ada } = await forked({ grant: ['fork', 'forget'] });
    expectCode(await server.call('DELETE', '/v1/forks/main'), 'SVC_RUNTIME_VALIDATION_FAILED', /main/);
    expectCode(await server.call('POST', '/v1/forks/main/promote'), 'SVC_RUNTIME_VALIDATION_FAILED', /main/);
    expectCode(
      await server.call('POST', '/v1/forks/main/update'),
      'SVC_RUNTIME_VALIDATION_FAILED',
      /cannot be rebased/,
    );
    for (const id of ['', 'a/b', '.hidden', 'x'.repeat(65), 7])
      for (const path of ['/v1/forks', '/v1/forks/what-if/update'])
        expectCode(await server.call('POST', path, { id }), 'SVC_RUNTIME_VALIDATION_FAILED');
    const forgetting = await server.mutation('lease::erase', { p: ada }, on('what-if'));
    expectCode(forgetting, 'SVC_RUNTIME_VALIDATION_FAILED', /on the fork/);
    const { result: bob } = await write(server, 'what-if', 'lease::addPerson', { name: 'Bob' });
    const { events, txn } = await write(server, 'what-if', 'lease::hire', { p: bob.$id, boss: ada });
    await server.mutation('lease::fire', { p: ada });
    for (const path of ['/v1/forks/what-if/update', '/v1/forks/what-if/update?dryRun=true']) {
      const lost = await server.call('POST', path);
      expectCode(lost, 'SVC_RUNTIME_VALIDATION_FAILED', /then rebase again/);
      expect(lost.body.error.details).toMatchObject({ seq: events[0].seq, txn });
    }
    expectCode(await server.call('GET', '/v1/forks/what-if/update/counts'), 'SVC_RUNTIME_VALIDATION_FAILED');
    const lost = await server.call('POST', '/v1/forks/what-if/promote');
    expectCode(lost, 'SVC_RUNTIME_VALIDATION_FAILED', /cannot be replayed on "main"/);
    expect(lost.body.error.details).toMatchObject({ seq: events[0].seq, txn });
    expect(await names(server, 'main')).toEqual([]);
    await write(server, 'what-if', 'lease::fire', { p: ada });
    expect((await server.call('POST', '/v1/forks/what-if/promote')).status).toBe(200);
    expect(await names(server, 'main')).toEqual(['Bob']);
  });

  it('SVC_RUNTIME_CHECK_VIOLATION on the fork, and in a promotion: it is rolled back and the fork stays open', async () => {
    const { server, ada } = await forked();
    const sign = { tenant: ada, code: 'L', rent: 1 };
    await write(server, 'what-if', 'lease::sign', sign);
    const second = await server.mutation('lease::sign', sign, on('what-if'));
    expectCode(second, 'SVC_RUNTIME_CHECK_VIOLATION');
    await server.mutation('lease::sign', sign);
    const history = (await server.call('GET', '/v1/forks/main')).body.result.events;
    for (const query of ['?dryRun=true', '']) {
      const refused = await server.call('POST', `/v1/forks/what-if/promote${query}`);
      expectCode(refused, 'SVC_RUNTIME_CHECK_VIOLATION');
      expect(refused.body.error.details.diagnostics).toMatchObject([
        { check: 'lease::tooManyLeases', tuple: { p: ada } },
      ]);
    }
    expect((await server.call('GET', '/v1/forks/main')).body.result.events).toBe(history);
    expect((await server.call('GET', '/v1/forks/what-if')).body.result.status).toBe('open');
  });

  it('SVC_RUNTIME_CAPABILITY_DENIED if the server does not grant fork', async () => {
    const server = await serve({ grant: ['reload'] });
    for (const answer of [
      await server.call('POST', '/v1/forks', { id: 'what-if' }),
      await server.call('DELETE', '/v1/forks/nowhere'),
      await server.call('POST', '/v1/forks/nowhere/promote'),
      await server.call('POST', '/v1/forks/nowhere/update'),
      await server.call('GET', '/v1/forks/nowhere/update'),
      await server.call('GET', '/v1/forks/nowhere/update/counts'),
    ]) {
      expectCode(answer, 'SVC_RUNTIME_CAPABILITY_DENIED');
      expect(answer.body.error.details.capability).toBe('fork');
    }
    expect((await server.call('GET', '/v1/forks')).body.result).toMatchObject([{ id: 'main' }]);
  });
});

/** Labels of forks over HTTP: set, changed, removed, kept over a restart, sent to followers, and independent of facts. */

import { describe, expect, it } from 'vitest';
import { createClient } from '../api/client.js';
import { expectCode } from './testing/expect-code.js';
import { forkServers, names, write } from './testing/lease-forks.js';
import type { RealServer } from './testing/real.js';
import { signal } from './testing/signal.js';
import { openStream } from './testing/stream.js';

const { serve, forked } = forkServers();

const label = (server: RealServer, text: unknown, fork = 'what-if') =>
  server.call('PATCH', `/v1/forks/${fork}`, { label: text });

const record = async (server: RealServer, fork = 'what-if') =>
  (await server.call('GET', `/v1/forks/${fork}`)).body.result;

describe('the label of a fork', () => {
  it('can be set, changed and removed, and is part of every record of the fork', async () => {
    const { server, created } = await forked();
    const before = created.body.result;
    expect(before).not.toHaveProperty('label');
    const labelled = { ...before, label: 'Rent raised 5 %' };
    expect(await label(server, '  Rent raised 5 % ')).toMatchObject({ status: 200, body: { result: labelled } });
    expect(await record(server)).toEqual(labelled);
    expect((await server.call('GET', '/v1/forks')).body.result[1]).toEqual(labelled);
    await label(server, '租金上涨 5 % 👍');
    expect(await record(server)).toEqual({ ...before, label: '租金上涨 5 % 👍' });
    for (const none of ['', ' ', null]) {
      await label(server, 'Something');
      expect((await label(server, none)).body.result).toEqual(before);
      expect(await record(server)).toEqual(before);
    }
  });

  it('can be set for a new fork, need not be unique, and is copied by a rebase', async () => {
    const { server } = await forked();
    await write(server, 'what-if', 'lease::addPerson', { name: 'Bob' });
    await label(server, 'Mine');
    const create = (body: object) => server.call('POST', '/v1/forks', body);
    expect(await create({ label: ' Mine ' })).toMatchObject({ status: 201, body: { result: { label: 'Mine' } } });
    expect((await create({ id: 'none', label: ' ' })).body.result).not.toHaveProperty('label');
    const updated = await server.call('POST', '/v1/forks/what-if/update', { id: 'next' });
    expect(updated.body.result).toMatchObject({ id: 'next', label: 'Mine' });
    expect(await record(server, 'next')).toMatchObject({ label: 'Mine' });
  });

  it('survives a reload and a restart, also for a closed fork', async () => {
    const { server } = await forked({ onDisk: true });
    await server.call('POST', '/v1/forks', { id: 'gone', label: 'Left' });
    await server.call('DELETE', '/v1/forks/gone');
    await server.call('POST', '/v1/forks', { id: 'plain', label: 'For a while' });
    await label(server, 'Rent raised 5 %');
    await label(server, 'Given up', 'gone');
    await label(server, null, 'plain');
    const before = (await server.call('GET', '/v1/forks')).body.result;
    expect(before.map((each: { label?: string }) => each.label)).toEqual([
      undefined,
      'Rent raised 5 %',
      'Given up',
      undefined,
    ]);
    expect((await server.call('POST', '/v1/module/reload')).status).toBe(200);
    expect((await server.call('GET', '/v1/forks')).body.result).toEqual(before);
    await server.stop();
    const again = await serve({ onDisk: true, folder: server.folder });
    expect((await again.call('GET', '/v1/forks')).body.result).toEqual(before);
  });

  it('takes no number and changes no facts', async () => {
    const { server } = await forked();
    await write(server, 'what-if', 'lease::addPerson', { name: 'Bob' });
    await server.call('POST', '/v1/forks/what-if/derive');
    const { label: _none, ...before } = await record(server);
    const { body } = await server.call('GET', '/v1/forks/what-if/derived');
    await label(server, 'Rent raised 5 %');
    expect(await record(server)).toEqual({ ...before, label: 'Rent raised 5 %' });
    expect((await server.call('GET', '/v1/forks/what-if/derived')).body.result).toEqual(body.result);
    const next = await write(server, 'what-if', 'lease::addPerson', { name: 'Cy' });
    expect([next.txn, next.events[0].seq]).toEqual([4, 5]);
    expect(await names(server, 'what-if')).toEqual(['Ada', 'Bob', 'Cy']);
  });

  it('is sent to followers of any fork of the scope, as its own message, once for each change', async () => {
    const { server } = await forked();
    const { running } = server;
    const main = await openStream(running);
    const elsewhere = await openStream(running, { 'x-tenant-id': 'another' });
    const received: unknown[] = [];
    const abort = new AbortController();
    const opened = signal();
    const client = createClient({ baseUrl: running.url, token: running.token });
    const events = client.follow({
      fork: 'what-if',
      signal: abort.signal,
      onOpen: opened.give,
      onOther: (...message) => received.push(message),
    });
    const first = events.next();
    await opened.given;
    await label(server, 'Mine');
    await label(server, 'Mine');
    const message = await main.next();
    expect([message?.event, JSON.parse(message?.data ?? '')]).toEqual(['fork', await record(server)]);
    await write(server, 'what-if', 'lease::addPerson', { name: 'Bob' });
    expect((await first).value).toMatchObject({ kind: 'insertIndividual' });
    expect(received).toEqual([['fork', expect.objectContaining({ id: 'what-if', label: 'Mine' })]]);
    const { body } = await server.mutation('lease::addPerson', { name: 'Cy' });
    expect(JSON.parse((await main.next())?.data ?? '')).toEqual(body.events[0]);
    const other = await server.mutation('lease::addPerson', { name: 'Di' }, { 'x-tenant-id': 'another' });
    expect(JSON.parse((await elsewhere.next())?.data ?? '')).toEqual(other.body.events[0]);
    abort.abort();
    await events.return(undefined);
    await main.close();
    await elsewhere.close();
  });

  it.each([
    ['more than 80 characters', 'x'.repeat(81), 'POST', /must have at most 80 characters/],
    ['two lines', 'one\ntwo', 'POST', /must be one line.*\(\$\.label\)/],
    ['a number', 5, 'POST', /expected a string.*\(\$\.label\)/],
    ['nothing at all', undefined, 'PATCH', /expected a string.*\(\$\.label\)/],
  ])('is refused if it is %s', async (_what, text, method, words) => {
    const { server } = await forked();
    expectCode(await label(server, text), 'SVC_RUNTIME_VALIDATION_FAILED', words);
    if (method === 'POST') {
      expectCode(await server.call('POST', '/v1/forks', { label: text }), 'SVC_RUNTIME_VALIDATION_FAILED', words);
    }
  });

  it('is refused for main, and if the server does not grant forks', async () => {
    const { server } = await forked();
    expectCode(await label(server, 'Mine', 'main'), 'SVC_RUNTIME_VALIDATION_FAILED', /"main" cannot be labelled/);
    const without = await serve({ grant: [] });
    expectCode(await label(without, 'Mine'), 'SVC_RUNTIME_CAPABILITY_DENIED');
  });
});

/** Followers of a history whose scope is replaced, or whose fork is promoted or aborted. */

import { expect, it } from 'vitest';
import { expectCode } from './testing/expect-code.js';
import { addNote, type EventStreamConnection, NOTES, noteServers } from './testing/notes.js';
import type { RealServer } from './testing/real.js';

const { serve, stream } = noteServers();

/** Requires another field of every note. */
const MISFIT = NOTES.replace('text: Text }', 'text: Text, by: Text }').replace(
  /(insert Note \{ text: \w+)/g,
  '$1, by: ""',
);
/** Loads without incompatibilities. */
const WIDER = `${NOTES}pub query texts() -> [Text] { select n.text where Note(n) }\n`;

async function save(server: RealServer, text: string): Promise<readonly string[]> {
  const files = [{ file: 'lease.entail', text }];
  const { body } = await server.call('PUT', '/v1/module/sources?setAside=true', { files });
  expect(body.result).toMatchObject({ reloaded: true });
  return body.result.setAside ?? [];
}

const seqsOf = (events: readonly { readonly seq: number }[]) => events.map(({ seq }) => seq);

/** The failure that ends a stream. */
async function ending({ next }: EventStreamConnection): Promise<unknown> {
  const last = await next();
  expect([last?.event, await next()]).toEqual(['error', undefined]);
  return JSON.parse(last?.data ?? '').error;
}

const resume = (server: RealServer, lastEventId: string) =>
  server.call('GET', '/v1/events', undefined, { accept: 'text/event-stream', 'last-event-id': lastEventId });

it('ends a stream with the reason if its scope is archived, and never mixes its events with later ones', async () => {
  const server = await serve();
  await addNote(server, 'one');
  const first = await server.call('GET', '/v1/events?limit=1');
  const follower = await stream(server);
  const elsewhere = await stream(server, { 'x-tenant-id': 'other' });
  expect(await save(server, MISFIT)).toHaveLength(1);
  expect(await ending(follower)).toMatchObject({ code: 'SVC_RUNTIME_MODULE_INCOMPATIBLE', details: { seq: 2 } });

  const added = await addNote(server, 'new');
  expect(seqsOf(added)).toEqual([3, 4, 5]);
  expect((await server.call('GET', '/v1/events')).body.result).toEqual(added);
  const refused = await resume(server, '1');
  expectCode(refused, 'SVC_RUNTIME_VALIDATION_FAILED', /archived/);
  expect(refused.body.error.details).toEqual({ lastEventId: 1, firstSeq: 2 });
  for (const [lastEventId, rest] of [
    ['0', added],
    ['2', added],
    ['3', added.slice(1)],
  ] as const) {
    const resumed = await stream(server, { 'last-event-id': lastEventId });
    expect(await resumed.events(rest.length)).toEqual(rest);
  }
  const cursor = `/v1/events?limit=1&page=${first.body.nextCursor}`;
  expectCode(await server.call('GET', cursor), 'SVC_RUNTIME_INVALID_CURSOR');
  const other = await addNote(server, 'other', { 'x-tenant-id': 'other' });
  expect(await elsewhere.events(3)).toEqual(other);
});

it('continues the numbers of an archived scope over a restart', async () => {
  const server = await serve({ onDisk: true });
  await addNote(server, 'one');
  await save(server, MISFIT);
  await server.stop();
  const again = await serve({ onDisk: true, folder: server.folder }, MISFIT);
  expect(seqsOf(await addNote(again, 'two'))).toEqual([3, 4, 5]);
  expectCode(await resume(again, '1'), 'SVC_RUNTIME_VALIDATION_FAILED', /archived/);
});

it('sends a promotion to followers of the parent; the stream of the fork stays open without events', async () => {
  const server = await serve();
  const onFork = { 'x-fork-id': 'draft' };
  await server.call('POST', '/v1/forks', { id: 'draft' });
  const [ofMain, ofFork] = [await stream(server), await stream(server, onFork)];
  const written = await addNote(server, 'drafted', onFork);
  expect(await ofFork.events(2)).toEqual(written);
  const promoted = await server.call('POST', '/v1/forks/draft/promote');
  expect(await ofMain.events(2)).toEqual(promoted.body.events);
  const resumed = await stream(server, { ...onFork, 'last-event-id': '0' });
  expect(await resumed.events(2)).toEqual(written);
  const later = await addNote(server, 'later');
  expect(await ofMain.events(2)).toEqual(later);
  await server.stop();
  expect([await ofFork.next(), await resumed.next()]).toEqual([undefined, undefined]);
});

it.each([
  ['', false],
  [', after a reload too', true],
])('ends the stream of an aborted fork if another fork takes its id%s', async (_, isReloaded) => {
  const server = await serve();
  const onFork = { 'x-fork-id': 'draft' };
  await server.call('POST', '/v1/forks', { id: 'draft' });
  const follower = await stream(server, onFork);
  const written = await addNote(server, 'drafted', onFork);
  expect(await follower.events(2)).toEqual(written);
  await server.call('DELETE', '/v1/forks/draft');
  if (isReloaded) expect(await save(server, WIDER)).toEqual([]);
  await server.call('POST', '/v1/forks', { id: 'draft' });
  await addNote(server, 'another', onFork);
  expect(await ending(follower)).toMatchObject({ code: 'SVC_RUNTIME_FORK_CLOSED', details: { fork: 'draft' } });
});

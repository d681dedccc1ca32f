/** Opening scopes before their first request. */

import { expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import type { EventStore } from '../../storage/event-store.js';
import { openMemoryStore } from '../../storage/index.js';
import { changedStore } from '../testing/changed-store.js';
import { FRAME, startWorld } from '../testing/start-world.js';
import { OPENED_AHEAD_MAX } from './open-ahead.js';

const NOTES = `module notes
pub concept Note { text: Text }
pub mutation add(times: Int) { for i in range(0, times) { insert Note { text: "x" } } }
`;
const OF_TENANTS = NOTES.replace('module notes', 'module notes\ncontext tenantId: Text');
const OTHER_SCHEMA = NOTES.replace('text: Text', 'text: Text, more: Text?');

const asTenant = (tenantId: string) => ({ ...FRAME, headerContext: { tenantId } });

/** A store that records which scopes are read. */
function readingsOf(memory: EventStore) {
  const read: string[] = [];
  const store = changedStore(memory, {
    forks: (scopeId) => {
      read.push(scopeId);
      return memory.forks(scopeId);
    },
  });
  return { store, read };
}

/** Stores this many notes for each tenant, or for the default one. */
async function storedNotes(module: string, notes: Readonly<Record<string, number>>): Promise<EventStore> {
  const store = await openMemoryStore();
  const world = await startWorld(module, { store });
  for (const [tenant, times] of Object.entries(notes)) {
    const session = await world.runtime.enter(module === NOTES ? FRAME : asTenant(tenant));
    await session.mutate('notes::add', { times }, { dryRun: false, granted: [] }, noDeadline);
  }
  return store;
}

it('opens the only scope, so that the first request reads no history', async () => {
  const { store, read } = readingsOf(await storedNotes(NOTES, { default: 3 }));
  const { runtime } = await startWorld(NOTES, { store });
  await runtime.openScopes();
  expect(read).toHaveLength(1);
  await runtime.enter(FRAME);
  await runtime.openScopes();
  expect(read).toHaveLength(1);
});

it('skips scopes of tenants under a module without tenants', async () => {
  const { store, read } = readingsOf(await storedNotes(OF_TENANTS, { north: 3 }));
  const { runtime } = await startWorld(NOTES, { store });
  await runtime.openScopes();
  expect(read).toEqual([]);
});

it('opens the longest histories up to a limit, and others with their first request', async () => {
  const lengths = Object.fromEntries(Array.from({ length: OPENED_AHEAD_MAX + 2 }, (_, no) => [`tenant ${no}`, no + 1]));
  const { store, read } = readingsOf(await storedNotes(OF_TENANTS, lengths));
  const scopeIds = new Map((await store.scopes()).map(({ tenant, scopeId }) => [tenant, scopeId]));
  const { runtime } = await startWorld(OF_TENANTS, { store });
  await runtime.openScopes();
  const longest = Object.keys(lengths).reverse().slice(0, OPENED_AHEAD_MAX);
  expect(read).toEqual(longest.map((tenant) => scopeIds.get(tenant)));
  await runtime.enter(asTenant('tenant 0'));
  expect(read.at(-1)).toBe(scopeIds.get('tenant 0'));
});

it('rejects if no scope can be opened, and tries again at the next call', async () => {
  const store = await storedNotes(NOTES, { default: 3 });
  const { runtime } = await startWorld(OTHER_SCHEMA, { store });
  await expect(runtime.openScopes()).rejects.toMatchObject({ code: 'SVC_RUNTIME_SCHEMA_MISMATCH' });
  const [record] = await store.scopes();
  await store.recordSchema(record?.scopeId ?? '', runtime.module().schemaHash);
  await expect(runtime.openScopes()).resolves.toBeUndefined();
});

it('resolves if only one scope cannot be opened', async () => {
  const store = await storedNotes(OF_TENANTS, { north: 3, south: 2 });
  const { runtime } = await startWorld(OF_TENANTS, { store });
  const [north] = await store.scopes();
  await store.recordSchema(north?.scopeId ?? '', 'another');
  await expect(runtime.openScopes()).resolves.toBeUndefined();
});

it('stops reading a history when the runtime closes', async () => {
  const memory = await storedNotes(NOTES, { default: 3 });
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let proceed = (): void => {};
  const held = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  let parts = 0;
  const store = changedStore(memory, {
    async *read(...of: Parameters<EventStore['read']>) {
      for await (const part of memory.read(...of)) {
        begin();
        await held;
        for (; parts < 1_000; parts += 1) yield { ...part, isLast: false };
      }
    },
  });
  const { runtime } = await startWorld(NOTES, { store });
  const opening = runtime.openScopes();
  await begun;
  const closed = runtime.close();
  proceed();
  await expect(opening).rejects.toThrow('the runtime closes');
  await closed;
  expect(parts).toBeLessThan(1_000);
});

/** The history for readers: erased events disappear even if they were read ahead, and a fork continues its parent's history. */

import { describe, expect, it } from 'vitest';
import type { WireEvent } from '../../api/schemas/schemas.js';
import { noDeadline } from '../../base/ports.js';
import { type EventStore, MAIN_FORK, type StoredEvent } from '../../storage/event-store.js';
import { openMemoryStore } from '../../storage/index.js';
import { createCursors } from '../state/cursor.js';
import { forkOf } from '../state/open-scope.js';
import type { Fork } from '../state/scope.js';
import { createWrites, type Writes } from '../state/writes.js';
import { followEvents, listEvents } from './events.js';

const SCOPE = 's';

async function openHistory() {
  const [store, writes] = [await openMemoryStore(), createWrites()];
  await store.createScope({ scopeId: SCOPE, tenant: 't', schemaHash: 'h' });
  let [txn, seq] = [0, 0];
  const append = async (fork: string, values: readonly string[], erased?: string) => {
    const events = values.map((value): StoredEvent => {
      seq += 1;
      return { seq, kind: 'setField', id: `#i${value}`, field: 'm::C.f', value };
    });
    txn += 1;
    const erasure = erased === undefined ? undefined : { individuals: [erased], plainPositions: {} };
    const stored = {
      fork,
      txn,
      at: '2026-01-01T00:00:00.000Z',
      cause: { kind: 'mutation', path: 'm::set' } as const,
      principal: null,
      events,
    };
    await store.append(SCOPE, [stored], { erasure });
    writes.announce(SCOPE);
  };
  const createFork = async (id: string, parent: Fork): Promise<Fork> => {
    txn += 1;
    const record = { fork: id, txn, parent: parent.id, baseSeq: seq, status: 'open', createdAt: '' } as const;
    await store.createFork(SCOPE, record);
    return { ...forkOf(record, parent), lastTransaction: Number.POSITIVE_INFINITY };
  };
  return { store, writes, append, createFork };
}

const MAIN = {
  ...forkOf({ fork: MAIN_FORK, txn: 0, parent: '', baseSeq: 0, status: 'open', createdAt: '' }, null),
  lastTransaction: Number.POSITIVE_INFINITY,
};

const feedOf = (store: EventStore, writes: Writes, fork = MAIN) =>
  followEvents(() => ({ store, scopeId: SCOPE, fork, firstSeq: 0 }), writes, { txn: 1000, seq: 1000 }, 0);

async function all(feed: AsyncIterable<readonly WireEvent[]>): Promise<WireEvent[]> {
  const found: WireEvent[] = [];
  for await (const batch of feed) found.push(...batch);
  return found;
}

describe('a feed', () => {
  it('does not return erased events that were read ahead', async () => {
    const { store, writes, append } = await openHistory();
    for (const value of ['1', '2', '3']) await append(MAIN_FORK, [value]);
    const feed = await feedOf(store, writes);
    const returned: WireEvent[] = [];
    for await (const batch of feed.unread()) {
      returned.push(...batch);
      if (returned.length === 1) await append(MAIN_FORK, ['4'], '#i2');
    }
    expect(returned.map(({ seq, kind, id }) => [seq, kind, id])).toEqual([
      [1, 'setField', '#i1'],
      [2, 'redacted', '#i2'],
      [3, 'setField', '#i3'],
      [4, 'setField', '#i4'],
    ]);
    expect(JSON.stringify(returned)).not.toContain('"value":"2"');
  });

  it('returns a large transaction in batches, and resumes inside one', async () => {
    const { store, writes, append } = await openHistory();
    await append(
      MAIN_FORK,
      Array.from({ length: 1000 }, (_, index) => String(index)),
    );
    const feed = await feedOf(store, writes);
    for await (const batch of feed.unread()) {
      expect(batch.length).toBeLessThan(500);
      break;
    }
    const begun = feed.seq;
    expect(begun).toBeLessThan(500);
    const rest = await all(feed.unread());
    expect(rest.map(({ seq }) => seq)).toEqual(Array.from({ length: 1000 - begun }, (_, index) => begun + index + 1));
    expect(await all(feed.unread())).toEqual([]);
  });

  it('calls back on each write to its scope, until it is unsubscribed', async () => {
    const { store, writes, append } = await openHistory();
    const feed = await feedOf(store, writes);
    let calls = 0;
    const stop = feed.onWrite(() => {
      calls += 1;
    });
    await append(MAIN_FORK, ['1']);
    await store.createScope({ scopeId: 'other', tenant: 'u', schemaHash: 'h' });
    await append(MAIN_FORK, ['2']);
    stop();
    await append(MAIN_FORK, ['3']);
    expect(calls).toBe(2);
  });
});

describe('the history of a fork', () => {
  it("includes its ancestors' history up to each fork point, and its own", async () => {
    const { store, writes, append, createFork } = await openHistory();
    await append(MAIN_FORK, ['a', 'b']);
    const f = await createFork('f', MAIN);
    await append(MAIN_FORK, ['later']);
    await append('f', ['c']);
    const g = await createFork('g', f);
    await append('f', ['later too']);
    await append('g', ['d']);
    const values = async (fork: Fork) =>
      (await all((await feedOf(store, writes, fork)).unread())).map(({ value }) => value);
    expect(await values(MAIN)).toEqual(['a', 'b', 'later']);
    expect(await values(f)).toEqual(['a', 'b', 'c', 'later too']);
    expect(await values(g)).toEqual(['a', 'b', 'c', 'd']);
    const cursors = createCursors(new Uint8Array(32));
    const pages: (readonly WireEvent[])[] = [];
    for (let page: string | undefined = ''; page !== undefined; ) {
      const paging = { limit: 2, page: page === '' ? undefined : page };
      const request = { paging, cursors, request: ['events'], rowsMax: 10 };
      const { result, nextCursor } = await listEvents(
        { store, scopeId: SCOPE, fork: g, firstSeq: 0 },
        request,
        noDeadline,
      );
      pages.push(result);
      page = nextCursor;
    }
    expect(pages.map((page) => page.map(({ value }) => value))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });
});

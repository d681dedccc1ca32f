/** What callers can rely on about the responses that are kept for an Idempotency-Key. */

import { expect, it, vi } from 'vitest';
import { backupLines } from './backup.js';
import type { EventStore, Outcome } from './event-store.js';
import { openMemoryStore } from './index.js';
import { openLocked } from './sqljs-store.js';
import { FAKE_DIRECTORY, FakeDisk } from './testing/fake-disk.js';
import {
  closing,
  forgetting,
  forkRecord,
  history,
  redacted,
  rememberingLog,
  SCOPE,
  scopeRecord,
  transaction,
} from './testing/histories.js';

const unlocked = { check: async () => undefined, release: async () => undefined };

/** A checkpoint seals a history of 100,000 bytes. */
function open(disk: FakeDisk, checkpointAfterBytes = 1_000_000): Promise<EventStore> {
  const log = rememberingLog();
  return openLocked(
    { directory: FAKE_DIRECTORY, log, checkpointAfterBytes, segmentBytes: 100_000 },
    disk.files,
    unlocked,
  );
}

function outcome(key: string, at = '2026-01-02T03:04:05.678Z'): Outcome {
  return {
    key,
    request: `hash of ${key}`,
    response: `{"value":{"result":"Zoë ${key}","warnings":["${key}"]},"txn":1}`,
    at,
  };
}

function erased(key: string): Outcome {
  return { ...outcome(key), request: '', response: '{"value":{"result":null,"warnings":[]},"txn":1}' };
}

async function started(store: EventStore): Promise<EventStore> {
  await store.createScope(scopeRecord);
  return store;
}

it('keeps an outcome over a restart, from journal and checkpoint', async () => {
  const disk = new FakeDisk();
  const store = await started(await open(disk));
  await store.append(SCOPE, [transaction(1)], { outcome: outcome('a') });
  await store.close();
  const again = await open(disk, 0);
  expect(await again.outcome(SCOPE, 'a')).toEqual(outcome('a'));
  expect(await again.outcome(SCOPE, 'b')).toBeUndefined();
  expect(await again.outcome('another', 'a')).toBeUndefined();
  await again.createFork(SCOPE, forkRecord(2), undefined, { outcome: outcome('b') });
  await again.labelFork(SCOPE, { fork: 'what-if', txn: 2, label: 'First' }, { outcome: outcome('c') });
  await again.closeFork(SCOPE, closing(2, 'promoted'), transaction(3), { outcome: outcome('d') });
  await again.close();
  expect(disk.paths().some((path) => path.endsWith('.sqlite'))).toBe(true);
  const last = await open(disk);
  for (const key of ['a', 'b', 'c', 'd']) expect(await last.outcome(SCOPE, key)).toEqual(outcome(key));
  await last.close();
});

it('keeps a transaction with its outcome, or neither, after a kill at any operation', async () => {
  const found = new Set<string>();
  for (let atOperation = 1; !found.has('acknowledged'); atOperation += 1) {
    const disk = new FakeDisk();
    const store = await started(await open(disk));
    disk.expect({ atOperation, done: 'half', kind: 'crash' });
    const write = store.append(SCOPE, [transaction(1)], { outcome: outcome('a') });
    const isAcknowledged = await write.then(
      () => true,
      () => false,
    );
    const again = await open(disk.afterwards('killed'));
    const kept = [(await history(again)).length, (await again.outcome(SCOPE, 'a'))?.key];
    expect([
      [0, undefined],
      [1, 'a'],
    ]).toContainEqual(kept);
    if (isAcknowledged) expect(kept).toEqual([1, 'a']);
    found.add(isAcknowledged ? 'acknowledged' : `${kept[0]} kept`);
    await again.close();
  }
  expect(found).toEqual(new Set(['0 kept', '1 kept', 'acknowledged']));
});

it('keeps no outcome of a refused write', async () => {
  const store = await started(await openMemoryStore());
  await expect(store.append(SCOPE, [transaction(2)], { outcome: outcome('a') })).rejects.toThrow(/does not follow/);
  expect(await store.outcome(SCOPE, 'a')).toBeUndefined();
});

it('replaces an outcome of the same key, and drops those that are a day older than a new one', async () => {
  const store = await started(await openMemoryStore());
  await store.append(SCOPE, [transaction(1)], { outcome: outcome('a') });
  await store.append(SCOPE, [transaction(2)], { outcome: outcome('b', '2026-01-03T03:04:05.678Z') });
  expect(await store.outcome(SCOPE, 'a')).toEqual(outcome('a'));
  const later = outcome('b', '2026-01-03T03:04:05.679Z');
  await store.append(SCOPE, [transaction(3)], { outcome: later });
  expect(await store.outcome(SCOPE, 'a')).toBeUndefined();
  expect(await store.outcome(SCOPE, 'b')).toEqual(later);
});

it('drops the oldest outcomes once the newer ones have 16 MiB', async () => {
  const store = await started(await openMemoryStore());
  const long = (key: string): Outcome => ({ ...outcome(key), response: 'x'.repeat(9 * 1024 * 1024) });
  for (const [at, key] of ['a', 'b', 'c', 'd'].entries()) {
    await store.append(SCOPE, [transaction(at + 1)], { outcome: long(key) });
  }
  const kept = await Promise.all(['a', 'b', 'c', 'd'].map((key) => store.outcome(SCOPE, key)));
  expect(kept.map((each) => each?.key)).toEqual([undefined, undefined, 'c', 'd']);
});

it('empties the outcomes of a scope in all files when it erases an individual, sealed segments too', async () => {
  const disk = new FakeDisk();
  const store = await started(await open(disk, 0));
  const other = { scopeId: 'another', tenant: 'other', schemaHash: 'h1' };
  await store.createScope(other);
  await store.append(other.scopeId, [transaction(1)], { outcome: outcome('other') });
  await store.append(SCOPE, [transaction(1)], { outcome: outcome('a') });
  const long = transaction(2, 'main', 150_000);
  await store.append(SCOPE, [long], { outcome: outcome('b') });
  await vi.waitFor(() => expect(disk.paths().some((path) => path.includes('/history-'))).toBe(true));
  // The sealed history says nothing of this individual, so an erasure does not rewrite it.
  await store.append(SCOPE, [transaction(3)], { outcome: outcome('c') });
  const erasure = { individuals: ['#i3'], plainPositions: {} };
  await store.append(SCOPE, [forgetting(4, 3)], { erasure, outcome: outcome('forget') });
  expect(await store.outcome(SCOPE, 'a')).toEqual(erased('a'));
  const texts = disk.paths().map((path) => Buffer.from(disk.bytes(path)).toString('latin1'));
  expect(texts.filter((text) => /hash of [abc]|Zo.+ [abc]"/.test(text))).toEqual([]);
  await store.close();
  const again = await open(disk);
  expect(await again.outcome(SCOPE, 'b')).toEqual(erased('b'));
  expect(await again.outcome(SCOPE, 'forget')).toEqual(outcome('forget'));
  expect(await again.outcome(other.scopeId, 'other')).toEqual(outcome('other'));
  expect(await history(again)).toEqual([transaction(1), long, redacted(3), forgetting(4, 3)]);
  await again.close();
});

it('leaves outcomes out of a backup', async () => {
  const backups = await Promise.all(
    [undefined, outcome('a')].map(async (each) => {
      const store = await started(await openMemoryStore());
      await store.append(SCOPE, [transaction(1)], { outcome: each });
      const lines: string[] = [];
      for await (const line of backupLines(store)) lines.push(line);
      return lines;
    }),
  );
  expect(backups[1]).toEqual(backups[0]);
});

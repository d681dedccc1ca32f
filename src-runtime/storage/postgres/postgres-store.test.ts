/** What only the store of several servers promises, on a real PostgreSQL where one is installed. */

import { describe, expect, it } from 'vitest';
import type { Entry, EventStore } from '../event-store.js';
import {
  closing,
  forkRecord,
  history,
  longTransaction,
  rememberingLog,
  SCOPE,
  scopeRecord,
  transaction,
} from '../testing/histories.js';
import { programs, testDatabase } from '../testing/postgres.js';
import { openPostgresStore } from './postgres-store.js';

describe.runIf(programs)('the PostgreSQL store', () => {
  const open = async () => {
    const { url } = await testDatabase();
    return [1, 2].map(() => openPostgresStore({ url, log: rememberingLog() }));
  };

  it('gives another server what was written after a version, in order', async () => {
    const [one, other] = (await Promise.all(await open())) as [EventStore, EventStore];
    await one.createScope(scopeRecord);
    await one.append(SCOPE, [transaction(1)]);
    await one.createFork(SCOPE, forkRecord(2), transaction(3, 'what-if'));
    await one.append(SCOPE, [longTransaction(4, 20_000, 9)]);
    await one.closeFork(SCOPE, closing(2, 'promoted'), { ...transaction(5), events: [] });
    expect(await other.shared?.positions([SCOPE, 'nobody'])).toEqual(
      new Map([[SCOPE, { version: 4, epoch: 0, deployment: 0 }]]),
    );
    const entries: Entry[] = [];
    for await (const entry of other.shared?.entriesAfter(SCOPE, 1) ?? []) entries.push(entry);
    const long = entries.filter(({ version }) => version === 3);
    expect(long.flatMap((entry) => (entry.kind === 'transaction' ? entry.part.events : []))).toEqual(
      longTransaction(4, 20_000, 9).events,
    );
    expect(entries.filter((entry) => !long.includes(entry))).toEqual([
      { version: 2, kind: 'createFork', fork: forkRecord(2) },
      { version: 2, kind: 'transaction', part: { ...transaction(3, 'what-if'), isLast: true } },
      { version: 4, kind: 'transaction', part: { ...transaction(5), events: [], isLast: true } },
      { version: 4, kind: 'closeFork', closing: closing(2, 'promoted') },
    ]);
    await Promise.all([one.close(), other.close()]);
  });

  it('refuses a write that builds on an older state, and accepts it on the newest', async () => {
    const [one, other] = (await Promise.all(await open())) as [EventStore, EventStore];
    await one.createScope(scopeRecord);
    const at = { version: 0, epoch: 0, deployment: 0 };
    await one.append(SCOPE, [transaction(1)], { at });
    await expect(other.append(SCOPE, [transaction(1)], { at })).rejects.toMatchObject({ name: 'ScopeBehind' });
    expect((await other.shared?.positions([SCOPE]))?.get(SCOPE)).toEqual({ ...at, version: 1 });
    await other.append(SCOPE, [transaction(2)], { at: { ...at, version: 1 } });
    expect(await history(one)).toEqual([transaction(1), transaction(2)]);
    await Promise.all([one.close(), other.close()]);
  });
});

/** Runs in a store: what was written compactly reads as single events, and is erased as they are. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countEvents, runOfFacts, runOfIndividuals } from './event-runs.js';
import type { StoredEvent, WrittenTransaction } from './event-store.js';
import { openSqlJsStore } from './index.js';
import { history, rememberingLog, SCOPE, scopeRecord, transaction } from './testing/histories.js';

const { events: _, ...head } = transaction(1);
const people = { id: 7, concept: 'lease::Person', fields: ['name', 'boss'] };

/** An event, two facts, and two individuals, one of them without a boss. */
const imported: WrittenTransaction = {
  ...head,
  events: [
    { kind: 'insertFact', seq: 1, relation: 'likes', tuple: ['#i1', 'tea'] },
    runOfFacts(2, 'likes', '[["#i1","a \\"b\\""],["#i2","ü"]]', 2),
    runOfIndividuals(4, people, '[["Ada",null],["Bo","#i7"]]', { count: 2, values: 3 }),
  ],
};

const events: readonly StoredEvent[] = [
  { kind: 'insertFact', seq: 1, relation: 'likes', tuple: ['#i1', 'tea'] },
  { kind: 'insertFact', seq: 2, relation: 'likes', tuple: ['#i1', 'a "b"'] },
  { kind: 'insertFact', seq: 3, relation: 'likes', tuple: ['#i2', 'ü'] },
  { kind: 'insertIndividual', seq: 4, id: '#i7', concept: 'lease::Person' },
  { kind: 'setField', seq: 5, id: '#i7', field: 'name', value: 'Ada' },
  { kind: 'insertIndividual', seq: 6, id: '#i8', concept: 'lease::Person' },
  { kind: 'setField', seq: 7, id: '#i8', field: 'name', value: 'Bo' },
  { kind: 'setField', seq: 8, id: '#i8', field: 'boss', value: '#i7' },
];

describe('a run of events', () => {
  let directory: string;
  const log = rememberingLog();
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'entail-runs-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it.each([
    ['a journal', 1 << 24],
    ['a checkpoint', 1],
  ])('is read as single events, also after a restart from %s', async (_name, checkpointAfterBytes) => {
    const open = () => openSqlJsStore({ directory, log, checkpointAfterBytes });
    const store = await open();
    await store.createScope(scopeRecord);
    await store.append(SCOPE, [imported]);
    expect(countEvents(imported.events)).toBe(8);
    expect(await store.lastNumbers(SCOPE)).toEqual({ txn: 1, seq: 8 });
    expect(await history(store)).toEqual([{ ...head, events }]);
    await store.close();
    const reopened = await open();
    expect(await history(reopened)).toEqual([{ ...head, events }]);
    await reopened.close();
  });
});

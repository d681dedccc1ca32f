/** What callers of any store can rely on: in memory, in a folder, and in PostgreSQL where it is installed. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyStore } from './copy-store.js';
import { runOfFacts, runOfIndividuals } from './event-runs.js';
import type { SchemaAdoption, StatePart, WrittenTransaction } from './event-store.js';
import { type EventStore, openMemoryStore, openSqlJsStore, type StoredEvent, type StoredTransaction } from './index.js';
import { openPostgresStore } from './postgres/postgres-store.js';
import {
  closing,
  forgetting,
  forkRecord,
  history,
  longTransaction,
  redacted,
  rememberingLog,
  SCOPE,
  scopeRecord,
  transaction,
} from './testing/histories.js';
import { testDatabase } from './testing/postgres.js';
import { programs } from './testing/postgres-cluster.js';

/** Where a store keeps its history. */
interface Place {
  open(): Promise<EventStore>;
  /** The same history after a restart; in memory, the same store. */
  reopen(store: EventStore): Promise<EventStore>;
  remove(): Promise<void>;
}

/** Closes its stores when it is removed. */
function placeOf(open: () => Promise<EventStore>, remove: () => Promise<void>): Place {
  const opened: EventStore[] = [];
  const remembered = async () => {
    const store = await open();
    opened.push(store);
    return store;
  };
  return {
    open: remembered,
    reopen: async (store) => {
      await store.close();
      return remembered();
    },
    remove: async () => {
      for (const store of opened) await store.close();
      await remove();
    },
  };
}

const log = rememberingLog();

async function inMemory(): Promise<Place> {
  return { ...placeOf(openMemoryStore, async () => undefined), reopen: async (store) => store };
}

async function inFolder(): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), 'entail-store-'));
  return placeOf(
    () => openSqlJsStore({ directory, log }),
    () => rm(directory, { recursive: true }),
  );
}

async function inPostgres(): Promise<Place> {
  const { url } = await testDatabase();
  return placeOf(
    () => openPostgresStore({ url, log }),
    async () => undefined,
  );
}

const PLACES: readonly (readonly [kind: string, newPlace: () => Promise<Place>])[] = [
  ['sql.js (memory)', inMemory],
  ['sql.js', inFolder],
  ...(programs === undefined ? [] : [['postgres', inPostgres] as const]),
];

describe.each(PLACES)('a store of kind %s', (kind, newPlace) => {
  let place: Place;
  beforeEach(async () => {
    place = await newPlace();
  });
  afterEach(() => place.remove());

  it('says its kind', async () => {
    expect((await place.open()).kind).toBe(kind);
  });

  it('copies a history with its forks and numbers, also one whose numbers do not start at 1', async () => {
    const memory = await openMemoryStore();
    await memory.createScope(scopeRecord);
    await memory.append(SCOPE, [transaction(1)]);
    await memory.createFork(SCOPE, { ...forkRecord(2), label: 'First' }, transaction(3, 'what-if'));
    await memory.append(SCOPE, [longTransaction(4, 20_000, 9)]);
    await memory.closeFork(SCOPE, closing(2, 'promoted'));
    await memory.adoptSchema(aside(SCOPE, 'archived', 'h2'));
    await memory.createFork(SCOPE, forkRecord(5));
    const copied = await place.open();
    await memory.createScope({ ...scopeRecord, scopeId: 'empty', tenant: 'other' });
    await memory.adoptSchema(aside('empty', 'archived-2', 'h2'));
    await copyStore(memory, copied);
    const reopened = await place.reopen(copied);
    for (const scope of ['archived', SCOPE, 'empty', 'archived-2']) {
      expect(await reopened.scope(scope)).toEqual(await memory.scope(scope));
      expect(await reopened.lastNumbers(scope)).toEqual(await memory.lastNumbers(scope));
      expect(await reopened.forks(scope)).toEqual(await memory.forks(scope));
      for (const fork of ['main', 'what-if']) {
        expect(await history(reopened, fork, 0, scope)).toEqual(await history(memory, fork, 0, scope));
      }
    }
  });

  it('keeps scopes, forks and transactions over a restart, each fork with its own', async () => {
    const fork = forkRecord(2);
    const store = await place.open();
    await store.createScope(scopeRecord);
    await store.recordSchema(SCOPE, 'h2');
    await store.append(SCOPE, [transaction(1)]);
    await store.createFork(SCOPE, fork);
    await store.append(SCOPE, [transaction(3, 'what-if')]);
    await store.closeFork(SCOPE, closing(2, 'aborted'));
    await store.createFork(SCOPE, forkRecord(4));
    await store.append(SCOPE, [transaction(5, 'what-if')]);
    await store.closeFork(SCOPE, closing(4, 'promoted'), transaction(6));
    const again = await place.reopen(store);
    expect(await again.scopes()).toEqual([{ ...scopeRecord, schemaHash: 'h2' }]);
    expect(await again.forks(SCOPE)).toEqual([
      { ...fork, status: 'aborted', closedAt: closing(2, 'aborted').closedAt },
      { ...forkRecord(4), status: 'promoted', closedAt: closing(4, 'promoted').closedAt },
    ]);
    expect(await history(again)).toEqual([transaction(1), transaction(6)]);
    expect(await history(again, 'what-if')).toEqual([transaction(3, 'what-if'), transaction(5, 'what-if')]);
    expect(await history(again, 'what-if', 4)).toEqual([transaction(5, 'what-if')]);
  });

  it('keeps the label of a fork over a restart, without a transaction number', async () => {
    const store = await place.open();
    await store.createScope(scopeRecord);
    await store.createFork(SCOPE, { ...forkRecord(1), label: 'First' });
    await store.closeFork(SCOPE, closing(1, 'aborted'));
    await store.createFork(SCOPE, forkRecord(2));
    await store.labelFork(SCOPE, { fork: 'what-if', txn: 2, label: 'Rent raised 5 %' });
    await store.labelFork(SCOPE, { fork: 'what-if', txn: 1, label: null });
    await expect(store.labelFork(SCOPE, { fork: 'what-if', txn: 3, label: 'None' })).rejects.toThrow(/no fork what-if/);
    expect(await store.lastNumbers(SCOPE)).toEqual({ txn: 2, seq: 0 });
    await store.append(SCOPE, [transaction(3)]);
    const kept = [
      { ...forkRecord(1), status: 'aborted', closedAt: closing(1, 'aborted').closedAt },
      { ...forkRecord(2), label: 'Rent raised 5 %' },
    ];
    expect(await store.forks(SCOPE)).toEqual(kept);
    const fromJournal = await place.reopen(store);
    expect(await fromJournal.forks(SCOPE)).toEqual(kept);
    // An erasure is kept as a checkpoint.
    await fromJournal.append(SCOPE, [forgetting(4, 3)], { erasure: { individuals: ['#i3'], plainPositions: {} } });
    const fromCheckpoint = await place.reopen(fromJournal);
    expect(await fromCheckpoint.forks(SCOPE)).toEqual(kept);
  });

  it('adopts a schema for all scopes or none', async () => {
    const store = await place.open();
    await store.createScope(scopeRecord);
    const refused = { scopeIds: [SCOPE], schemaHash: 'h2', setAside: [{ scopeId: 'nobody', asideId: 'other' }] };
    await expect(store.adoptSchema(refused)).rejects.toThrow(/no scope nobody/);
    await expect(store.adoptSchema({ scopeIds: [SCOPE, 'nobody'], schemaHash: 'h2' })).rejects.toThrow(
      /no scope nobody/,
    );
    expect(await store.scopes()).toEqual([scopeRecord]);
    await store.adoptSchema({ scopeIds: [SCOPE], schemaHash: 'h2' });
    const again = await place.reopen(store);
    expect(await again.scopes()).toEqual([{ ...scopeRecord, schemaHash: 'h2' }]);
  });

  it('archives a whole scope under another id, and continues its numbers in an empty one', async () => {
    const store = await place.open();
    await store.createScope(scopeRecord);
    await store.append(SCOPE, [transaction(1)]);
    await store.createFork(SCOPE, forkRecord(2));
    const before = await store.lastNumbers(SCOPE);
    await store.adoptSchema(aside(SCOPE, 'aside', 'h2'));
    expect(await store.lastNumbers(SCOPE)).toEqual(before);
    await expect(store.append(SCOPE, [transaction(2)])).rejects.toThrow(/does not follow 2/);
    await store.append(SCOPE, [transaction(3)]);
    await expect(store.adoptSchema(aside(SCOPE, 'aside', 'h3'))).rejects.toThrow(/aside exists already/);
    await expect(store.adoptSchema(aside('nobody', 'other', 'h3'))).rejects.toThrow(/no scope nobody/);
    const again = await place.reopen(store);
    expect(await again.scopes()).toEqual([
      { ...scopeRecord, scopeId: 'aside' },
      { ...scopeRecord, schemaHash: 'h2' },
    ]);
    expect(await again.forks('aside')).toEqual([forkRecord(2)]);
    expect(await again.forks(SCOPE)).toEqual([]);
    expect([await history(again), await again.lastNumbers('aside')]).toEqual([[transaction(3)], before]);
  });

  it('reads a history of many chunks in order, forwards and backwards', async () => {
    const store = await place.open();
    await store.createScope(scopeRecord);
    await Promise.all(Array.from({ length: 700 }, (_, index) => store.append(SCOPE, [transaction(index + 1)])));
    expect((await history(store)).map(({ txn }) => txn)).toEqual(Array.from({ length: 700 }, (_, index) => index + 1));
    const back: number[] = [];
    for await (const { txn } of store.readBack(SCOPE, 'main', 600)) back.push(txn);
    expect(back).toEqual(Array.from({ length: 599 }, (_, index) => 599 - index));
  });

  it('writes and reads a long transaction in parts, without blocking others or showing half of it', async () => {
    const store = await place.open();
    await store.createScope(scopeRecord);
    await store.append(SCOPE, [transaction(1)]);
    const long = longTransaction(2, 100_000, 3);
    let isKept = false;
    const keeping = store.append(SCOPE, [long]).then(() => {
      isKept = true;
    });
    let turns = 0;
    const count = async () => {
      for (; !isKept; turns += 1) await nextTurn();
    };
    const read = async () => {
      while (!isKept) {
        const [, second] = await history(store);
        if (second !== undefined) expect(second.events).toHaveLength(long.events.length);
      }
    };
    await Promise.all([keeping, count(), read()]);
    // There would be two if neither serializing nor storing were split.
    expect(turns).toBeGreaterThanOrEqual(5);
    expect(await history(store)).toEqual([transaction(1), long]);

    const parts: (readonly number[])[] = [];
    for await (const { events } of store.read(SCOPE, 'main', 1, 50_000)) parts.push(events.map(({ seq }) => seq));
    expect(parts.length).toBeGreaterThan(20);
    // The first part always comes with the transaction. Later parts up to the event are left out.
    expect(parts[1]?.[0]).toBeGreaterThan(49_000);
    expect(parts.at(-1)?.at(-1)).toBe(100_002);
  }, 120_000);

  it('keeps long transactions, and what was erased from them, over a restart', async () => {
    const store = await place.open();
    await store.createScope(scopeRecord);
    const [kept, refused] = [longTransaction(1, 3_000, 1), longTransaction(1, 3_000, 1)];
    await store.append(SCOPE, [kept]);
    await expect(store.append(SCOPE, [refused])).rejects.toThrow(/does not follow 1/);
    await store.append(SCOPE, [{ ...forgetting(2, 1), events: [{ ...forgotten, seq: 3_001 }] }], {
      erasure: { individuals: ['#i1'], plainPositions: {} },
    });
    const rest = kept.events.map((event, index) =>
      index % 100 === 0 ? { kind: 'redacted', seq: event.seq, id: '#i1' } : event,
    );
    const expected = [
      { ...kept, events: rest },
      { ...forgetting(2, 1), events: [{ ...forgotten, seq: 3_001 }] },
    ];
    expect(await history(store)).toEqual(expected);
    await store.append(SCOPE, [longTransaction(3, 3_000, 3_002)]);
    const again = await place.reopen(store);
    expect(await history(again)).toEqual([...expected, longTransaction(3, 3_000, 3_002)]);
  });

  it('refuses numbers that do not follow the last, and unknown scopes, and keeps nothing', async () => {
    const store = await place.open();
    await expect(store.append(SCOPE, [transaction(1)])).rejects.toThrow(/no scope/);
    await store.createScope(scopeRecord);
    await expect(store.createScope(scopeRecord)).rejects.toThrow(/exists already/);
    await store.append(SCOPE, [transaction(1)]);
    for (const txn of [1, 3]) {
      await expect(store.append(SCOPE, [transaction(txn)])).rejects.toThrow(/does not follow 1, the scope's last/);
    }
    expect(await history(store)).toEqual([transaction(1)]);
  });

  it('keeps all transactions of an append, or none', async () => {
    const store = await place.open();
    await store.createScope(scopeRecord);
    await store.append(SCOPE, [transaction(1), transaction(2)]);
    await expect(store.append(SCOPE, [transaction(3), transaction(3)])).rejects.toThrow(/does not follow 3/);
    expect(await history(store)).toEqual([transaction(1), transaction(2)]);
  });

  it('refuses a transaction that follows a refused one, and accepts its number again', async () => {
    const store = await place.open();
    await store.createScope(scopeRecord);
    const refused = store.append(SCOPE, [transaction(1), transaction(1)]);
    const following = store.append(SCOPE, [transaction(2)]);
    const reused = store.append(SCOPE, [transaction(1)]);
    await expect(refused).rejects.toThrow(/does not follow 1/);
    await expect(following).rejects.toThrow(/does not follow 0/);
    await reused;
    expect(await history(store)).toEqual([transaction(1)]);
  });

  it('refuses to close a fork that is not open, and keeps it open if its promotion is refused', async () => {
    const store = await place.open();
    await store.createScope(scopeRecord);
    await expect(store.createFork(SCOPE, { ...forkRecord(1), fork: 'main' })).rejects.toThrow(/always exists/);
    await store.createFork(SCOPE, forkRecord(1));
    await expect(store.createFork(SCOPE, forkRecord(1))).rejects.toThrow(/does not follow 1/);
    await expect(store.closeFork(SCOPE, closing(2, 'aborted'))).rejects.toThrow(/not open/);
    await expect(store.closeFork(SCOPE, closing(1, 'promoted'), transaction(1))).rejects.toThrow(/does not follow 1/);
    expect(await store.forks(SCOPE)).toEqual([forkRecord(1)]);
    const twice = [1, 2].map(() => store.closeFork(SCOPE, closing(1, 'aborted')));
    expect((await Promise.allSettled(twice)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await expect(store.closeFork(SCOPE, closing(1, 'promoted'))).rejects.toThrow(/not open/);
  });

  it('renames in the whole history, on every fork and in long transactions, and keeps that over a restart', async () => {
    const store = await place.open();
    await store.createScope(scopeRecord);
    await store.append(SCOPE, [transaction(1)]);
    await store.createFork(SCOPE, forkRecord(2));
    await store.append(SCOPE, [transaction(3, 'what-if')]);
    await store.append(SCOPE, [longTransaction(4, 3_000, 100, '@lease::acme')]);
    const paths = { 'lease::Person': 'lease::Human', name: 'lease::Human.called', 'lease::noted': 'lease::remarks' };
    const individuals = { '@lease::acme': '@lease::bank' };
    await store.adoptSchema({
      scopeIds: [SCOPE],
      renaming: { paths, values: { 'lease::noted': { 0: individuals } } },
      schemaHash: 'h2',
    });

    const asCalled = ({ events, ...rest }: StoredTransaction) => ({
      ...rest,
      events: events.map((event) =>
        JSON.parse(
          JSON.stringify(event)
            .replace('lease::Person', 'lease::Human')
            .replace('"field":"name"', '"field":"lease::Human.called"')
            .replace('lease::noted', 'lease::remarks')
            .replace('@lease::acme', '@lease::bank'),
        ),
      ),
    });
    const check = async (opened: EventStore) => {
      expect(await history(opened)).toEqual(
        [transaction(1), longTransaction(4, 3_000, 100, '@lease::acme')].map(asCalled),
      );
      expect(await history(opened, 'what-if')).toEqual([asCalled(transaction(3, 'what-if'))]);
      expect(await opened.scope(SCOPE)).toEqual({ ...scopeRecord, schemaHash: 'h2' });
    };
    await check(store);
    await store.append(SCOPE, [longTransaction(5, 1, 5_000)]);
    const again = await place.reopen(store);
    expect(await history(again, 'main', 4)).toEqual([longTransaction(5, 1, 5_000)]);
  });

  it('erases an individual from every fork, and leaves equal texts', async () => {
    const about = (txn: number, events: StoredTransaction['events'], fork = 'main') => ({
      ...transaction(txn, fork),
      events,
    });
    const store = await place.open();
    await store.createScope(scopeRecord);
    await store.append(SCOPE, [transaction(1)]);
    await store.append(SCOPE, [
      about(2, [
        { kind: 'insertFact', seq: 3, relation: 'likes', tuple: ['#i1', 'secret jam'] },
        { kind: 'insertFact', seq: 4, relation: 'likes', tuple: ['#i2', '#i1'] },
        { kind: 'setField', seq: 5, id: '#i2', field: 'boss', value: '#i1' },
      ]),
    ]);
    const fork = forkRecord(3);
    await store.createFork(SCOPE, fork);
    await store.append(SCOPE, [
      about(4, [{ kind: 'setField', seq: 6, id: '#i1', field: 'name', value: 'Zoë 1. F' }], 'what-if'),
    ]);
    await store.append(SCOPE, [forgetting(5, 1)], {
      erasure: { individuals: ['#i1'], plainPositions: { likes: [1], name: [1] } },
    });

    const check = async (opened: EventStore) => {
      expect(await history(opened)).toEqual([
        redacted(1),
        about(2, [
          { kind: 'redacted', seq: 3, id: '#i1' },
          { kind: 'insertFact', seq: 4, relation: 'likes', tuple: ['#i2', '#i1'] },
          { kind: 'redacted', seq: 5, id: '#i1', clears: { id: '#i2', field: 'boss' } },
        ]),
        forgetting(5, 1),
      ]);
      expect(await history(opened, 'what-if')).toEqual([
        about(4, [{ kind: 'redacted', seq: 6, id: '#i1' }], 'what-if'),
      ]);
      expect(await opened.forks(SCOPE)).toEqual([fork]);
    };
    await check(store);
    const again = await place.reopen(store);
    await check(again);
  });

  it('keeps lists and records, and renames and erases inside them', async () => {
    const store = await place.open();
    await store.createScope(scopeRecord);
    const events: readonly StoredEvent[] = [
      {
        kind: 'insertFact',
        seq: 1,
        relation: 'trip',
        tuple: [['#i1', '@lease::acme'], { note: '#i1', level: 'high' }],
      },
      { kind: 'insertFact', seq: 2, relation: 'trip', tuple: [['#i2', '@lease::acme'], { note: '#i1', level: 'low' }] },
      { kind: 'setField', seq: 3, id: '#i2', field: 'friends', value: [['#i1'], []] },
      { kind: 'setField', seq: 4, id: '#i2', field: 'tags', value: [{ none: null, 'a "b"': [1, 'ü'] }] },
    ];
    await store.append(SCOPE, [{ ...transaction(1), events }]);
    const again = await place.reopen(store);
    expect((await history(again))[0]?.events).toEqual(events);
    await again.adoptSchema({
      scopeIds: [SCOPE],
      renaming: {
        paths: {},
        values: {},
        nested: {
          trip: {
            0: { each: { is: { '@lease::acme': '@lease::bank' } } },
            1: { fields: { level: { is: { high: 'top' } } } },
          },
        },
      },
      schemaHash: 'h2',
    });
    await again.append(SCOPE, [{ ...forgetting(2, 1), events: [{ ...forgotten, id: '#i1', seq: 5 }] }], {
      erasure: {
        individuals: ['#i1'],
        plainPositions: {},
        nested: {
          trip: { 0: { each: { is: 'individual' } } },
          friends: { 1: { each: { each: { is: 'individual' } } } },
        },
      },
    });
    const check = async (opened: EventStore) =>
      expect((await history(opened))[0]?.events).toEqual([
        { kind: 'redacted', seq: 1, id: '#i1' },
        {
          kind: 'insertFact',
          seq: 2,
          relation: 'trip',
          tuple: [['#i2', '@lease::bank'], { note: '#i1', level: 'low' }],
        },
        { kind: 'redacted', seq: 3, id: '#i1', clears: { id: '#i2', field: 'friends' } },
        events[3],
      ]);
    await check(again);
    await check(await place.reopen(again));
  });

  it('reads a run as single events, and erases from it an individual whose id it does not spell', async () => {
    const store = await place.open();
    await store.createScope(scopeRecord);
    await store.append(SCOPE, [imported]);
    expect(await store.lastNumbers(SCOPE)).toEqual({ txn: 1, seq: 7 });
    const individuals: readonly StoredEvent[] = [
      { kind: 'insertIndividual', seq: 3, id: '#i7', concept: 'lease::Person' },
      { kind: 'setField', seq: 4, id: '#i7', field: 'name', value: 'Ada' },
      { kind: 'insertIndividual', seq: 5, id: '#i8', concept: 'lease::Person' },
      { kind: 'setField', seq: 6, id: '#i8', field: 'name', value: 'Bo' },
      { kind: 'setField', seq: 7, id: '#i8', field: 'boss', value: '#i7' },
    ];
    const facts: readonly StoredEvent[] = [
      { kind: 'insertFact', seq: 1, relation: 'likes', tuple: ['#i1', 'a "b"'] },
      { kind: 'insertFact', seq: 2, relation: 'likes', tuple: ['#i2', 'ü'] },
    ];
    const reopened = await place.reopen(store);
    expect(await history(reopened)).toEqual([{ ...imported, events: [...facts, ...individuals] }]);
    const forgets = { ...transaction(2), events: [{ ...forgotten, id: '#i7', seq: 8 }] };
    await reopened.append(SCOPE, [forgets], { erasure: { individuals: ['#i7'], plainPositions: { name: [1] } } });
    expect((await history(reopened))[0]?.events).toEqual([
      ...facts,
      { kind: 'redacted', seq: 3, id: '#i7' },
      { kind: 'redacted', seq: 4, id: '#i7' },
      ...individuals.slice(2, 4),
      { kind: 'redacted', seq: 7, id: '#i7', clears: { id: '#i8', field: 'boss' } },
    ]);
  });

  // In memory nothing is saved.
  if (kind !== 'sql.js (memory)')
    it('keeps the last saved state over a restart, until its history is erased', async () => {
      const store = await place.open();
      await store.createScope(scopeRecord);
      for (const txn of [1, 2, 3]) await store.append(SCOPE, [transaction(txn)]);
      expect(await store.savedState(SCOPE)).toBeUndefined();
      expect(await store.saveState(SCOPE, 2, statesOf('first'))).toBe(true);
      expect(await store.saveState(SCOPE, 3, statesOf('second'))).toBe(true);
      expect(await store.saveState('nobody', 1, statesOf('third'))).toBe(false);
      const again = await place.reopen(store);
      const parts = [];
      for await (const part of statesOf('second')) parts.push(part);
      expect(await again.savedState(SCOPE)).toEqual(parts);
      await again.append(SCOPE, [forgetting(4, 1)], { erasure: { individuals: ['#i1'], plainPositions: {} } });
      expect(await again.savedState(SCOPE)).toBeUndefined();
      expect(await again.saveState(SCOPE, 3, statesOf('old'))).toBe(false);
      expect(await again.saveState(SCOPE, 4, statesOf('new'))).toBe(true);
    });
});

const aside = (scopeId: string, asideId: string, schemaHash: string): SchemaAdoption => {
  return { schemaHash, scopeIds: [], setAside: [{ scopeId, asideId }] };
};

const forgotten = { kind: 'forgetIndividual', id: '#i1', concept: 'lease::Person' } as const;

/** Resolves once everything that waits in the event loop had its turn. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Two facts, and two individuals, one of them without a boss. */
const imported: WrittenTransaction = {
  ...transaction(1),
  events: [
    runOfFacts(1, 'likes', '[["#i1","a \\"b\\""],["#i2","ü"]]', 2),
    runOfIndividuals(3, { id: 7, concept: 'lease::Person', fields: ['name', 'boss'] }, '[["Ada",null],["Bo","#i7"]]', {
      count: 2,
      values: 3,
    }),
  ],
};

async function* statesOf(name: string): AsyncGenerator<StatePart> {
  yield { header: { kind: 'scope', name }, numbers: Int32Array.of(1, -2, 0x7fffffff) };
  yield { header: ['ü'], numbers: new Int32Array(0) };
}

/**
 * How long a checkpoint blocks the event loop at several sizes of the history, and what it costs to open a scope of a million facts,
 * beside a peer: sql.js reading the same million rows into arrays.
 */

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import initSqlJs from 'sql.js';
import { noDeadline } from '../../src-runtime/base/ports.js';
import type { EventBody, StoredTransaction } from '../../src-runtime/storage/event-store.js';
import { openSqlJsStore } from '../../src-runtime/storage/index.js';
import { query as runQuery } from '../../src-runtime/world/session/calls.js';
import { cpuOf, NOW, openWorld, quiet } from '../opened-world.js';

const MIB = 1024 * 1024;
const SIZES_MIB = (process.env['ENTAIL_BENCH_MIB'] ?? '64,512,2560').split(',').map(Number);
const ROWS = Number(process.env['ENTAIL_BENCH_ROWS'] ?? 1_000_000);
const ROWS_PER_TRANSACTION = 5_000;
/** Before the first measurement, so that code is compiled. */
const WARMING_MIB = 32;

const MODULE = `module bench
pub concept Item { no: Int, name: Text, amount: Decimal, day: Date }
pub relation entry(no: Int, name: Text, amount: Decimal, day: Date)
pub query entries(no: Int) -> [Text] { select n where entry(no, n, _, _) }
pub query items(no: Int) -> [Text] { select i.name where Item(i), i.no == no }
`;

export async function run(): Promise<void> {
  await measureCheckpoints();
  const peer = await measurePeer();
  await measureOpening('a relation of 4 columns', entryEvents, 'entries', peer);
  await measureOpening('a concept of 4 fields', itemEvents, 'items', peer);
  await measureOpening('a concept of 4 fields, with a fork of half of them', itemEvents, 'items', peer, true);
}

/** The longest step of the event loop while a history grows through many checkpoints. CPU time, because other load stretches the time. */
async function measureCheckpoints(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'entail-bench-data-'));
  const store = await openSqlJsStore({ directory: folder, log: quiet });
  await store.createScope({ scopeId: 's', tenant: 'default', schemaHash: '' });
  let [txn, seq] = [0, 0];
  const growTo = async (bytes: number) => {
    while (sizeOf(folder) < bytes) {
      const events = await eventsOfStep(txn, seq);
      txn += 1;
      seq += events.length;
      await store.append('s', [transactionOf(txn, events)]);
    }
  };
  await growTo(WARMING_MIB * MIB);
  print('history on disk | longest step while it grew (CPU) | (time) | memory');
  for (const size of SIZES_MIB) {
    const steps = watchSteps();
    await growTo(size * MIB);
    const { cpuMs, timeMs } = steps.stop();
    const memory = Math.round(process.memoryUsage().rss / MIB);
    print(`${size} MiB | ${cpuMs.toFixed(0)} ms | ${timeMs.toFixed(0)} ms | ${memory} MiB`);
  }
  await store.close();
  const openedMs = await cpuOf(async () => {
    const again = await openSqlJsStore({ directory: folder, log: quiet });
    await again.close();
  });
  print(`opening the store of ${SIZES_MIB.at(-1)} MiB: ${openedMs.toFixed(0)} ms of CPU`);
  rmSync(folder, { recursive: true });
}

/** Events of a transaction, made a few at a time, so that making them is no long step. */
async function eventsOfStep(txn: number, seq: number): Promise<StoredTransaction['events']> {
  const events: StoredTransaction['events'][number][] = [];
  for (let at = 0; at < 2_000; at += 1) {
    if (at % 200 === 0) await nextTurn();
    events.push({ seq: seq + at + 1, ...entryEvents(txn * 2_000 + at)[0] } as StoredTransaction['events'][number]);
  }
  return events;
}

async function measureOpening(
  what: string,
  eventsOf: (row: number) => readonly EventBody[],
  query: string,
  peerMs: number,
  hasFork = false,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'entail-bench-data-'));
  const open = async () => {
    const { store, runtime } = await openWorld(folder, MODULE);
    const session = await runtime.enter(NOW);
    const { result } = await runQuery(
      session,
      `bench::${query}`,
      { no: 777_777 },
      { limit: undefined, page: undefined },
      noDeadline,
    );
    return { store, runtime, session, result };
  };
  const first = await open();
  const { scopeId } = first.session.scope;
  let [seq, txn] = [0, 0];
  for (let row = 0; row < ROWS; row += ROWS_PER_TRANSACTION) {
    const events = Array.from({ length: ROWS_PER_TRANSACTION }, (_, at) => eventsOf(row + at))
      .flat()
      .map((event) => ({ ...event, seq: ++seq }));
    txn += 1;
    await first.store.append(scopeId, [transactionOf(txn, events)]);
    if (!hasFork || row + ROWS_PER_TRANSACTION !== ROWS / 2) continue;
    txn += 1;
    const open = { status: 'open', createdAt: '2026-01-31T10:00:00.000Z' } as const;
    await first.store.createFork(scopeId, { fork: 'what-if', txn, parent: 'main', baseSeq: seq, ...open });
  }
  await first.runtime.close();
  for (const time of ['after the writes', 'again']) {
    let opened: Awaited<ReturnType<typeof open>> | undefined;
    const ms = await cpuOf(async () => {
      opened = await open();
    });
    const memory = Math.round(process.memoryUsage().rss / MIB);
    print(
      `opening ${ROWS} rows of ${what}, ${time}: ${ms.toFixed(0)} ms of CPU to the first result ${JSON.stringify(opened?.result)} | ${(ms / peerMs).toFixed(1)} times the peer | ${memory} MiB`,
    );
    await opened?.runtime.close();
  }
  rmSync(folder, { recursive: true });
}

/** CPU time in which sql.js reads the rows into arrays. */
async function measurePeer(): Promise<number> {
  const engine = await initSqlJs();
  const database = new engine.Database();
  database.run('CREATE TABLE entry (no INTEGER, name TEXT, amount TEXT, day TEXT); BEGIN');
  const insert = database.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)');
  for (let row = 0; row < ROWS; row += 1) insert.run(valuesOf(row));
  database.run('COMMIT');
  const rows: unknown[] = [];
  const ms = await cpuOf(async () => {
    const select = database.prepare('SELECT no, name, amount, day FROM entry');
    while (select.step()) rows.push(select.get());
  });
  print(`peer: sql.js reads ${rows.length} rows into arrays: ${ms.toFixed(0)} ms of CPU`);
  database.close();
  return ms;
}

function entryEvents(row: number): readonly EventBody[] {
  return [{ kind: 'insertFact', relation: 'bench::entry', tuple: valuesOf(row) }];
}

function itemEvents(row: number): readonly EventBody[] {
  const id = `#i${row + 1}`;
  const [no, name, amount, day] = valuesOf(row);
  return [
    { kind: 'insertIndividual', id, concept: 'bench::Item' },
    { kind: 'setField', id, field: 'bench::Item.no', value: no },
    { kind: 'setField', id, field: 'bench::Item.name', value: name },
    { kind: 'setField', id, field: 'bench::Item.amount', value: amount },
    { kind: 'setField', id, field: 'bench::Item.day', value: day },
  ];
}

function valuesOf(row: number): [number, string, string, string] {
  const day = new Date(Date.UTC(2020, 0, 1 + (row % 2_000))).toISOString().slice(0, 10);
  return [row, `Customer ${row}`, `${row % 100_000}.5`, day];
}

function transactionOf(txn: number, events: StoredTransaction['events']): StoredTransaction {
  return { fork: 'main', txn, at: '2026-01-31T10:00:00.000Z', cause: { kind: 'adhoc' }, principal: null, events };
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** Measures the steps between turns of the event loop. */
function watchSteps(): { stop(): { readonly cpuMs: number; readonly timeMs: number } } {
  let isWatching = true;
  let [cpuMs, timeMs] = [0, 0];
  const watch = async () => {
    while (isWatching) {
      const [startedMs, before] = [performance.now(), process.cpuUsage()];
      await nextTurn();
      const { user, system } = process.cpuUsage(before);
      cpuMs = Math.max(cpuMs, (user + system) / 1_000);
      timeMs = Math.max(timeMs, performance.now() - startedMs);
    }
  };
  void watch();
  return {
    stop() {
      isWatching = false;
      return { cpuMs, timeMs };
    },
  };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

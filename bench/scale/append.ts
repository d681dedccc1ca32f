/**
 * A durable append through the store, beside a bare `INSERT` with its commit on the same PostgreSQL: one at a time, and a hundred at once.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { EventStore, StoredTransaction } from '../../src-runtime/storage/event-store.js';
import { openPostgresStore } from '../../src-runtime/storage/postgres/postgres-store.js';
import { programs, startCluster, stopCluster } from '../../src-runtime/storage/testing/postgres-cluster.js';

const COUNT = Number(process.env['ENTAIL_BENCH_APPENDS'] ?? 2_000);
const CONNECTIONS = 10;
const WARMING = 200;
const quiet = { info: () => {}, warn: () => {} };

export async function run(): Promise<void> {
  if (programs === undefined) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'entail-bench-scale-'));
  try {
    const port = await startCluster(folder, ['shared_preload_libraries=pg_stat_statements']);
    await measure(`postgres://entail@127.0.0.1:${port}/postgres`);
  } finally {
    await stopCluster(folder);
    rmSync(folder, { recursive: true });
  }
}

async function measure(url: string): Promise<void> {
  const store = await openPostgresStore({ url, poolSize: CONNECTIONS, log: quiet });
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  await pool.query(
    'CREATE EXTENSION pg_stat_statements; CREATE TABLE bare (id BIGINT PRIMARY KEY, body TEXT NOT NULL)',
  );
  const scopeIds = Array.from({ length: 100 }, (_, index) => `s${index}`);
  for (const scopeId of scopeIds) await store.createScope({ scopeId, tenant: scopeId, schemaHash: '' });
  let inserted = 0;
  const insert = async () => {
    inserted += 1;
    await pool.query({ name: 'bare', text: 'INSERT INTO bare VALUES ($1, $2)', values: [inserted, BODY] });
  };
  const appends = appending(store);
  const one = () => appends('s0');
  let next = 0;
  const spread = () => appends(scopeIds[next++ % scopeIds.length] ?? '');
  print('durable write | at once | time each | CPU of the process | statements in the database | beside a bare INSERT');
  for (const atOnce of [1, 100]) {
    const bare = await measured(pool, insert, atOnce);
    row('bare INSERT', atOnce, bare, bare);
    row('append to one scope', atOnce, await measured(pool, one, atOnce), bare);
    if (atOnce > 1) row('append to 100 scopes', atOnce, await measured(pool, spread, atOnce), bare);
  }
  await store.close();
  await pool.end();
}

const BODY = JSON.stringify(eventsFrom(1));

/** Appends the next transaction of a scope. */
function appending(store: EventStore): (scopeId: string) => Promise<void> {
  const last = new Map<string, number>();
  return (scopeId) => {
    const version = last.get(scopeId) ?? 0;
    const txn = version + 1;
    last.set(scopeId, txn);
    const cause = { kind: 'mutation', path: 'lease::sign' } as const;
    const events = eventsFrom(txn * 2 - 1);
    const transaction = { fork: 'main', txn, at: '2026-01-02T03:04:05.678Z', cause, principal: 'ada', events };
    return store.append(scopeId, [transaction], { at: { version, epoch: 0, deployment: 0 } });
  };
}

function eventsFrom(seq: number): StoredTransaction['events'] {
  return [
    { kind: 'insertIndividual', seq, id: `#i${seq}`, concept: 'lease::Lease' },
    { kind: 'setField', seq: seq + 1, id: `#i${seq}`, field: 'lease::Lease.code', value: `QUAY-${seq}` },
  ];
}

interface Cost {
  readonly timeMs: number;
  readonly cpuMs: number;
  readonly databaseMs: number;
}

/** Of one write, while so many are under way. */
async function measured(pool: pg.Pool, write: () => Promise<void>, atOnce: number): Promise<Cost> {
  const writeAll = async (count: number) => {
    let left = count;
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        await write();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  };
  await writeAll(WARMING);
  await pool.query('SELECT pg_stat_statements_reset()');
  const [startedMs, cpu] = [performance.now(), process.cpuUsage()];
  await writeAll(COUNT);
  const timeMs = (performance.now() - startedMs) / COUNT;
  const { user, system } = process.cpuUsage(cpu);
  const sum = `SELECT sum(total_exec_time) AS ms FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'`;
  const { rows } = await pool.query<{ ms: number }>(sum);
  return { timeMs, cpuMs: (user + system) / 1000 / COUNT, databaseMs: Number(rows[0]?.ms ?? 0) / COUNT };
}

function row(name: string, atOnce: number, cost: Cost, bare: Cost): void {
  const ms = (value: number) => `${value.toFixed(3)} ms`;
  const ratio = (cost.timeMs / bare.timeMs).toFixed(2);
  print(`${name} | ${atOnce} | ${ms(cost.timeMs)} | ${ms(cost.cpuMs)} | ${ms(cost.databaseMs)} | ${ratio}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

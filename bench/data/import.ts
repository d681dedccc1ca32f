/** Imports of CSV from the command line into a relation and a concept, durable, beside DuckDB reading the same file into a table on disk. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstLine, REPORT, type Used, usedBy } from '../measured-process.js';

const MODULE = `module bench
pub relation Reading(sensor: Text, at: DateTime, value: Decimal, n: Int)
pub concept Sample { sensor: Text, at: DateTime, value: Decimal, n: Int }
`;
const ROWS = Number(process.env['ENTAIL_BENCH_ROWS'] ?? 1_000_000);
const ENTAIL = 'out/main/entail.js';

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'entail-bench-import-'));
  try {
    const file = join(folder, 'rows.csv');
    await writeRows(file);
    const duckdbMs = await importToDuckdb(file, join(folder, 'duck.db'));
    const size = Math.round(statSync(file).size / 2 ** 20);
    process.stdout.write(`${ROWS} rows of four columns, ${size} MiB. DuckDB: ${seconds(duckdbMs)} s of CPU.\n`);
    for (const path of ['bench::Reading', 'bench::Sample']) {
      const { client, server } = await importToEntail(folder, path, file);
      const both = client.cpuMs + server.cpuMs;
      process.stdout.write(
        `${path}: ${seconds(both)} s of CPU (client ${seconds(client.cpuMs)}, server ${seconds(server.cpuMs)}), ` +
          `${(both / duckdbMs).toFixed(1)}× DuckDB; client ${client.mebibytes.toFixed(0)} MiB, server ${server.mebibytes.toFixed(0)} MiB\n`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeRows(file: string): Promise<void> {
  const out = createWriteStream(file);
  out.write('sensor,at,value,n\n');
  for (let row = 0; row < ROWS; row++) {
    const at = new Date(1.7e12 + row * 1000).toISOString();
    const isFull = !out.write(`sensor-${row % 1000},${at},${((row * 7) % 100_000) / 100},${row}\n`);
    if (isFull) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
}

async function importToDuckdb(file: string, database: string): Promise<number> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(database);
  const connection = await instance.connect();
  const before = process.cpuUsage();
  await connection.run(`CREATE TABLE reading AS SELECT * FROM read_csv('${file}'); CHECKPOINT`);
  const { user, system } = process.cpuUsage(before);
  connection.closeSync();
  instance.closeSync();
  return (user + system) / 1000;
}

async function importToEntail(folder: string, path: string, file: string): Promise<Record<'client' | 'server', Used>> {
  const module = join(folder, 'bench.entail');
  writeFileSync(module, MODULE);
  const data = join(folder, path.replace('::', '-'));
  const server = start(['serve', module, '--data', data, '--log-level', 'error', '--token', 'bench']);
  const used = usedBy(server);
  const { url } = await firstLine(server);
  const client = start(['import', url, path, file, '--token', 'bench']);
  client.stdout?.resume();
  const clientUsed = await usedBy(client);
  server.kill('SIGTERM');
  return { client: clientUsed, server: await used };
}

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--import', REPORT, ENTAIL, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}

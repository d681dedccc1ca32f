/**
 * Imports from the command line, durable: the forms of a file, and rows that are rejected, beside DuckDB reading the same CSV into a table
 * on disk.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { firstLine, REPORT, type Used, usedBy } from '../measured-process.js';

const MODULE = `module bench
pub relation Reading(sensor: Text, at: DateTime, value: Decimal, n: Int)
pub concept Sample { sensor: Text, at: DateTime, value: Decimal, n: Int }
pub concept Checked { sensor: Text, at: DateTime, value: Decimal where value < 900, n: Int }
`;
const ROWS = Number(process.env['ENTAIL_BENCH_ROWS'] ?? 1_000_000);
const ENTAIL = 'out/main/entail.js';

type Form = 'csv' | 'csv.gz' | 'jsonl';
const IMPORTS: readonly { name: string; path: string; form: Form; options?: readonly string[] }[] = [
  { name: 'relation', path: 'bench::Reading', form: 'csv' },
  { name: 'concept', path: 'bench::Sample', form: 'csv' },
  { name: 'relation, gzip', path: 'bench::Reading', form: 'csv.gz' },
  { name: 'relation, JSON lines', path: 'bench::Reading', form: 'jsonl' },
  { name: 'concept, one transaction', path: 'bench::Sample', form: 'csv', options: ['--one-transaction'] },
  {
    name: 'concept, a tenth rejected',
    path: 'bench::Checked',
    form: 'csv',
    options: ['--rejects', 'FOLDER/rejects.csv'],
  },
];

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'entail-bench-import-'));
  try {
    const file = join(folder, 'rows.csv');
    await writeRows(file, csvLine, 'sensor,at,value,n\n');
    await writeRows(join(folder, 'rows.jsonl'), jsonLine);
    await pipeline(createReadStream(file), createGzip({ level: 1 }), createWriteStream(`${file}.gz`));
    const duckdbMs = await importToDuckdb(file, join(folder, 'duck.db'));
    const size = Math.round(statSync(file).size / 2 ** 20);
    process.stdout.write(`${ROWS} rows of four columns, ${size} MiB. DuckDB: ${seconds(duckdbMs)} s of CPU.\n`);
    for (const { name, path, form, options = [] } of IMPORTS) {
      const given = options.map((option) => option.replace('FOLDER', folder));
      const { client, server } = await importToEntail(folder, path, join(folder, `rows.${form}`), given);
      const both = client.cpuMs + server.cpuMs;
      process.stdout.write(
        `${name}: ${seconds(both)} s of CPU (client ${seconds(client.cpuMs)}, server ${seconds(server.cpuMs)}), ` +
          `${(both / duckdbMs).toFixed(1)}× DuckDB; client ${client.mebibytes.toFixed(0)} MiB, server ${server.mebibytes.toFixed(0)} MiB\n`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeRows(file: string, lineOf: (row: number) => string, head = ''): Promise<void> {
  const out = createWriteStream(file);
  out.write(head);
  for (let row = 0; row < ROWS; row++) {
    const isFull = !out.write(lineOf(row));
    if (isFull) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
}

function csvLine(row: number): string {
  return `sensor-${row % 1000},${instantOf(row)},${amountOf(row)},${row}\n`;
}

function jsonLine(row: number): string {
  return `${JSON.stringify({ sensor: `sensor-${row % 1000}`, at: instantOf(row), value: amountOf(row), n: row })}\n`;
}

function instantOf(row: number): string {
  return new Date(1.7e12 + row * 1000).toISOString();
}

function amountOf(row: number): number {
  return ((row * 7) % 100_000) / 100;
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

async function importToEntail(
  folder: string,
  path: string,
  file: string,
  options: readonly string[],
): Promise<Record<'client' | 'server', Used>> {
  const module = join(folder, 'bench.entail');
  writeFileSync(module, MODULE);
  const data = mkdtempSync(join(folder, 'data-'));
  const server = start(['serve', module, '--data', data, '--log-level', 'error', '--token', 'bench']);
  const used = usedBy(server);
  const { url } = await firstLine(server);
  const client = start(['import', url, path, file, '--token', 'bench', ...options]);
  client.stdout?.resume();
  // Rejected rows make the exit code 1.
  const clientUsed = await usedBy(client, options.includes('--rejects') ? 1 : 0);
  server.kill('SIGTERM');
  return { client: clientUsed, server: await used };
}

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--import', REPORT, ENTAIL, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}

/**
 * The server's share of an import: prepared bodies of JSON lines into a relation and a concept, directly, through a mutation and by keys,
 * beside DuckDB reading the same lines into a table on disk.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MODULE = `module bench
pub relation Reading(sensor: Text, at: DateTime, value: Decimal, n: Int)
pub concept Sample { sensor: Text, at: DateTime, value: Decimal, n: Int }
pub concept Unit { sensor: Text unique, at: DateTime, value: Decimal, n: Int }
pub concept Sensor { code: Text unique }
pub relation Measured(sensor: Sensor, at: DateTime, value: Decimal, n: Int)
pub mutation add(sensor: Text, at: DateTime, value: Decimal, n: Int) { insert Reading(sensor, at, value, n) }
pub mutation check(sensor: Text, at: DateTime, value: Decimal, n: Int) {
  require value >= 0 message "negative"
  insert Reading(sensor, at, value, n)
}
`;
const ROWS = Number(process.env['ENTAIL_BENCH_ROWS'] ?? 1_000_000);
const BODY_BYTES = 4 * 2 ** 20;
const SENSORS = 1000;
const COLUMNS = ['sensor', 'at', 'value', 'n'];
const ENTAIL = 'out/main/entail.js';
/** Reports the CPU time of a process when it ends, and its largest memory. */
const REPORT = `data:text/javascript,process.on('exit',()=>{const{userCPUTime:u,systemCPUTime:s,maxRSS:m}=process.resourceUsage();process.stderr.write('\\n'+JSON.stringify({cpuMs:(u+s)/1000,mebibytes:m/1024})+'\\n')})`;

/** By name: the target of the rows, and how their sensors differ. */
const KINDS = {
  relation: { head: { into: 'bench::Reading' }, sensors: SENSORS },
  concept: { head: { into: 'bench::Sample' }, sensors: SENSORS },
  'concept, unique field': { head: { into: 'bench::Unit' }, sensors: Number.POSITIVE_INFINITY },
  'relation, by key': { head: { into: 'bench::Measured', keys: { sensor: 'code' } }, sensors: SENSORS },
  'mutation that inserts': { head: { mutation: 'bench::add' }, sensors: SENSORS },
  'mutation that checks': { head: { mutation: 'bench::check' }, sensors: SENSORS },
} as const;

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'entail-bench-lines-'));
  try {
    const duckdbMs = await inDuckdb(folder);
    process.stdout.write(`${ROWS} rows of four columns. DuckDB: ${seconds(duckdbMs)} s of CPU.\n`);
    for (const [name, { head, sensors }] of Object.entries(KINDS)) {
      const started = await inEntail(folder, name, 0, head, sensors);
      const { cpuMs, mebibytes } = await inEntail(folder, name, ROWS, head, sensors);
      const rowsMs = cpuMs - started.cpuMs;
      process.stdout.write(
        `${name}: ${seconds(rowsMs)} s of CPU, ${((1000 * rowsMs) / ROWS).toFixed(1)} µs a row, ` +
          `${(rowsMs / duckdbMs).toFixed(1)}× DuckDB; ${mebibytes.toFixed(0)} MiB\n`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a server uses from its start to its end for so many rows. */
async function inEntail(folder: string, name: string, rows: number, head: object, sensors: number) {
  const module = join(folder, 'bench.entail');
  writeFileSync(module, MODULE);
  const data = join(folder, `${name.replaceAll(/\W+/g, '-')}-${rows}`);
  const args = ['serve', module, '--data', data, '--log-level', 'error', '--token', 'bench'];
  const server = spawn(process.execPath, ['--import', REPORT, ENTAIL, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const used = usedBy(server);
  const url = await urlOf(server);
  if ('keys' in head) {
    const codes = Array.from({ length: SENSORS }, (_, sensor) => JSON.stringify([`sensor-${sensor}`]));
    await send(url, [JSON.stringify({ into: 'bench::Sensor', columns: ['code'] }), ...codes]);
  }
  let lines: string[] = [];
  let bytes = 0;
  for (let row = 0; row < rows; row++) {
    const line = lineOf(row, sensors);
    lines.push(line);
    bytes += line.length + 1;
    if (bytes < BODY_BYTES && row < rows - 1) continue;
    await send(url, [JSON.stringify({ ...head, columns: COLUMNS }), ...lines]);
    [lines, bytes] = [[], 0];
  }
  server.kill('SIGTERM');
  return used;
}

function lineOf(row: number, sensors: number): string {
  const at = new Date(1.7e12 + row * 1000).toISOString();
  return JSON.stringify([`sensor-${row % sensors}`, at, String(((row * 7) % 100_000) / 100), row]);
}

async function send(url: string, lines: readonly string[]): Promise<void> {
  const headers = { authorization: 'Bearer bench', 'content-type': 'application/x-ndjson' };
  const response = await fetch(`${url}/v1/import`, { method: 'POST', headers, body: lines.join('\n') });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}

async function inDuckdb(folder: string): Promise<number> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const file = join(folder, 'rows.ndjson');
  const objectOf = (line: string) => {
    const cells: readonly unknown[] = JSON.parse(line);
    return JSON.stringify(Object.fromEntries(COLUMNS.map((name, at) => [name, cells[at]])));
  };
  writeFileSync(file, Array.from({ length: ROWS }, (_, row) => objectOf(lineOf(row, SENSORS))).join('\n'));
  const instance = await DuckDBInstance.create(join(folder, 'duck.db'));
  const connection = await instance.connect();
  const before = process.cpuUsage();
  await connection.run(`CREATE TABLE reading AS SELECT * FROM read_json('${file}'); CHECKPOINT`);
  const { user, system } = process.cpuUsage(before);
  connection.closeSync();
  instance.closeSync();
  return (user + system) / 1000;
}

async function urlOf(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error('The server has no output.');
  for await (const line of createInterface(server.stdout)) return (JSON.parse(line) as { readonly url: string }).url;
  throw new Error('The server did not start.');
}

async function usedBy(child: ChildProcess): Promise<{ readonly cpuMs: number; readonly mebibytes: number }> {
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += String(chunk);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(errors);
  return JSON.parse(errors.trim().split('\n').at(-1) ?? '') as { cpuMs: number; mebibytes: number };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}

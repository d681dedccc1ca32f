/**
 * Exports of 201,010 derived rows of eight columns from the command line, and the same rows page by page over HTTP, beside
 * better-sqlite3, which reads them from a table and makes JSON of them.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstLine, REPORT, type Used, usedBy } from '../measured-process.js';

const MODULE = `module bench
pub enum Kind { plain, rare, other }
pub concept Item { code: Text, price: Decimal, starts: Date, kind: Kind, open: Bool }
pub relation months(month: Int)
pub derive due(item: Item, code: Text, month: Int, day: Date, price: Decimal, kind: Kind, open: Bool, total: Decimal)
  when Item(item), months(month), let code = item.code, let day = addMonths(item.starts, month), let price = item.price,
    let kind = item.kind, let open = item.open, let total = item.price * month
pub query dues() -> [{ code: Text, month: Int, day: Date, price: Decimal, kind: Kind, open: Bool, total: Decimal, item: Item }] {
  select { code: c, month: m, day: d, price: p, kind: k, open: o, total: t, item: i } where due(i, c, m, d, p, k, o, t)
}
`;
const ITEMS = 20_101;
const MONTHS = 10;
const PART_ROWS = 4_000;
const PAGE_ROWS = [10_000, 1_000];
const FORMATS = ['csv', 'json', 'parquet'];
const ENTAIL = 'out/main/entail.js';
/** As long as a real one: the request log looks for a short one in the name of the module too. */
const TOKEN = 'bench-4f0c9a72';

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'entail-bench-export-'));
  const module = join(folder, 'bench.entail');
  writeFileSync(module, MODULE);
  const server = start(
    ['serve', module, '--memory', '--log-level', 'error', '--token', TOKEN, '--timeout-ms', '60000'],
    'ipc',
  );
  try {
    const { url } = await firstLine(server);
    await fill(url);
    const derive = await cpuOf(server, () => send(url, '/v1/relations/bench::due/count'));
    print(`Derivation of ${ITEMS * MONTHS} rows: ${seconds(derive)} s of CPU.`);
    for (const path of ['bench::due', 'bench::dues']) {
      for (const format of FORMATS) await exportRows(server, url, path, join(folder, `due.${format}`));
    }
    const sqlite = openSqlite();
    for (const limit of PAGE_ROWS) {
      const pages = await cpuOf(server, () => readPages(url, limit));
      const peer = readSqlite(sqlite, limit);
      print(
        `Pages of ${limit}: ${seconds(pages)} s of CPU, ${(pages / peer).toFixed(1)}× better-sqlite3 (${seconds(peer)} s)`,
      );
    }
  } finally {
    server.disconnect();
    server.kill('SIGTERM');
    await once(server, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function exportRows(server: ChildProcess, url: string, path: string, file: string): Promise<void> {
  let client: Used | undefined;
  const served = await cpuOf(server, async () => {
    client = await usedBy(start(['export', url, path, '--output', file, '--token', TOKEN]));
  });
  const { cpuMs = 0, mebibytes = 0 } = client ?? {};
  const size = (statSync(file).size / 2 ** 20).toFixed(1);
  print(
    `${path} as ${file.split('.').at(-1)}, ${size} MiB: ${seconds(served + cpuMs)} s of CPU (client ${seconds(cpuMs)}, ` +
      `server ${seconds(served)}); client ${mebibytes.toFixed(0)} MiB`,
  );
}

async function fill(url: string): Promise<void> {
  for (let from = 0; from < ITEMS; from += PART_ROWS) {
    const count = Math.min(PART_ROWS, ITEMS - from);
    await send(url, '/v1/import', {
      into: 'bench::Item',
      rows: Array.from({ length: count }, (_, at) => item(from + at)),
    });
  }
  const months = Array.from({ length: MONTHS }, (_, month) => ({ month: month + 1 }));
  await send(url, '/v1/import', { into: 'bench::months', rows: months });
}

function item(no: number) {
  const starts = `20${10 + (no % 15)}-0${1 + (no % 9)}-1${no % 10}`;
  const price = (((no * 7.31) % 900) + 1).toFixed(2);
  return { code: `item ${no}`, price, starts, kind: ['plain', 'rare', 'other'][no % 3], open: no % 2 === 0 };
}

async function readPages(url: string, limit: number): Promise<void> {
  for (let page: string | undefined = ''; page !== undefined; ) {
    const cursor: string = page === '' ? '' : `&page=${page}`;
    page = (await send(url, `/v1/relations/bench::due?limit=${limit}${cursor}`)).nextCursor;
  }
}

async function send(url: string, path: string, body?: object): Promise<{ readonly nextCursor?: string }> {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { readonly nextCursor?: string };
}

interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: unknown[]): void; all(...values: unknown[]): { readonly id: number }[] };
}

/** The same rows in a table in memory. */
function openSqlite(): Sqlite {
  const require = createRequire(join(process.cwd(), 'bench/package.json'));
  const Database = require('better-sqlite3') as new (file: string) => Sqlite;
  const database = new Database(':memory:');
  database.exec(
    'CREATE TABLE due (id INTEGER PRIMARY KEY, item TEXT, code TEXT, month INT, day TEXT, price TEXT, kind TEXT, open INT, total TEXT); BEGIN',
  );
  const insert = database.prepare('INSERT INTO due VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)');
  for (let no = 0; no < ITEMS; no++) {
    const { code, price, starts, kind, open } = item(no);
    for (let month = 1; month <= MONTHS; month++) {
      insert.run(`#i${no}`, code, month, starts, price, kind, open ? 1 : 0, (Number(price) * month).toFixed(2));
    }
  }
  database.exec('COMMIT');
  return database;
}

function readSqlite(database: Sqlite, limit: number): number {
  const before = process.cpuUsage();
  const select = database.prepare('SELECT * FROM due WHERE id > ? ORDER BY id LIMIT ?');
  let characters = 0;
  for (let last = 0, rows = select.all(last, limit); rows.length > 0; rows = select.all(last, limit)) {
    last = rows.at(-1)?.id ?? last;
    characters += JSON.stringify(rows).length;
  }
  const { user, system } = process.cpuUsage(before);
  if (characters === 0) throw new Error('better-sqlite3 has no rows.');
  return (user + system) / 1000;
}

/** With a channel, over which it can be asked, a process does not end before the channel is closed. */
function start(args: readonly string[], channel: 'ipc' | 'ignore' = 'ignore'): ChildProcess {
  return spawn(process.execPath, ['--import', REPORT, ENTAIL, ...args], { stdio: ['ignore', 'pipe', 'pipe', channel] });
}

async function cpuOf(server: ChildProcess, work: () => Promise<unknown>): Promise<number> {
  const before = await usedSoFar(server);
  await work();
  return (await usedSoFar(server)).cpuMs - before.cpuMs;
}

async function usedSoFar(child: ChildProcess): Promise<Used> {
  child.send('used');
  const [used] = await once(child, 'message');
  return used as Used;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}

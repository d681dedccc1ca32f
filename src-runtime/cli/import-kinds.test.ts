/** Each kind of file that docs/api.md lists is imported, with the same facts as result. */

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import initSqlJs from 'sql.js';
import { describe, expect, it } from 'vitest';
import { serversOfTests } from '../server/testing/real.js';
import { runProgram } from './program.js';
import { testTerminal } from './testing/terminal.js';

const MODULE = `module m
pub concept Part { code: Text unique, price: Decimal, n: Int, on: Date, at: DateTime, open: Bool, note: Text? }
pub query all() -> [{ code: Text, price: Decimal, n: Int, on: Date, at: DateTime, open: Bool, note: Text? }] {
  select { code: p.code, price: p.price, n: p.n, on: p.on, at: p.at, open: p.open, note: p.note }
  where Part(p) order by p.code
}
`;
const EXPECTED = [
  { code: 'A', price: '0.3', n: 7, on: '2026-01-31', at: '2026-01-31T10:00:00.000Z', open: true, note: 'Zoë' },
  { code: 'B', price: '1234.5', n: -2, on: '2026-12-01', at: '2026-01-31T10:00:00.500Z', open: false, note: null },
];
const CSV = `code,price,n,on,at,open,note
A,.3,+7,2026-01-31,2026-01-31T10:00:00Z,yes,Zoë
B,1234.50,-2,2026-12-01,2026-01-31 10:00:00.5,0,
`;
const JSON_ROWS = EXPECTED.map((row) => JSON.stringify(row));

const KINDS: Readonly<Record<string, () => Promise<Uint8Array>>> = {
  CSV: async () => Buffer.from(CSV),
  TSV: async () => Buffer.from(CSV.replaceAll(',', '\t')),
  'CSV with semicolons': async () => Buffer.from(CSV.replaceAll(',', ';').replace('.50', ',50').replace('.3', ',3')),
  'UTF-16': async () => Buffer.from(`\uFEFF${CSV}`, 'utf16le'),
  'Windows-1252': async () => Buffer.from(CSV, 'latin1'),
  gzip: async () => gzipSync(CSV),
  'JSON list': async () => Buffer.from(`[${JSON_ROWS.join(',\n')}]`),
  'JSON lines': async () => Buffer.from(JSON_ROWS.join('\n')),
  Parquet: async () => {
    const of = (name: string, type: string, data: unknown[]) => ({ name, type, data }) as const;
    const dates = ['2026-01-31', '2026-12-01'].map((day) => new Date(day));
    const instants = ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.5Z'].map((at) => new Date(at));
    const columnData = [
      of('code', 'STRING', ['A', 'B']),
      of('price', 'DOUBLE', [0.3, 1234.5]),
      of('n', 'INT64', [7n, -2n]),
      of(
        'on',
        'STRING',
        dates.map((date) => date.toISOString().slice(0, 10)),
      ),
      of('at', 'TIMESTAMP', instants),
      of('open', 'BOOLEAN', [true, false]),
      of('note', 'STRING', ['Zoë', null]),
    ];
    return new Uint8Array(parquetWriteBuffer({ columnData } as Parameters<typeof parquetWriteBuffer>[0]));
  },
  SQLite: async () => {
    const database = new (await initSqlJs()).Database();
    database.run('CREATE TABLE part (code TEXT, price REAL, n INTEGER, "on" TEXT, at TEXT, open INTEGER, note TEXT)');
    database.run("INSERT INTO part VALUES ('A', 0.3, 7, '2026-01-31', '2026-01-31 10:00:00', 1, 'Zoë')");
    database.run("INSERT INTO part VALUES ('B', 1234.5, -2, '2026-12-01', '2026-01-31 10:00:00.5', 0, NULL)");
    return database.export();
  },
};

/** How a terminal says that text is read. */
const READ_AS: Readonly<Record<string, string>> = {
  CSV: 'utf-8, cells separated by commas, numbers like 1234.50, dates like 2026-01-31',
  TSV: 'utf-8, cells separated by tabs, numbers like 1234.50, dates like 2026-01-31',
  'CSV with semicolons': 'utf-8, cells separated by semicolons, numbers like 1.234,50, dates like 2026-01-31',
  'UTF-16': 'utf-16le, cells separated by commas, numbers like 1234.50, dates like 2026-01-31',
  'Windows-1252': 'windows-1252, cells separated by commas, numbers like 1234.50, dates like 2026-01-31',
};

const started = serversOfTests();

async function run(bytes: Uint8Array, name: string, options: readonly string[] = []) {
  const server = await started(MODULE);
  const { url, token } = server.running;
  const file = join(server.folder, name);
  await writeFile(file, bytes);
  const terminal = testTerminal();
  const args = ['import', url, 'm::Part', file, '--token', token, ...options];
  const code = await runProgram(args, { version: '1', page: undefined }, terminal);
  return { file, code, complaints: terminal.complaints, rows: (await server.query('m::all')).body.result };
}

describe('a file', () => {
  it.each(Object.keys(KINDS))('of the kind %s is imported', async (kind) => {
    const { code, complaints, file, rows } = await run(
      (await KINDS[kind]?.()) ?? Buffer.from(''),
      kind === 'TSV' ? 'r.tsv' : 'r',
    );
    expect([code, rows]).toEqual([0, EXPECTED]);
    const readAs = READ_AS[kind];
    if (readAs !== undefined) expect(complaints).toContain(`${file} is read as ${readAs}.\n`);
  });

  it('is of a kind that the docs list', () => {
    const docs = readFileSync('docs/api.md', 'utf8');
    for (const kind of Object.keys(KINDS)) expect(docs).toMatch(new RegExp(`^\\| ${kind} \\|`, 'm'));
  });
});

describe('a SQLite file', () => {
  it('has one table, or the one of the option, or the rows of a query', async () => {
    const database = new (await initSqlJs()).Database();
    database.run('CREATE TABLE parts (code TEXT); CREATE TABLE other (code TEXT)');
    const bytes = database.export();
    expect((await run(bytes, 'r')).complaints).toContain(
      'has several tables. Choose one with --table. It has: other, parts.',
    );
    expect((await run(bytes, 'r', ['--table', 'part'])).complaints).toContain(
      'has no table "part"; did you mean "parts"?',
    );
    const query = "SELECT 'Q' code, 1 price, 2 n, '2026-01-31' \"on\", '2026-01-31T10:00:00Z' at, 1 open";
    expect((await run(bytes, 'r', ['--query', query])).rows).toMatchObject([{ code: 'Q', price: '1', n: 2 }]);
    expect(await run(Buffer.from(CSV), 'r', ['--table', 'x'])).toMatchObject({ code: 2 });
  });
});

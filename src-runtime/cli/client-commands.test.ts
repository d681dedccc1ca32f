/** `entail import`, `entail call` and `entail explain` against a running server, as a shell sees them. */

import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RealOptions, type RealServer, serversOfTests } from '../server/testing/real.js';
import { runProgram } from './program.js';
import { testTerminal } from './testing/terminal.js';

const STORE = `module store
enum Unit { piece, litre }
pub concept Part { code: Text unique, price: Decimal where value > 0, unit: Unit = piece, note: Text?, bulky: Bool = false }
pub relation needs(whole: Part, part: Part)
pub derive within(whole: Part, part: Part) when needs(whole, part)
pub derive within(whole: Part, part: Part) when needs(whole, between), within(between, part)
pub check circle(p: Part) when within(p, p) severity blocking message "{p.code} is a part of itself"
pub query parts() -> [{ code: Text, price: Decimal, unit: Unit, note: Text?, bulky: Bool }] {
  select { code: p.code, price: p.price, unit: p.unit, note: p.note, bulky: p.bulky } where Part(p) order by p.code
}
pub mutation add(code: Text, price: Decimal, unit: Unit = piece, note: Text?, bulky: Bool = false) -> Part {
  return insert Part { code: code, price: price, unit: unit, note: note, bulky: bulky }
}
pub mutation consist(whole: Part, parts: [Part]) { for p in parts { insert needs(whole, p) } }
`;

const started = serversOfTests();

/** Runs a command on a server. `FILE` in the arguments is a file with `text`, which is also the standard input. */
async function run({ running, folder }: RealServer, [command = '', ...args]: string[], text = '') {
  const file = join(folder, 'rows.csv');
  await writeFile(file, text);
  const terminal = Object.assign(testTerminal({ ENTAIL_TOKEN: running.token }, text), { isAttended: false });
  const all = [command, running.url, ...args.map((arg) => (arg === 'FILE' ? file : arg))];
  const code = await runProgram(all, { version: '1.2.3', page: undefined }, terminal);
  return { code, out: terminal.written, complaints: terminal.complaints };
}

const serve = (options?: RealOptions) => started(STORE, options);
const PARTS = 'Code;price;unit;note;bulky;supplier\nA-1;12.50;;;yes;x\nA-2; 3 ;litre;"thin; red";no;y\n';
const READ = [
  { code: 'A-1', price: '12.5', unit: 'piece', note: null, bulky: true },
  { code: 'A-2', price: '3', unit: 'litre', note: 'thin; red', bulky: false },
];

describe('import', () => {
  it('reads CSV by parameter types and keys, and prints the result', async () => {
    const server = await serve();
    const imported = await run(server, ['import', 'store::add', 'FILE'], PARTS);
    expect([imported.code, imported.complaints]).toEqual([0, '']);
    expect(JSON.parse(imported.out)).toEqual({ rows: 2, events: 11, warnings: 0, txn: 1 });
    expect((await server.query('store::parts')).body.result).toEqual(READ);
    const keys = ['--key', 'whole=code', '--key', 'parts=code', '--column', 'parts=made of'];
    await run(server, ['import', 'store::consist', '-', ...keys], 'whole,made of\nA-1,A-2;A-2\n');
    const facts = (await server.call('GET', '/v1/relations/store::needs')).body.result;
    expect(facts.map(({ tuple }: { tuple: unknown }) => tuple)).toEqual([['#i1', '#i2']]);
  });

  it('stores an empty cell as none or the default, and `""` and quoted blanks as texts', async () => {
    const server = await serve();
    await run(server, ['import', 'store::add', 'FILE'], 'code,price,unit,note\nA,1,,\n"B",1,"",""\n,1,,"  "\n');
    expect((await server.query('store::parts')).body.result).toMatchObject([
      { code: '', note: '  ' },
      { code: 'A', unit: 'piece', note: null },
      { code: 'B', unit: 'piece', note: '' },
    ]);
  });

  it('detects the notation of numbers and dates, or takes it from options', async () => {
    const module = `module m
pub concept P { n: Int, d: Decimal, on: Date }
pub query all() -> [{ n: Int, d: Decimal, on: Date }] { select { n: p.n, d: p.d, on: p.on } where P(p) order by p.n }
pub mutation add(n: Int, d: Decimal, on: Date) { insert P { n: n, d: d, on: on } }
`;
    const imported = async (text: string, ...options: string[]) => {
      const server = await started(module);
      const { code, complaints } = await run(server, ['import', 'm::add', 'FILE', ...options], text);
      return code === 0 ? (await server.query('m::all')).body.result : complaints;
    };
    expect(
      await imported('n;d;on\n+5;1.234,50;31.12.2026\n007;,5;01.02.2026\n1E+03;1,5;2026-01-02\n1.0;+5;31/12/2026\n'),
    ).toEqual([
      { n: 1, d: '5', on: '2026-12-31' },
      { n: 5, d: '1234.5', on: '2026-12-31' },
      { n: 7, d: '0.5', on: '2026-02-01' },
      { n: 1000, d: '1.5', on: '2026-01-02' },
    ]);
    const ambiguous = await imported('n;d;on\n1;1,234;03/04/2026\n');
    expect(ambiguous).toContain(
      'line 2: column "d": "1,234" may mean 1234 or 1.234; add --decimal "," or --decimal ".".\n',
    );
    expect(ambiguous).toContain('line 2: column "on": "03/04/2026" may mean two days; add --dates dmy or --dates mdy.');
    expect(ambiguous).toContain('1 of 1 rows cannot be read. Nothing was sent.');
    const options = ['--no-header', '--columns', 'n,d,on', '--delimiter', ';', '--decimal', ',', '--dates', 'mdy'];
    expect(await imported('1;1,234;03/04/2026\n', ...options)).toEqual([{ n: 1, d: '1.234', on: '2026-03-04' }]);
    expect(await imported('n,d,on\n1,"1,234",03/04/2026\n', '--decimal', '.', '--dates', 'dmy')).toEqual([
      { n: 1, d: '1234', on: '2026-04-03' },
    ]);
  });

  it('identifies individuals by a key of any type', async () => {
    const server = await started(`module m
enum Color { red, green }
pub concept P { number: Int unique, open: Bool, rate: Decimal, on: Date, color: Color }
pub relation tag(p: P, text: Text)
pub mutation add(number: Int, open: Bool, rate: Decimal, on: Date, color: Color) {
  insert P { number: number, open: open, rate: rate, on: on, color: color }
}
pub mutation mark(p: P, text: Text) { insert tag(p, text) }
`);
    await run(
      server,
      ['import', 'm::add', 'FILE'],
      'number,open,rate,on,color\n1,yes,1.5,2026-01-31,red\n2,no,2.5,2026-02-01,green\n',
    );
    const keys = [
      ['number', '1'],
      ['open', 'yes'],
      ['rate', '"1,5"'],
      ['on', '31.01.2026'],
      ['color', 'red'],
    ];
    for (const [field, cell] of keys) {
      const args = ['import', 'm::mark', 'FILE', '--key', `p=${field}`];
      const { code, complaints } = await run(server, args, `p,text\n${cell},${field}\n`);
      expect([code, complaints]).toEqual([0, '']);
    }
    const facts = (await server.call('GET', '/v1/relations/m::tag')).body.result;
    expect(facts.map(({ tuple }: { tuple: unknown }) => tuple)).toHaveLength(keys.length);
    expect(new Set(facts.map(({ tuple: [id] }: { tuple: string[] }) => id))).toEqual(new Set(['#i1']));
  });

  it('reads text in the given form', async () => {
    const server = await serve();
    const text = 'code|price|note\nA|1|-\nB|2|"-"\n';
    const options = ['--delimiter', '|', '--null', '-', '--encoding', 'utf-8', '--one-transaction'];
    expect((await run(server, ['import', 'store::add', '-', ...options], text)).code).toBe(0);
    expect((await server.query('store::parts')).body.result).toMatchObject([
      { code: 'A', note: null },
      { code: 'B', note: '-' },
    ]);
  });

  it('refuses a member of JSON that no parameter takes, but not those that exports add', async () => {
    const server = await serve();
    const exported = '{"code":"A","price":"1","$id":"#i9","$meta":{"type":"store::Part"}}';
    expect((await run(server, ['import', 'store::add', '-'], exported)).code).toBe(0);
    const { complaints } = await run(server, ['import', 'store::add', '-'], '{"code":"B","price":"1","prize":2}');
    expect(complaints).toMatch(/^row 0: No parameter takes "prize"\.$/m);
  });

  it('reads JSON, and saves nothing in a dry run', async () => {
    const server = await serve();
    const { out } = await run(server, ['import', 'store::add', '-', '--dry-run'], ' [{"code":"A","price":1}]');
    expect(JSON.parse(out)).toMatchObject({ rows: 1, txn: null });
    expect((await server.query('store::parts')).body.result).toEqual([]);
  });

  it('imports into a concept or a relation without a mutation', async () => {
    const server = await serve();
    const parts = await run(server, ['import', 'store::Part', 'FILE'], PARTS);
    expect([parts.code, parts.complaints, JSON.parse(parts.out)]).toEqual([
      0,
      '',
      { rows: 2, events: 11, warnings: 0, txn: 1 },
    ]);
    const keys = ['--key', 'whole=code', '--key', 'part=code'];
    await run(server, ['import', 'store::needs', 'FILE', ...keys], 'whole,part\nA-1,A-2\n');
    expect((await server.call('GET', '/v1/relations/store::needs')).body.result).toMatchObject([
      { tuple: ['#i1', '#i2'] },
    ]);
    const derived = await run(server, ['import', 'store::within', 'FILE'], 'whole,part\nA-1,A-2\n');
    expect(derived.complaints).toContain('no public mutation, concept or stored relation "store::within"');
  });

  it('imports each part as a transaction, and says how many rows remain if one is refused', async () => {
    const server = await serve();
    const rows = 'code,price\nA,1\nB,2\nC,3\nD,-4\nE,5\n';
    const { code, out, complaints } = await run(server, ['import', 'store::add', 'FILE', '--part', '2'], rows);
    expect([code, out.split('\n').length]).toEqual([1, 2]);
    expect(JSON.parse(complaints.slice(0, complaints.indexOf('\n}\n') + 3)).error.details.row).toBe(1);
    expect(complaints).toMatch(/The first 2 rows are imported/);
    expect(complaints).toMatch(/^line 5: .*"price"/m);
    expect(complaints).not.toContain('failures');
    expect((await server.query('store::parts')).body.result).toHaveLength(2);
  });

  it('lists the lines whose cells do not match the header, and sends nothing', async () => {
    const server = await serve();
    const { code, complaints } = await run(
      server,
      ['import', 'store::add', 'FILE'],
      'code,price\n"A\n1",1,2\n\nB\nC,3\n',
    );
    expect([code, complaints.split('\n').slice(0, 2)]).toEqual([
      1,
      ['line 2: Expected 2 cells, got 3.', 'line 5: Expected 2 cells, got 1.'],
    ]);
    expect((await server.query('store::parts')).body.result).toEqual([]);
  });

  it('reads files written by spreadsheets', async () => {
    const server = await serve();
    const outcome = await run(server, ['import', 'store::add', 'FILE'], 'sep=;\r\nCode;price\r\nA;1\r\n');
    expect([outcome.code, outcome.complaints]).toEqual([0, '']);
    expect((await server.query('store::parts')).body.result).toMatchObject([{ code: 'A' }]);
  });

  it('suggests an option if rows are refused', async () => {
    const server = await serve({ limits: { bodyBytes: 2000 } });
    await run(server, ['import', 'store::add', 'FILE'], PARTS);
    const codes = await run(server, ['import', 'store::consist', 'FILE'], 'whole,parts\nA-1,A-2\n');
    expect([codes.code, codes.complaints]).toEqual([1, expect.stringContaining('hint: Add --key whole=code')]);
    const many = await run(server, ['import', 'store::add', 'FILE'], `code,price\n${'A,-1\n'.repeat(25)}`);
    expect(many.complaints.match(/^line \d+: /gm)).toHaveLength(20);
    expect(many.complaints).toMatch(/^and 5 more$/m);
    const rows = Array.from({ length: 100 }, (_, at) => `P${at},1`).join('\n');
    const parts = await run(server, ['import', 'store::add', 'FILE'], `code,price\n${rows}`);
    expect([parts.code, parts.complaints]).toEqual([0, '']);
    expect((await server.query('store::parts')).body.result).toHaveLength(102);
    const long = `code,price\n${'x'.repeat(300_000)},1\n`;
    const one = await run(server, ['import', 'store::add', 'FILE', '--part', '1'], long);
    expect(one.complaints).toContain(
      'hint: A single row exceeds the limit of the server. Start it with a larger --body-limit.',
    );
  });

  it.each([
    [
      'a column that is missing',
      ['store::add', 'FILE'],
      'code\nA\n',
      /No column for "price".*Choose one.*Columns: code\./,
    ],
    ['a parameter that is none', ['store::add', 'FILE', '--column', 'prize=code'], 'code\nA\n', /did you mean "price"/],
    ['a mutation that is none', ['store::ad', 'FILE'], 'code\nA\n', /no public mutation.*did you mean "store::add"/],
    [
      'a header with the same name twice',
      ['store::add', 'FILE'],
      'code,price,price\nA,1,2\n',
      /Two columns are named "price"/,
    ],
    [
      'ambiguous columns',
      ['store::add', 'FILE'],
      'Code,C_ode,price\nA,B,2\n',
      /Columns "Code" and "C_ode" both match "code". Choose one with --column code=COLUMN/,
    ],
    [
      'names of columns beside a header',
      ['store::add', 'FILE', '--columns', 'a,b'],
      'code,price\nA,1\n',
      /Add --no-header/,
    ],
    ['quotes that end nowhere', ['store::add', 'FILE'], 'code,price\n"A,1\n', /begin in line 2 are never closed/],
    ['a file without rows', ['store::add', 'FILE'], 'code,price\n', /a header and no rows/],
    ['an object of lists', ['store::add', '-'], '{"parts":[],"n":1}', /Expected a list of objects, .*Save "parts" as/],
    ['JSON that is none', ['store::add', 'FILE'], '[{', /This is not JSON/],
    ['a file that is not there', ['store::add', 'none.csv'], '', /Cannot read none\.csv/],
  ])('refuses %s in one line', async (_, args, text, message) => {
    const { code, complaints } = await run(await serve(), ['import', ...args], text);
    expect(code).toBeGreaterThan(0);
    expect(complaints.split('\n')).toHaveLength(2);
    expect(complaints).toMatch(message);
  });
});

describe('call', () => {
  it('runs a mutation with the same --idempotency-key once', async () => {
    const server = await serve();
    const call = (key: string) => run(server, ['call', 'store::add', 'code=A', 'price=1', '--idempotency-key', key]);
    const [first, second] = [await call('a'), await call('a')];
    expect(JSON.parse(second.out).events).toEqual(JSON.parse(first.out).events);
    expect((await call('b')).complaints).toContain('CHECK_VIOLATION');
  });

  it('says how to add a missing context field', async () => {
    const server = await started(
      'module m\ncontext tenantId: Text\npub query all() -> [Int] { select n where n in range(0, 3) }\n',
    );
    const { code, complaints } = await run(server, ['call', 'm::all']);
    expect([code, complaints]).toEqual([1, expect.stringContaining('hint: Add --context tenantId=VALUE.')]);
    expect((await run(server, ['call', 'm::all', '--context', 'tenantId=acme'])).code).toBe(0);
  });

  it('refuses a context value with a line break before it connects', async () => {
    const { code, complaints } = await run(await serve(), ['call', 'store::consist', '--context', 'ward=two\nlines']);
    expect([code, complaints]).toEqual([2, 'error: --context ward has a line break. A context value is one line.\n']);
  });

  it('says where to list the ids of individuals if an argument is not an id', async () => {
    const { code, complaints } = await run(await serve(), ['call', 'store::consist', '--arg', 'whole=A-1', 'parts=[]']);
    expect([code, complaints]).toEqual([1, expect.stringContaining('/v1/individuals?class=store::Part lists them.')]);
  });
});

describe('explain', () => {
  it('prints a proof, or where each clause fails and what would make the fact hold', async () => {
    const server = await serve();
    await run(server, ['import', 'store::add', 'FILE'], PARTS);
    await server.mutation('store::consist', { whole: '#i1', parts: ['#i2'] });
    const proof = await run(server, ['explain', 'store::within', '#i1', '#i2']);
    expect([proof.code, proof.out.split('\n')]).toEqual([
      0,
      [
        'store::within(#i1, #i2) (derived, lease.entail:5)',
        '  store::needs(#i1, #i2) (stored)',
        '#i1 is A-1',
        '#i2 is A-2',
        '',
      ],
    ]);
    const absent = await run(server, ['explain', 'store::within', '#i2', '#i1']);
    expect([absent.code, absent.out]).toEqual([0, expect.stringContaining('stops at: needs(whole, part)')]);
    expect(absent.out).toMatch(
      /it would be true after: insert store::needs\(#i2, #i1\), but that violates store::circle/,
    );
  });

  it('reads values by type, also of checks and fields, and takes a fork', async () => {
    const server = await serve();
    await run(server, ['import', 'store::add', 'FILE'], PARTS);
    await server.call('POST', '/v1/forks', { id: 'f' });
    const price = await run(server, ['explain', 'store::Part.price', '#i1', '12.50', '--fork', 'f', '--json']);
    expect(JSON.parse(price.out).result).toMatchObject({ holds: true, proof: { tuple: ['#i1', '12.5'] } });
    expect((await run(server, ['explain', 'store::circle', '#i1'])).out).toContain('store::circle(#i1) is false');
    expect((await run(server, ['explain', 'store::Part.bulky', '#i1', 'true'])).out).toContain('(stored)');
    const wrong = await run(server, ['explain', 'store::withn', '#i1']);
    expect([wrong.code, wrong.complaints]).toEqual([1, expect.stringContaining('did you mean "store::within"')]);
  });
});

describe('backup and restore', () => {
  it('move the history to another folder, where the same facts are served, and an equal backup results', async () => {
    const server = await serve();
    await run(server, ['import', 'store::add', 'FILE'], PARTS);
    const backup = join(server.folder, 'store.backup');
    expect(await run(server, ['backup', '-o', backup])).toEqual({ code: 0, out: '', complaints: '' });
    const folder = join(server.folder, 'other');
    await mkdir(folder);
    const data = join(folder, 'data');
    const restored = await runLocal(['restore', backup, data]);
    expect([restored.code, restored.complaints]).toEqual([0, '']);
    expect(JSON.parse(restored.out)).toEqual({ data, scopes: 1, forks: 0, transactions: 1, events: 11 });
    const other = await serve({ folder, onDisk: true });
    expect((await other.query('store::parts')).body.result).toEqual(READ);
    const again = join(server.folder, 'again.backup');
    await run(other, ['backup', '--output', again]);
    expect(await readFile(again, 'utf8')).toBe(await readFile(backup, 'utf8'));
  });

  it('compact the history before a time: the facts and the ids are as before, and earlier moments are refused', async () => {
    const server = await serve();
    await run(server, ['import', 'store::add', 'FILE'], PARTS);
    await server.mutation('store::add', { code: 'Z-9', price: '1' });
    const backup = join(server.folder, 'store.backup');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect(await run(server, ['backup', '-o', backup, '--compact-before', tomorrow])).toMatchObject({ code: 0 });
    const folder = join(server.folder, 'other');
    await mkdir(folder);
    const restored = await runLocal(['restore', backup, join(folder, 'data')]);
    expect(JSON.parse(restored.out)).toMatchObject({ transactions: 1 });
    const other = await serve({ folder, onDisk: true });
    const parts = await server.query('store::parts');
    expect((await other.query('store::parts')).body.result).toEqual(parts.body.result);
    const next = { code: 'Z-10', price: '1' };
    const added = await other.mutation('store::add', next);
    expect(added.body.result).toEqual((await server.mutation('store::add', next)).body.result);
    const past = await other.call('POST', '/v1/dispatch/query?asOf=1', { path: 'store::parts' });
    expect(past.body.error).toMatchObject({
      code: 'SVC_RUNTIME_VALIDATION_FAILED',
      message: expect.stringContaining('Earlier events were archived'),
    });
    const reverted = await other.call('POST', '/v1/transactions/2/undo', {});
    expect(reverted.body.error?.message).toMatch(/^Transaction 2 has the facts of the history before it/);
  });

  it('write nothing over what is there', async () => {
    const server = await serve();
    const backup = join(server.folder, 'store.backup');
    await run(server, ['backup', '-o', backup]);
    expect(await runLocal(['restore', backup, server.folder])).toMatchObject({
      code: 1,
      complaints: `error: ${server.folder} is not empty. Name a new or an empty folder\n`,
    });
    await truncate(backup, 60);
    const folder = join(server.folder, 'new');
    const cut = await runLocal(['restore', backup, folder]);
    expect([cut.code, cut.complaints]).toEqual([1, `error: ${backup} is damaged in line 2\n`]);
    expect(await readdir(server.folder)).not.toContain('new');
    expect((await readdir(server.folder)).filter((name) => name.startsWith('.entail-restore'))).toEqual([]);
    const missing = join(server.folder, 'missing/store.backup');
    expect((await run(server, ['backup', '-o', missing])).complaints).toMatch(/^error: Cannot write .*missing/);
  });
});

describe('data', () => {
  it('check finds a sound folder sound, and names a damaged byte by file and offset; repair copies what comes before', async () => {
    const { data } = await filledFolder();
    expect(await runLocal(['data', 'check', data])).toEqual({
      code: 0,
      out: 'Sound: all files, and 16 facts in 1 scope.\n',
      complaints: '',
    });
    const before = await readdir(data);
    const journal = join(data, 'events-000001.journal');
    const bytes = await readFile(journal);
    bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1;
    await writeFile(journal, bytes);
    const found = await runLocal(['data', 'check', data]);
    expect(found.code).toBe(1);
    expect(found.out).toMatch(
      /events-000001\.journal is damaged at offset \d+: the record does not match its checksum\n$/,
    );
    expect(found.complaints).toBe(
      `hint: Restore a backup, or save what is readable: entail data repair ${data} -o NEW\n`,
    );
    const repaired = join(data, '../repaired');
    const outcome = await runLocal(['data', 'repair', data, '-o', repaired]);
    expect(outcome.code).toBe(1);
    expect(outcome.complaints).toMatch(/^not copied: .*events-000001\.journal is damaged at offset \d+/);
    expect(JSON.parse(outcome.out)).toMatchObject({ data: repaired, transactions: 1, lost: 1 });
    expect(await readFile(journal)).toEqual(bytes);
    expect(await readdir(data)).toEqual(before);
    expect(await runLocal(['data', 'check', repaired])).toMatchObject({ code: 0 });
  });

  it('check reports events that refer to what does not exist, under the sources that it is given', async () => {
    const { data, folder } = await filledFolder();
    const other = join(folder, 'other.entail');
    await writeFile(other, STORE.replaceAll('note', 'remark'));
    const found = await runLocal(['data', 'check', data, other]);
    expect([found.code, found.out]).toEqual([1, expect.stringMatching(/^default: \d+ events do not fit the module/)]);
  });

  it('info lists files, scopes and sources, also of a folder in use; check refuses that', async () => {
    const server = await serve({ onDisk: true });
    await run(server, ['import', 'store::add', 'FILE'], PARTS);
    const data = join(server.folder, 'data');
    const info = await runLocal(['data', 'info', data]);
    expect(info.code).toBe(0);
    expect(info.out).toMatch(/^.*: \d+ KiB in 2 files, changed 20/);
    expect(info.out).toContain('sources: lease.entail\n');
    expect(info.out).toMatch(/^scope \S+: tenant \S+, last transaction 1, last event 11, 0 forks \(0 open\)$/m);
    expect((await runLocal(['data', 'check', data])).complaints).toMatch(
      / is in use by another Entail \(process \d+\); stop it\n$/,
    );
    expect((await runLocal(['data', 'info', server.folder])).complaints).toMatch(/ holds no facts/);
  });
});

/** Facts of two transactions, in a folder that no server has open. */
async function filledFolder() {
  const server = await serve({ onDisk: true });
  await run(server, ['import', 'store::add', 'FILE'], PARTS);
  await server.mutation('store::add', { code: 'A-3', price: '1' });
  await server.stop();
  // The next start would be faster with the saved state; the check compares it with the history.
  return { data: join(server.folder, 'data'), folder: server.folder };
}

async function runLocal(args: string[]) {
  const terminal = testTerminal();
  const code = await runProgram(args, { version: '1.2.3', page: undefined }, terminal);
  return { code, out: terminal.written, complaints: terminal.complaints };
}

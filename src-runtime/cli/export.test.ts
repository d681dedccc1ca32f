/** `entail export` against a running server: every format, from every kind of source, whole or not at all. */

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { type RealServer, serversOfTests } from '../server/testing/real.js';
import { runProgram } from './program.js';
import { testTerminal } from './testing/terminal.js';

const STORE = `module store
enum Unit { piece, litre }
pub concept Part { code: Text, price: Decimal, unit: Unit = piece, since: Date?, at: DateTime?, bulky: Bool = false, no: Int = 1, maker: Party? via makes }
pub concept Party { name: Text }
pub concept Company is Party { number: Int }
pub relation makes(maker: Party, part: Part)
pub relation broken(maker: Party, part: Part)
pub derive prices(part: Part, price: Decimal) when Part(part), let price = part.price
pub query dear(least: Decimal) -> [{ part: Part, price: Decimal, note: Text? }] {
  select { part: p, price: p.price, note: none } where Part(p), p.price >= least order by p.price desc
}
pub mutation add(code: Text, price: Decimal) -> Part {
  return insert Part { code: code, price: price, since: date "2026-01-31", at: datetime "2026-01-31T10:00:00Z" }
}
pub mutation many(count: Int) { for i in (select i where i in range(0, count)) { insert Part { code: text(i), price: i } } }
pub mutation brand(part: Part) {
  let c = insert Company { name: "Acme", number: 7 }
  insert makes(c, part)
}
`;

const started = serversOfTests();

async function serve(): Promise<RealServer> {
  const server = await started(STORE);
  await server.mutation('store::add', { code: 'A, 1', price: '12.50' });
  await server.mutation('store::add', { code: '', price: '0.1234567890123456789012345' });
  await server.mutation('store::brand', { part: '#i1' });
  return server;
}

async function run({ running }: RealServer, ...args: string[]) {
  const terminal = testTerminal({ ENTAIL_TOKEN: running.token });
  const [path = '', ...more] = args;
  const code = await runProgram(['export', running.url, path, ...more], { version: '1', page: undefined }, terminal);
  return {
    code,
    bytes: Buffer.concat(terminal.bytes),
    text: Buffer.concat(terminal.bytes).toString(),
    complaints: terminal.complaints,
  };
}

async function parquet(bytes: Buffer): Promise<Record<string, unknown>[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  return parquetReadObjects({ file });
}

describe('export', () => {
  it('streams a relation, a concept or a query to stdout, as CSV by default', async () => {
    const server = await serve();
    expect(await run(server, 'store::makes')).toMatchObject({
      code: 0,
      text: 'maker,part\r\n#i3,#i1\r\n',
      complaints: '',
    });
    expect((await run(server, 'store::Party')).text).toBe('$id,name,number\r\n#i3,Acme,7\r\n');
    expect((await run(server, 'store::prices', '--format', 'tsv')).text).toMatch('part\tprice\n#i1\t12.5\n');
    const dear = await run(server, 'store::dear', '--arg', 'least=1', '--format', 'jsonl');
    expect(JSON.parse(dear.text)).toMatchObject({ part: { $id: '#i1' }, price: '12.5', note: null });
    expect((await run(server, 'store::broken', '--format', 'json')).text).toBe('[]\n');
    expect(JSON.parse((await run(server, 'store::makes', '--format', 'json')).text)).toEqual([
      { maker: '#i3', part: '#i1' },
    ]);
  });

  it('writes Parquet with a type for each column', async () => {
    const server = await serve();
    const rows = await parquet((await run(server, 'store::Part', '--format', 'parquet')).bytes);
    expect(rows).toEqual([
      {
        $id: '#i1',
        code: 'A, 1',
        price: '12.5',
        unit: 'piece',
        since: new Date('2026-01-31'),
        at: new Date('2026-01-31T10:00:00Z'),
        bulky: false,
        no: 1n,
        maker: '#i3',
      },
      expect.objectContaining({ $id: '#i2', code: '', price: '0.1234567890123456789012345', maker: null }),
    ]);
    expect(await parquet((await run(server, 'store::broken', '--format', 'parquet')).bytes)).toEqual([]);
    const dear = await run(server, 'store::dear', 'least=1', '--format', 'parquet');
    expect(await parquet(dear.bytes)).toEqual([{ part: '#i1', price: '12.5', note: null }]);
  });

  it('writes a file in the format of its extension, compressed or not', async () => {
    const server = await serve();
    const file = join(server.folder, 'parts.jsonl.gz');
    await writeFile(file, 'before');
    expect(await run(server, 'store::makes', '--output', file)).toMatchObject({ code: 0, text: '' });
    expect(gunzipSync(await readFile(file)).toString()).toBe('{"maker":"#i3","part":"#i1"}\n');
    const zipped = await run(server, 'store::makes', '--gzip');
    expect(gunzipSync(zipped.bytes).toString()).toBe('maker,part\r\n#i3,#i1\r\n');
  });

  it('reads a fork', async () => {
    const server = await serve();
    await server.call('POST', '/v1/forks', { id: 'trial' });
    await server.mutation('store::add', { code: 'B', price: 3 }, { 'x-fork-id': 'trial' });
    const lines = async (...args: string[]) => (await run(server, 'store::prices', ...args)).text.split('\r\n').length;
    expect([await lines(), await lines('--fork', 'trial')]).toEqual([4, 5]);
  });

  it.each(['csv', 'tsv', 'json', 'jsonl'])('is imported again unchanged as %s', async (format) => {
    const module = `module m
enum Unit { piece, litre }
pub concept Party { name: Text }
pub individual acme: Party { name: "Acme" }
pub relation item(code: Text, price: Decimal, unit: Unit, on: Date, at: DateTime, bulky: Bool, no: Int, by: Party)
pub mutation add(code: Text, price: Decimal, no: Int) {
  insert item(code, price, litre, date "2026-01-31", datetime "2026-01-31T10:00:00.5Z", no > 0, no, @acme)
}
`;
    const [from, to] = [await started(module), await started(module)];
    const codes = ['plain', '', ' ', 'a,b;c\td', '"q"', 'two\nlines', '007', '1,5', 'null', '[x]', 'é😀', '\u2028'];
    for (const [no, code] of codes.entries()) {
      await from.mutation('m::add', { code, price: `${no}.50000000000000000001`, no: no - 3 });
    }
    const file = join(from.folder, `items.${format}`);
    expect((await run(from, 'm::item', '--output', file)).complaints).toBe('');
    const terminal = { ...testTerminal({ ENTAIL_TOKEN: to.running.token }), isAttended: false };
    const args = ['import', to.running.url, 'm::item', file];
    expect([await runProgram(args, { version: '1', page: undefined }, terminal), terminal.complaints]).toEqual([0, '']);
    const rows = async (server: RealServer) => (await server.call('GET', '/v1/relations/m::item')).body.result;
    expect(await rows(to)).toHaveLength(codes.length);
    expect(await rows(to)).toEqual(await rows(from));
  });

  it('keeps the file that was there if the server breaks off', async () => {
    const server = await serve();
    await server.mutation('store::many', { count: 3000 });
    await server.mutation('store::brand', { part: '#i2500' });
    await server.mutation('store::brand', { part: '#i2500' });
    const file = join(server.folder, 'parts.csv');
    await writeFile(file, 'before');
    const broken = await run(server, 'store::Part', '--output', file);
    expect([broken.code, broken.complaints]).toEqual([
      1,
      `error: The server broke off the export before its end; its request log shows why. ${file} was not written.\n`,
    ]);
    expect(await readFile(file, 'utf8')).toBe('before');
    expect((await readdir(server.folder)).filter((name) => name.includes('parts'))).toEqual(['parts.csv']);
  });

  it.each([
    [
      'an unknown path',
      ['store::makers'],
      /no relation, concept or public query "store::makers"; did you mean "store::makes"/,
    ],
    ['arguments of a relation', ['store::makes', '--arg', 'a=1'], /"store::makes" is not a query and takes no --arg/],
    ['a missing argument', ['store::dear'], /SVC_RUNTIME_SIGNATURE_MISMATCH/],
    ['an unknown format', ['store::makes', '--format', 'xlsx'], /Allowed choices are csv, tsv, json, jsonl, parquet/],
    ['a folder that does not exist', ['store::makes', '--output', '/none/a.csv'], /Cannot write \/none\/a\.csv/],
  ])('refuses %s', async (_, args, message) => {
    const { code, complaints } = await run(await serve(), ...args);
    expect(code).toBeGreaterThan(0);
    expect(complaints).toMatch(message);
  });
});

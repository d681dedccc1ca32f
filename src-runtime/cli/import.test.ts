/** Imports in parts: rejected rows, interruptions, and all rows or none. */

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RealServer, serversOfTests } from '../server/testing/real.js';
import { runProgram } from './program.js';
import { testTerminal } from './testing/terminal.js';

const STORE = `module store
pub concept Part { code: Text unique, price: Decimal where value > 0, note: Text? }
pub query codes() -> [Text] { select p.code where Part(p) order by p.code }
`;

const started = serversOfTests();

/** Without the lines for people. */
const scripted = () => Object.assign(testTerminal(), { isAttended: false });

async function run(server: RealServer, text: string, options: readonly string[] = [], terminal = scripted()) {
  const file = join(server.folder, 'rows.csv');
  await writeFile(file, text);
  const { url, token } = server.running;
  const args = ['import', url, 'store::Part', file, '--token', token, ...options];
  const code = await runProgram(args, { version: '1', page: undefined }, terminal);
  const lines = terminal.written.split('\n').filter((line) => line !== '');
  return { code, complaints: terminal.complaints, results: lines.map((line) => JSON.parse(line)) };
}

const codes = async (server: RealServer) => (await server.query('store::codes')).body.result;

describe('rejected rows', () => {
  it('go to a file with their reasons, which can be corrected and imported again', async () => {
    const server = await started(STORE);
    const rejects = join(server.folder, 'rejects.csv');
    const text = 'code;price;note;more\nA;1;"x;y";m\nB;cheap;;m\nC;-1;"";m\nD;2\nA;3;;m\nE;5;;m\n';
    const first = await run(server, text, ['--rejects', rejects, '--part', '2']);
    expect([first.code, await codes(server)]).toEqual([1, ['A', 'E']]);
    expect(first.results.map(({ rows, rejected }) => [rows, rejected])).toEqual([
      [1, 1],
      [0, 2],
      [1, 1],
    ]);
    expect(first.complaints).toContain(`4 rows were rejected. Correct them in ${rejects}, and import that file.`);
    const [head, ...lines] = (await readFile(rejects, 'utf8')).split('\r\n');
    expect(head).toBe('$reason;code;price;note;more');
    expect(lines[0]).toMatch(/^"column ""price"": ""cheap"" is not a decimal number like 12\.50\.";B;cheap;;m$/);
    expect(lines[1]).toMatch(/^".*";C;-1;"";m$/);
    expect(lines[2]).toBe('Expected 4 cells, got 2.;D;2');
    expect(lines[3]).toMatch(/has the same code as another: A.*;A;3;;m$/);
    const corrected = [head, ...lines.map((line) => line.replace(/;(cheap|-1);/, ';7;').replace(/D;2$/, 'D;2;;'))];
    const again = join(server.folder, 'again.csv');
    const second = await run(server, corrected.join('\r\n'), ['--rejects', again]);
    expect([second.code, await codes(server)]).toEqual([1, ['A', 'B', 'C', 'D', 'E']]);
    expect((await readFile(again, 'utf8')).split('\r\n')).toHaveLength(3);
  });

  it('of JSON go to JSON lines', async () => {
    const server = await started(STORE);
    const rejects = join(server.folder, 'rejects.jsonl');
    await run(server, '[{"code":"A","price":1},{"code":"B","price":"x"}]', ['--rejects', rejects]);
    const [line = ''] = (await readFile(rejects, 'utf8')).split('\n');
    expect(JSON.parse(line)).toMatchObject({ $reason: expect.stringContaining('"x"'), code: 'B', price: 'x' });
    expect((await run(server, line.replace('"x"}', '2}'))).code).toBe(0);
  });

  it('leave no file if there are none', async () => {
    const server = await started(STORE);
    const rejects = join(server.folder, 'rejects.csv');
    await writeFile(rejects, 'of an earlier import');
    expect((await run(server, 'code,price\nA,1\n', ['--rejects', rejects])).code).toBe(0);
    expect(existsSync(rejects)).toBe(false);
  });
});

describe('an import that ends early', () => {
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `P${from + at},${from + at === 5 ? -1 : 1}\n`).join('');
  const expected = ['P1', 'P2', 'P3', 'P4'];

  it('says from which row to go on', async () => {
    const server = await started(STORE);
    const { code, complaints } = await run(server, `code,price\n${rows(1, 9)}`, ['--part', '2']);
    expect([code, await codes(server)]).toEqual([1, expected]);
    expect(complaints).toContain('The first 4 rows are imported. To go on, add --from-row 5.');
    const fixed = await run(server, `code,price\n${rows(1, 9).replace('-1', '1')}`, ['--from-row', '5']);
    expect([fixed.code, (await codes(server)).length]).toEqual([0, 8]);
  });

  it('goes on where the server saved the last part', async () => {
    const server = await started(STORE);
    const text = `code,price\n${rows(1, 9)}`;
    await run(server, text, ['--part', '2']);
    const rejects = join(server.folder, 'rejects.csv');
    const resumed = await run(server, text, ['--resume', '--rejects', rejects]);
    expect(resumed.results).toMatchObject([{ rows: 3 }]);
    expect([resumed.code, (await codes(server)).length]).toEqual([1, 7]);
    const whole = await run(server, text, ['--resume']);
    expect([whole.code, whole.results]).toEqual([0, []]);
    const other = await run(server, `${text}P9,1\n`, ['--resume']);
    expect(other.complaints).toMatch(/^error: Nothing of .* is imported, or the file has changed since/);
  });

  it('is stopped after the part that is being sent', async () => {
    const server = await started(STORE);
    const terminal = scripted();
    const { out } = terminal;
    terminal.out = (text) => {
      out(text);
      terminal.stop();
    };
    const { code, complaints } = await run(server, `code,price\n${rows(6, 12)}`, ['--part', '2'], terminal);
    expect([code, complaints]).toEqual([1, 'Stopped. The first 2 rows are imported. To go on, add --from-row 3.\n']);
    expect(await codes(server)).toEqual(['P6', 'P7']);
  });
});

describe('all rows or none', () => {
  const valid = Array.from({ length: 5_000 }, (_, at) => `P${at},${at + 1},${'x'.repeat(200)}\n`).join('');

  it('are one transaction, of any size', async () => {
    const server = await started(STORE, { limits: { bodyBytes: 2000 } });
    const refused = await run(server, `code,price,note\n${valid}P0,1,\n`, ['--one-transaction']);
    expect([refused.code, await server.query('store::codes', {}).then(({ body }) => body.result)]).toEqual([1, []]);
    expect(refused.complaints).toMatch(/^line 5002: .*P0/m);
    const { code, results } = await run(server, `code,price,note\n${valid}`, ['--one-transaction']);
    expect([code, results]).toMatchObject([0, [{ rows: 5_000, txn: 1 }]]);
  });

  it('are not sent if one cannot be read', async () => {
    const server = await started(STORE);
    const { complaints } = await run(server, `code,price,note\n${valid.repeat(3)}P0,x,\n`, ['--one-transaction']);
    expect(complaints).toMatch(/^line 15002: column "price": "x" is not a decimal number/m);
    expect(await codes(server)).toEqual([]);
  });

  it.each([
    [['--rejects', 'r.csv', '--one-transaction'], /--rejects needs an import in parts. Leave out --one-transaction/],
    [['--resume', '--from-row', '2'], /Leave out --from-row/],
    [['--resume', '--dry-run'], /--resume goes on with an import in parts/],
  ])('excludes %j', async (options, message) => {
    const { code, complaints } = await run(await started(STORE), 'code,price\nA,1\n', options);
    expect([code, complaints]).toEqual([2, expect.stringMatching(message)]);
  });
});

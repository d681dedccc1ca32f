/** `entail fmt` as a shell sees it. */

import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from './program.js';
import { testTerminal } from './testing/terminal.js';

const FORMATTED = 'module a\n\nenum A { a, b }\n';
const UNTIDY = 'module b\r\nenum B {a,b }';
const TIDIED = 'module b\r\nenum B { a, b }\r\n';
const BROKEN = 'module c\nenum  C { a\n';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entail-fmt-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function run(texts: Readonly<Record<string, string>>, ...options: string[]) {
  const paths = Object.keys(texts).map((name) => join(folder, name));
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
  const terminal = testTerminal();
  const code = await runProgram(['fmt', ...paths, ...options], { version: '1.2.3', page: undefined }, terminal);
  const left = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return { code, out: terminal.written, complaints: terminal.complaints, left };
}

it('rewrites and lists unformatted files, and leaves no temporary files', async () => {
  expect(await run({ 'a.entail': FORMATTED, 'b.entail': UNTIDY })).toEqual({
    code: 0,
    out: 'b.entail\n',
    complaints: '',
    left: [FORMATTED, TIDIED],
  });
  expect(await readdir(folder)).toEqual(['a.entail', 'b.entail']);
});

it('keeps the mode of a file, and does not write a formatted one', async () => {
  const [tidy, untidy] = [join(folder, 'a.entail'), join(folder, 'b.entail')];
  await writeFile(tidy, FORMATTED);
  await writeFile(untidy, UNTIDY);
  // A new file would get the default mode, without write permission for the group.
  await chmod(untidy, 0o660);
  const before = await stat(tidy);
  const terminal = testTerminal();
  await runProgram(['fmt', tidy, untidy], { version: '1.2.3', page: undefined }, terminal);
  expect(terminal.written).toBe('b.entail\n');
  expect([(await stat(tidy)).ino, (await stat(untidy)).mode & 0o777]).toEqual([before.ino, 0o660]);
});

it('only lists them with --check, says what to do, and exits with 1', async () => {
  expect(await run({ 'a.entail': FORMATTED, 'b.entail': UNTIDY }, '--check')).toEqual({
    code: 1,
    out: 'b.entail\n',
    complaints: 'Run entail fmt without --check to format them.\n',
    left: [FORMATTED, UNTIDY],
  });
  expect(await run({ 'a.entail': FORMATTED }, '--check')).toMatchObject({ code: 0, out: '', complaints: '' });
});

it('leaves a file with syntax errors unchanged, prints them, and formats the others', async () => {
  const { code, out, complaints, left } = await run({ 'b.entail': UNTIDY, 'c.entail': BROKEN });
  expect([code, out, left]).toEqual([1, 'b.entail\n', [TIDIED, BROKEN]]);
  expect(complaints).toMatch(/^c\.entail:\d+:\d+ error E00/);
});

describe('standard input', () => {
  const format = async (text: string, ...options: string[]) => {
    const terminal = testTerminal({}, text);
    const code = await runProgram(['fmt', '-', ...options], { version: '1.2.3', page: undefined }, terminal);
    return [code, terminal.written, terminal.complaints.split('\n')[0]];
  };

  it('is formatted to stdout, or not written if it has syntax errors', async () => {
    expect(await format(UNTIDY)).toEqual([0, TIDIED, '']);
    expect(await format(FORMATTED)).toEqual([0, FORMATTED, '']);
    expect(await format(BROKEN)).toEqual([1, '', expect.stringMatching(/^-:\d+:\d+ error E00/)]);
  });

  it('is only listed with --check, and cannot be combined with files', async () => {
    expect(await format(UNTIDY, '--check')).toEqual([1, '-\n', '']);
    expect(await format(FORMATTED, '--check')).toEqual([0, '', '']);
    expect(await format(UNTIDY, 'a.entail')).toEqual([2, '', expect.stringContaining('cannot be combined with files')]);
  });
});

it('exits with 2 if no file is named', async () => {
  expect((await run({})).code).toBe(2);
});

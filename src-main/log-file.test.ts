/** The log file of the desktop's runtime: its size limit, and lines that cannot be written. */

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logFile } from './log-file.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entail-log-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('starts a new file when the log is full, and keeps the previous one', () => {
  const path = join(folder, 'logs/runtime.log');
  const log = logFile(path, 10);
  for (const line of ['one 456789\n', 'two 456789\n', 'three\n', 'four\n']) log.write(line);
  expect(readFileSync(path, 'utf8')).toBe('three\nfour\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('two 456789\n');
  expect(readdirSync(join(folder, 'logs'))).toEqual(['runtime.log', 'runtime.log.1']);
});

it('continues the existing file at a later start', () => {
  const path = join(folder, 'runtime.log');
  logFile(path).write('first\n');
  logFile(path).write('second\n');
  expect(readFileSync(path, 'utf8')).toBe('first\nsecond\n');
});

it('keeps the full file while another worker renames it', () => {
  const path = join(folder, 'runtime.log');
  writeFileSync(path, 'full 56789\n');
  mkdirSync(`${path}.lock`);
  const log = logFile(path, 10);
  log.write('more\n');
  expect(readFileSync(path, 'utf8')).toBe('full 56789\nmore\n');
  rmdirSync(`${path}.lock`);
  log.write('new\n');
  expect(readFileSync(path, 'utf8')).toBe('new\n');
  expect(readdirSync(folder)).toEqual(['runtime.log', 'runtime.log.1']);
});

it('ignores the lock of an application that was killed', () => {
  const path = join(folder, 'runtime.log');
  writeFileSync(path, 'full 56789\n');
  mkdirSync(`${path}.lock`);
  utimesSync(`${path}.lock`, 0, 0);
  const log = logFile(path, 10);
  log.write('more\n');
  log.write('new\n');
  expect(readFileSync(path, 'utf8')).toBe('new\n');
});

it('drops lines that cannot be written, and does not throw', () => {
  writeFileSync(join(folder, 'logs'), 'a file in the place of the folder');
  const log = logFile(join(folder, 'logs/runtime.log'));
  expect(() => log.write('line\n')).not.toThrow();
});

/** Scripts of the application, and their compiled code. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CODE_CACHE, runScript } from './cached-script.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entail-script-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function scriptOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

it('loads a script and what it requires, each once', () => {
  mkdirSync(join(folder, 'chunks'));
  scriptOf('chunks/part.cjs', 'exports.count = 0;');
  const file = scriptOf(
    'main.cjs',
    `const part = require('./chunks/part.cjs'); part.count += 1;
     exports.counted = require('./chunks/part.cjs').count;
     exports.name = require('node:path').basename(__filename);`,
  );
  expect(runScript(file)).toEqual({ counted: 1, name: 'main.cjs' });
});

it('runs the compiled code of an earlier run', () => {
  const file = scriptOf('main.cjs', 'exports.made = 1;');
  vi.stubEnv('ENTAIL_CODE_CACHE', 'write');
  const others = new Set(process.listeners('exit'));
  runScript(file);
  for (const write of process.listeners('exit').filter((each) => !others.has(each))) {
    process.off('exit', write);
    write(0);
  }
  vi.unstubAllEnvs();
  // V8 compares only the length of the text.
  scriptOf('main.cjs', 'exports.made = 2;');
  expect(runScript(file)).toEqual({ made: 1 });
});

it('runs a script whose compiled code V8 refuses', () => {
  const file = scriptOf('main.cjs', 'exports.made = 1;');
  scriptOf(`main.cjs${CODE_CACHE}`, 'of another version');
  expect(runScript(file)).toEqual({ made: 1 });
});

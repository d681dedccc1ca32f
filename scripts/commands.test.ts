/** The messages of `npm run demo` and `npm run dist` if they cannot start. End-to-end tests cover the rest. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'entail-commands-'));
  writeFileSync(join(folder, 'story.md'), '# Story\n\nModule: nothing.entail\n\n## Scene\n');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(script: string, args: readonly string[], environment: Record<string, string> = {}) {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, script), ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  return { status, stderr: stderr.replaceAll(folder, 'FOLDER') };
}

it.each([
  ['missing.md', 'FOLDER/missing.md cannot be read. Name the file of a story, or none to see the sample.\n'],
  [
    'story.md',
    'FOLDER/nothing.entail cannot be read. FOLDER/story.md names it as a module; write where it lies from there.\n',
  ],
])('rejects a demo of %s before a window opens', (file, stderr) => {
  expect(run('demo.mjs', [join(folder, file)])).toEqual({ status: 1, stderr });
});

it('packs nothing without Electron, and names the variable that sets its folder', () => {
  const { status, stderr } = run('dist.mjs', ['--output', join(folder, 'dist')], { ENTAIL_ELECTRON_DIST: folder });
  expect(status).toBe(1);
  expect(stderr).toBe(
    'Nothing was packed: FOLDER is no distribution of Electron: it has no file called version. ENTAIL_ELECTRON_DIST may name the folder that a release of Electron is unpacked to, for this system and processor.\n',
  );
});

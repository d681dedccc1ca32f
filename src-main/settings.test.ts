/** The desktop's settings, also when their file cannot be read or written. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { settingsFile } from './settings.js';

const OPENED = { recent: [['/m/lease.entail']] };

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entail-settings-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('restores changes at the next start', () => {
  const path = join(folder, 'user/settings.json');
  settingsFile(path).change(() => OPENED);
  expect(settingsFile(path).current).toEqual(OPENED);
});

it('ignores a damaged file', () => {
  const path = join(folder, 'settings.json');
  writeFileSync(path, '{ "recent": [[');
  expect(settingsFile(path).current).toEqual({ recent: [] });
});

it('keeps settings in memory if they cannot be written', () => {
  writeFileSync(join(folder, 'user'), 'a file in the place of the folder');
  const settings = settingsFile(join(folder, 'user/settings.json'));
  settings.change(() => OPENED);
  expect(settings.current).toEqual(OPENED);
});

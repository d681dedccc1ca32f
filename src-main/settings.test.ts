/** The desktop's settings, also when their file cannot be read or written. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settingsFile } from './settings.js';

const OPENED = { recent: [['/m/lease.entail']] };

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entail-settings-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what is changed is there at the next start', () => {
  const path = join(folder, 'user/settings.json');
  settingsFile(path).change(() => OPENED);
  expect(settingsFile(path).current).toEqual(OPENED);
});

test('a damaged file stands for none', () => {
  const path = join(folder, 'settings.json');
  writeFileSync(path, '{ "recent": [[');
  expect(settingsFile(path).current).toEqual({ recent: [] });
});

test('where they cannot be written, they hold for this start, and nothing else fails', () => {
  writeFileSync(join(folder, 'user'), 'a file in the place of the folder');
  const settings = settingsFile(join(folder, 'user/settings.json'));
  settings.change(() => OPENED);
  expect(settings.current).toEqual(OPENED);
});

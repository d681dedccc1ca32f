/** The desktop's settings, also when their file cannot be read or written. */

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

it('restores changes at the next start', async () => {
  const path = join(folder, 'user/settings.json');
  const settings = settingsFile(path);
  settings.change(() => ({ recent: [] }));
  settings.change(() => OPENED);
  await settings.saved();
  expect(settingsFile(path).current).toEqual(OPENED);
});

it('ignores a damaged file', () => {
  const path = join(folder, 'settings.json');
  writeFileSync(path, '{ "recent": [[');
  expect(settingsFile(path).current).toEqual({ recent: [] });
});

it.skipIf(process.platform === 'win32')(
  'keeps the token from other users, also after a save that was interrupted',
  async () => {
    const path = join(folder, 'settings.json');
    writeFileSync(`${path}.new`, '{ "recent": [', { mode: 0o644 });
    const settings = settingsFile(path);
    settings.change(() => OPENED);
    await settings.saved();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  },
);

it('keeps settings in memory if they cannot be written', async () => {
  writeFileSync(join(folder, 'user'), 'a file in the place of the folder');
  const settings = settingsFile(join(folder, 'user/settings.json'));
  settings.change(() => OPENED);
  await settings.saved();
  expect(settings.current).toEqual(OPENED);
});

/** What is open at a start, and the list of recent projects. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { settingsFile } from '../settings.js';
import { keyOf, lastOpened, placed, recentNames, remembered, sampleCopy } from './recent-projects.js';

let folder = '';
let folders = { sample: '', userData: '' };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entail-modules-'));
  folders = { sample: join(folder, 'lease.entail'), userData: join(folder, 'user') };
  writeFileSync(folders.sample, 'module lease');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('opens a copy of the sample at the first start, and keeps its changes at a later one', async () => {
  const [[copy = ''] = []] = await lastOpened({ recent: [] }, folders);
  expect(copy).not.toBe(folders.sample);
  writeFileSync(copy, 'module lease // changed');
  expect(await sampleCopy(folders)).toEqual([copy]);
  expect(readFileSync(copy, 'utf8')).toContain('changed');
  expect(readFileSync(folders.sample, 'utf8')).toBe('module lease');
});

it('reopens the last project, even if one of its files was deleted', async () => {
  const file = join(folder, 'access.entail');
  expect(await lastOpened(remembered({ recent: [] }, [file]), folders)).toEqual([[file]]);
});

it('reopens the projects of all windows that were open', async () => {
  const open = [['/m/lease.entail'], ['/projects/tax']];
  expect(await lastOpened({ recent: [['/m/other.entail']], open }, folders)).toEqual(open);
});

it('remembers the place of the window of each recent project', () => {
  const place = (x: number) => ({ x, y: 0, width: 900, height: 600, maximized: false });
  const recent = [['/m/lease.entail'], ['/projects/tax']];
  let settings = placed({ recent }, ['/m/lease.entail'], place(1));
  settings = placed(settings, ['/projects/tax'], place(2));
  settings = placed({ ...settings, recent: recent.slice(0, 1) }, undefined, place(3));
  expect(settings.window).toEqual(place(3));
  settings = placed(settings, ['/m/lease.entail'], place(4));
  expect(settings.windows).toEqual({ [keyOf(['/m/lease.entail'])]: place(4) });
});

it('lists at most ten recent projects, each once, the last opened first', () => {
  let settings = settingsFile(join(folder, 'none.json')).current;
  for (let set = 0; set < 12; set += 1) settings = remembered(settings, [`/m/${set}.entail`]);
  settings = remembered(settings, ['/m/5.entail']);
  expect(settings.recent).toHaveLength(10);
  expect(settings.recent.slice(0, 2)).toEqual([['/m/5.entail'], ['/m/11.entail']]);
});

it('distinguishes recent projects of the same name by their folders', () => {
  const recent = [
    ['/projects/lease/main.entail'],
    ['/home/lease/main.entail'],
    ['/a/tax.entail', '/a/vat.entail'],
    ['/tax.entail'],
  ];
  expect(recentNames(recent)).toEqual([
    'projects/lease/main.entail',
    'home/lease/main.entail',
    'tax.entail and 1 more',
    'tax.entail',
  ]);
});

it('restores the settings at the next start, and ignores a damaged file', async () => {
  const path = join(folder, 'user/settings.json');
  const settings = settingsFile(path);
  settings.change((current) => remembered(current, ['/m/lease.entail']));
  await settings.saved();
  expect(settingsFile(path).current.recent).toEqual([['/m/lease.entail']]);
  writeFileSync(path, '{');
  expect(settingsFile(path).current.recent).toEqual([]);
});

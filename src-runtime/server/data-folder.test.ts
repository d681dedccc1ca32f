/** New projects from backups. */

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupLines } from '../storage/backup.js';
import { openForReading, openMemoryStore } from '../storage/index.js';
import { history, rememberingLog, SCOPE, scopeRecord, transaction } from '../storage/testing/histories.js';
import { restoreProject } from './data-folder.js';

const SOURCES = [{ file: 'parts/shop.entail', text: 'module shop\n' }];

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'entail-restored-')), 'project');
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

async function* backup(): AsyncGenerator<Uint8Array> {
  const store = await openMemoryStore();
  await store.createScope(scopeRecord);
  await store.append(SCOPE, [transaction(1)]);
  for await (const line of backupLines(store)) yield Buffer.from(line);
}

const restore = () => restoreProject(folder, SOURCES, backup(), 'shop.backup', rememberingLog());

it('creates a project with the sources and the facts of a backup', async () => {
  expect(await restore()).toMatchObject({ transactions: 1 });
  expect((await readdir(folder)).sort()).toEqual(['.entail', 'parts']);
  const store = await openForReading(join(folder, '.entail'), (damage) => {
    throw damage;
  });
  expect(await history(store)).toEqual([transaction(1)]);
  await store.close();
});

it('leaves a folder with files as it is', async () => {
  await mkdir(folder);
  await writeFile(join(folder, 'mine.txt'), '');
  await expect(restore()).rejects.toThrow(/is not empty\. Name a new or an empty folder/);
  expect(await readdir(folder)).toEqual(['mine.txt']);
});

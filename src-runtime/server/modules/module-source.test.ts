import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Files } from '../../storage/files.js';
import { FAKE_DIRECTORY, FakeDisk } from '../../storage/testing/fake-disk.js';
import { replaceFile } from './module-source.js';

it('leaves one whole text, and no other file, after simultaneous saves', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'entail-save-'));
  try {
    const path = join(folder, 'a.entail');
    const texts = [30_000, 10, 8_000, 20_000].map((length, index) => `module m${index}\n${'/'.repeat(length)}`);
    await Promise.all(texts.map((text) => replaceFile(path, text)));
    expect(texts).toContain(await readFile(path, 'utf8'));
    expect(await readdir(folder)).toEqual(['a.entail']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('reports why the disk refused a save, even if it refuses the clean-up too', async () => {
  const operations = await countSaving();
  expect(operations).toBeGreaterThan(3);
  for (let atOperation = 1; atOperation <= operations; atOperation += 1) {
    const disk = new FakeDisk({ atOperation, done: 'nothing', kind: 'full' });
    const files: Files = { ...disk.files, remove: () => Promise.reject(new Error('input/output error')) };
    await expect(replaceFile(`${FAKE_DIRECTORY}/a.entail`, 'module a\n', files)).rejects.toMatchObject({
      code: 'SVC_RUNTIME_STORAGE_ERROR',
      message: 'Cannot save a.entail: the disk is full; free some space.',
    });
  }
});

async function countSaving(): Promise<number> {
  const disk = new FakeDisk();
  await replaceFile(`${FAKE_DIRECTORY}/a.entail`, 'module a\n', disk.files);
  return disk.operations;
}

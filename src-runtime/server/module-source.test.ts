/** The writing of a file that may be saved from several places. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFile } from './module-source.js';

it('leaves one of the texts that are saved at once, whole, and nothing beside it', async () => {
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

/** Temporary folders for journeys, deleted afterwards. */

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const repository = join(import.meta.dirname, '../..');

/** Runs `use` with a new folder. */
export async function withTemporaryFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'entail-journey-'));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies a sample module, so that a journey can edit it. */
export function copySample(name: string, folder: string): string {
  const copy = join(folder, `${name}.entail`);
  copyFileSync(join(repository, 'resources/modules', `${name}.entail`), copy);
  return copy;
}

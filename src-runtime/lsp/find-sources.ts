/** Which files in a folder are module sources of the user's own. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that hold what was made or fetched; hidden ones are left out too. */
const SKIPPED = new Set(['node_modules', 'out', 'dist']);

/** Paths in and below the folder. A folder that cannot be read has none. */
export async function findSources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return isSkipped(entry.name) ? [] : await findSources(path);
      return entry.name.endsWith('.entail') ? [path] : [];
    }),
  );
  return found.flat();
}

function isSkipped(name: string): boolean {
  return name.startsWith('.') || SKIPPED.has(name);
}

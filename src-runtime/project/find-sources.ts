/** Finds the user's module sources in a folder. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders of generated or downloaded files. Hidden folders are skipped too. */
const SKIPPED = new Set(['node_modules', 'out', 'dist']);

/** Paths in the folder and its subfolders. An unreadable folder counts as empty. */
export async function findSources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return isSkipped(entry.name) ? [] : await findSources(path);
      return /\.entail$/i.test(entry.name) ? [path] : [];
    }),
  );
  return found.flat();
}

function isSkipped(name: string): boolean {
  return name.startsWith('.') || SKIPPED.has(name);
}

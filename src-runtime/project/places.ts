/** Lists folders, so that a page without a file dialog can choose a project. */

import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ProjectError } from './find-project.js';

export interface Places {
  readonly folder: string;
  /** Null at the root. */
  readonly parent: string | null;
  readonly folders: readonly string[];
  /** The sources, artifacts and repro bundles in the folder. */
  readonly files: readonly string[];
}

/** Without hidden folders. Throws ProjectError if the folder cannot be read. */
export async function placesIn(folder: string): Promise<Places> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new ProjectError(`${folder} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  const named = entries.filter(({ name }) => !name.startsWith('.'));
  const names = (some: typeof named): string[] => some.map(({ name }) => name).sort((a, b) => a.localeCompare(b));
  const parent = dirname(folder);
  return {
    folder,
    parent: parent === folder ? null : parent,
    folders: names(named.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')),
    files: names(
      named.filter((entry) => !entry.isDirectory() && /\.(entail|entail\.json|repro\.json)$/i.test(entry.name)),
    ),
  };
}

/** The module sources of a workspace: the `.entail` files of its folders, in which open documents win over the disk. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Analysis, analyse } from '../language/service/index.js';

export interface Workspace {
  /** Reads the sources of the folders anew. What cannot be read is left out. */
  readFolders(folders: readonly string[]): Promise<void>;
  /** The text of an open document; undefined closes it, and the disk's counts again. */
  setOpen(uri: string, text: string | undefined): void;
  /** All sources, read and checked together; files are named by their URIs. */
  analysis(): Analysis;
}

/** Folders that hold no sources of the user's own. */
const SKIPPED = new Set(['node_modules', 'out', 'dist']);

export function createWorkspace(): Workspace {
  let onDisk = new Map<string, string>();
  const open = new Map<string, string>();
  let current: Analysis | undefined;
  let isStale = true;
  return {
    async readFolders(folders) {
      const found = await Promise.all(folders.map(readSources));
      onDisk = new Map(found.flat());
      isStale = true;
    },
    setOpen(uri, text) {
      if (text === undefined) open.delete(uri);
      else open.set(uri, text);
      isStale = true;
    },
    analysis() {
      if (current !== undefined && !isStale) return current;
      const texts = new Map([...onDisk, ...open]);
      const sources = [...texts].map(([file, text]) => ({ file, text })).sort((a, b) => (a.file < b.file ? -1 : 1));
      current = analyse(sources, current);
      isStale = false;
      return current;
    },
  };
}

/** By URI. */
async function readSources(folder: string): Promise<[string, string][]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const found = await Promise.all(
      entries.map(async (entry): Promise<[string, string][]> => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return isSkipped(entry.name) ? [] : readSources(path);
        if (!entry.name.endsWith('.entail')) return [];
        return [[pathToFileURL(path).href, await readFile(path, 'utf8')]];
      }),
    );
    return found.flat();
  } catch {
    // Gone, or not ours to read: the editor tells of that itself.
    return [];
  }
}

function isSkipped(name: string): boolean {
  return name.startsWith('.') || SKIPPED.has(name);
}

/** Undefined where the URI names no file. */
export function pathOf(uri: string): string | undefined {
  return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
}

/** The module sources of a workspace: the `.entail` files of its folders, in which open documents win over the disk. */

import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Analysis, analyse } from '../language/service/index.js';
import { findSources } from './find-sources.js';

export interface Workspace {
  /** Reads the sources of the folders anew. What cannot be read is left out. */
  readFolders(folders: readonly string[]): Promise<void>;
  /** The text of an open document; undefined closes it, and the disk's counts again. */
  setOpen(uri: string, text: string | undefined): void;
  /** All sources, read and checked together; files are named by their URIs. */
  analysis(): Analysis;
}

export function createWorkspace(): Workspace {
  /** By path. */
  let onDisk = new Map<string, string>();
  /** By URI. */
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
      // Editors spell the URI of a file in ways of their own (`c%3A`, `%40`): the path says which one is open.
      const opened = new Set([...open.keys()].map(pathOf));
      const closed = [...onDisk].filter(([path]) => !opened.has(path));
      const texts = [...closed.map(([path, text]) => [pathToFileURL(path).href, text] as const), ...open];
      const sources = texts.map(([file, text]) => ({ file, text })).sort((a, b) => (a.file < b.file ? -1 : 1));
      current = analyse(sources, current);
      isStale = false;
      return current;
    },
  };
}

/** By path. What is gone by now, or not ours to read, is left out: the editor tells of that itself. */
async function readSources(folder: string): Promise<[string, string][]> {
  const read = async (path: string): Promise<[string, string][]> => {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    return text === undefined ? [] : [[path, text]];
  };
  return (await Promise.all((await findSources(folder)).map(read))).flat();
}

/** Undefined where the URI names no file of this machine. */
export function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

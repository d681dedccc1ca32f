/** The module sources of a workspace: the `.entail` files of its folders. Open documents win over the disk. */

import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Analysis, analyse } from '../language/service/index.js';
import { findSources } from '../project/find-sources.js';

export interface Workspace {
  /** Reads the sources of the folders again. Skips unreadable files. */
  readFolders(folders: readonly string[]): Promise<void>;
  /** Sets the text of an open document. Undefined closes it, so the text on disk counts again. */
  setOpen(uri: string, text: string | undefined): void;
  /** The analysis of all sources, whose files are named by URI. */
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
      // Editors encode URIs differently (`c%3A`, `%40`), so open files are compared by path.
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

/** By path. Skips files that are gone or unreadable: the editor reports those. */
async function readSources(folder: string): Promise<[string, string][]> {
  const read = async (path: string): Promise<[string, string][]> => {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    return text === undefined ? [] : [[path, text]];
  };
  return (await Promise.all((await findSources(folder)).map(read))).flat();
}

/** Undefined if the URI is not a local file. */
export function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

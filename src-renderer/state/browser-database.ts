/** Lists of entries in IndexedDB, one database for each list and project. Without storage (a private window) they read as empty and keep nothing. */

import { createStore, promisifyRequest } from 'idb-keyval';
import { keyOfProject, project } from './page-storage.js';

interface Entry {
  /** Ascending; the key. */
  readonly id: number;
}

export interface EntryList<T extends Entry> {
  /** The latest first. */
  read(): Promise<T[]>;
  /** Deletes the entries older than `oldest` too. A write that fails loses its entries at the next start only. */
  put(entries: readonly T[], oldest?: number): Promise<void>;
  clear(): Promise<void>;
}

export function createEntryList<T extends Entry>(name: string, store: string): EntryList<T> {
  const own = openList<T>(keyOfProject(name), store);
  if (project === '') return own;
  return {
    ...own,
    async read() {
      const entries = await own.read();
      if (entries.length > 0) return entries;
      // Earlier versions kept one list for all projects. The first project that is opened takes it.
      const shared = openList<T>(name, store);
      const former = await shared.read();
      if (former.length === 0) return [];
      await own.put(former);
      await shared.clear();
      return former;
    },
  };
}

function openList<T extends Entry>(database: string, store: string): EntryList<T> {
  const use = createStore(database, store);
  const write = async (work: (store: IDBObjectStore) => void): Promise<void> => {
    try {
      await use('readwrite', (entries) => {
        work(entries);
        return promisifyRequest(entries.transaction);
      });
    } catch {
      // No storage, full storage, or a database that was closed from outside (site data cleared).
    }
  };
  return {
    async read() {
      try {
        const entries = await use('readonly', (entries) => promisifyRequest<T[]>(entries.getAll()));
        return entries.reverse();
      } catch {
        return [];
      }
    },
    put: (added, oldest = Number.NEGATIVE_INFINITY) =>
      write((entries) => {
        // Databases of earlier versions take the key from the entry and refuse a second one.
        for (const entry of added) entries.put(entry, ...(entries.keyPath === null ? [entry.id] : []));
        entries.delete(IDBKeyRange.upperBound(oldest, true));
      }),
    clear: () => write((entries) => entries.clear()),
  };
}

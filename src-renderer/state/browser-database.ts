/** Lists of entries that the browser keeps over reloads and restarts, each in a database of its own. Without storage (a private window) there is none. */

export interface Entry {
  /** Ascending; the key. */
  readonly id: number;
}

export function openDatabase(name: string, store: string): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath: 'id' });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(undefined);
      request.onblocked = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  });
}

/** The latest first. */
export function allOf<T extends Entry>(database: IDBDatabase, store: string): Promise<T[]> {
  return new Promise((resolve, reject) => {
    const request = database.transaction(store, 'readonly').objectStore(store).getAll();
    request.onsuccess = () => resolve((request.result as T[]).reverse());
    request.onerror = () => reject(request.error);
  });
}

/** A full storage loses the entry for the next start; it is shown all the same. */
export function write(database: IDBDatabase, store: string, work: (store: IDBObjectStore) => void): void {
  try {
    work(database.transaction(store, 'readwrite').objectStore(store));
  } catch {
    // The database was closed from outside (site data cleared): the list in memory goes on.
  }
}

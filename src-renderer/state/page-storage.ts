/** What the browser keeps for the page, by key. A storage that is full or forbidden keeps nothing, which nobody else needs to know. */

/** Over restarts, or as long as the tab lives. */
export type PageStorage = 'localStorage' | 'sessionStorage';

/** The browser's own, for those who look through all of it; undefined where it is forbidden. */
export function storageOf(storage: PageStorage): Storage | undefined {
  try {
    return globalThis[storage];
  } catch {
    return undefined;
  }
}

export function storedText(storage: PageStorage, key: string): string | null {
  try {
    return globalThis[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Null removes it. What it is of is still here where it could not be kept. */
export function storeText(storage: PageStorage, key: string, text: string | null): void {
  try {
    if (text === null) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, text);
  } catch {
    // As above.
  }
}

/** Undefined where nothing is kept, or what is kept cannot be read. */
export function storedJson(storage: PageStorage, key: string): unknown {
  return jsonOf(storedText(storage, key));
}

/** The value of a text that was kept; undefined where there is none. */
export function jsonOf(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

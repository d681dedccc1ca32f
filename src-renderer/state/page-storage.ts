/** The browser's storage by key. A full or forbidden storage keeps nothing, and reports no error. */

/** Kept over restarts, or as long as the tab is open. */
export type PageStorage = 'localStorage' | 'sessionStorage';

/** The storage itself, to iterate over it; undefined if it is forbidden. */
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

/** Null removes the text. A failure is ignored: the page still has the value. */
export function storeText(storage: PageStorage, key: string, text: string | null): void {
  try {
    if (text === null) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, text);
  } catch {
    // Full or forbidden.
  }
}

/** Undefined if nothing is stored, or it is not JSON. */
export function storedJson(storage: PageStorage, key: string): unknown {
  return jsonOf(storedText(storage, key));
}

/** The parsed text, or undefined if it is missing or not JSON. */
export function jsonOf(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The id of the open project; empty if the host does not say. */
export const project = projectOfPage();

function projectOfPage(): string {
  const content = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="project"]')?.content ?? '';
  return /^[0-9a-f]+$/.test(content) ? content : '';
}

/** The key of a text that is kept for each project. */
export function keyOfProject(key: string): string {
  return project === '' ? key : `${key}@${project}`;
}

/** The key without its project; undefined for a key of another project. */
export function ownKey(key: string): string | undefined {
  const [name = '', of] = key.split('@');
  return of === undefined || of === project ? name : undefined;
}

/** Earlier versions kept one text for all projects. The first project that is opened takes it. */
export function adoptText(storage: PageStorage, key: string): string | null {
  const own = storedText(storage, keyOfProject(key));
  if (own !== null || project === '') return own;
  const former = storedText(storage, key);
  if (former === null) return null;
  storeText(storage, keyOfProject(key), former);
  storeText(storage, key, null);
  return former;
}

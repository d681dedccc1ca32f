/** A value that components subscribe to, for state that is neither the server's nor one component's. */

import { useSyncExternalStore } from 'react';
import { adoptText, jsonOf, keyOfProject, storedText, storeText } from './page-storage.js';

export interface Store<T> {
  get(): T;
  set(value: T): void;
  update(change: (value: T) => T): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  const set = (value: T): void => {
    if (Object.is(value, current)) return;
    current = value;
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => current,
    set,
    update: (change) => set(change(current)),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

interface PersistenceOptions<T> {
  /** Defers writing, for large values that change with each key press. */
  readonly later?: (write: () => void) => () => void;
  /** The value for a new page, if two open pages have changed `before`. By default this page's own. */
  readonly merge?: (theirs: T, before: T, own: T) => T;
  /** Shared by all pages and projects, like a setting: a change in another page applies here too. */
  readonly isShared?: boolean;
}

/**
 * A store that the browser keeps under `name`, for each project. A stored value that `accepts` rejects is ignored. Each open page has
 * its own value, also over reloads; a new page starts with the last one written.
 */
export function createPersistentStore<T>(
  name: string,
  initial: T,
  accepts: (value: unknown) => value is T,
  { later = (write) => write, merge = (_theirs, _before, own) => own, isShared = false }: PersistenceOptions<T> = {},
): Store<T> {
  const read = (text: string | null): T | undefined => {
    const value = jsonOf(text);
    return accepts(value) ? value : undefined;
  };
  const key = isShared ? name : keyOfProject(name);
  let left = read(isShared ? storedText('localStorage', key) : adoptText('localStorage', name)) ?? initial;
  const ofPage = isShared ? undefined : read(adoptText('sessionStorage', name));
  let isPageOwn = ofPage !== undefined;
  const store = createStore(ofPage ?? left);
  let before = store.get();
  const write = (): void => {
    const own = store.get();
    if (Object.is(own, before)) return;
    left = merge(left, before, own);
    before = own;
    storeText('localStorage', key, JSON.stringify(left));
    if (!isShared) keepForPage();
  };
  const keepForPage = (): void => {
    isPageOwn = true;
    storeText('sessionStorage', key, JSON.stringify(store.get()));
  };
  store.subscribe(later(write));
  if (typeof window !== 'undefined') {
    window.addEventListener('storage', (event) => {
      if (event.storageArea !== localStorage || event.key !== key) return;
      left = read(event.newValue) ?? initial;
      if (isShared) {
        before = left;
        store.set(left);
      } else if (!isPageOwn) keepForPage();
    });
  }
  return store;
}

/** For records: keeps the members that other pages changed beside those changed here. */
export function mergedMembers<T extends object>(theirs: T, before: T, own: T): T {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(own).filter(([key, member]) => !Object.is(member, old.get(key)));
  const others = Object.entries(theirs).filter(([key]) => Object.hasOwn(own, key) || !old.has(key));
  return Object.fromEntries([...others, ...changed]) as T;
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Whether the value is an object whose members `accepts` all accepts. */
export function isRecordOf<T>(value: unknown, accepts: (member: unknown) => member is T): value is Record<string, T> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(accepts);
}

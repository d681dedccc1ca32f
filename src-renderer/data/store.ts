/** A value that components subscribe to: for what is neither server state nor one component's own. */

import { useSyncExternalStore } from 'react';

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

/**
 * A store that the browser keeps under `key`. What it kept is used only where `accepts` says that it still fits. `later` puts
 * off the writing of what is large and changes with each key.
 */
export function createKeptStore<T>(
  key: string,
  initial: T,
  accepts: (value: unknown) => value is T,
  later: (write: () => void) => () => void = (write) => write,
): Store<T> {
  const store = createStore(readKept(key, initial, accepts));
  const write = (): void => {
    try {
      localStorage.setItem(key, JSON.stringify(store.get()));
    } catch {
      // A full or forbidden storage loses the copy for the next start; the value itself is still here.
    }
  };
  store.subscribe(later(write));
  return store;
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

function readKept<T>(key: string, initial: T, accepts: (value: unknown) => value is T): T {
  try {
    const text = localStorage.getItem(key);
    if (text === null) return initial;
    const value: unknown = JSON.parse(text);
    return accepts(value) ? value : initial;
  } catch {
    return initial;
  }
}

/** True for an object whose every member is of the kind that `accepts` knows. */
export function isRecordOf<T>(value: unknown, accepts: (member: unknown) => member is T): value is Record<string, T> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(accepts);
}

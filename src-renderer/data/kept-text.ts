/** A text that outlives a reload of the page but not its tab, such as what a list is filtered by: tomorrow the list is whole again. */

import { useCallback } from 'react';
import { storedJson, storeText } from './page-storage.js';
import { createStore, isRecordOf, useStore } from './store.js';

const KEY = 'entail.texts';

const texts = createStore<Readonly<Record<string, string>>>(readKept());
texts.subscribe(() => storeText('sessionStorage', KEY, JSON.stringify(texts.get())));

/** `name` tells it from every other on the page. */
export function useKeptText(name: string): [string, (text: string) => void] {
  const text = useStore(texts)[name] ?? '';
  const set = useCallback((next: string) => texts.update((current) => ({ ...current, [name]: next })), [name]);
  return [text, set];
}

/** Forgets a text that is not needed any more, unless it is another one by now. */
export function dropKeptText(name: string, text: string): void {
  texts.update((current) => (current[name] === text ? { ...current, [name]: '' } : current));
}

function readKept(): Readonly<Record<string, string>> {
  const kept = storedJson('sessionStorage', KEY);
  return isRecordOf(kept, (value) => typeof value === 'string') ? kept : {};
}

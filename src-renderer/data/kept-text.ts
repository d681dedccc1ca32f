/** A text that outlives a reload of the page but not its tab, such as what a list is filtered by: tomorrow the list is whole again. */

import { useCallback } from 'react';
import { createStore, isRecordOf, useStore } from './store.js';

const KEY = 'entail.texts';

const texts = createStore<Readonly<Record<string, string>>>(readKept());
texts.subscribe(() => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(texts.get()));
  } catch {
    // A full or forbidden storage loses the copy for the next load; the text itself is still here.
  }
});

/** `name` tells it from every other on the page. */
export function useKeptText(name: string): [string, (text: string) => void] {
  const text = useStore(texts)[name] ?? '';
  const set = useCallback((next: string) => texts.update((current) => ({ ...current, [name]: next })), [name]);
  return [text, set];
}

function readKept(): Readonly<Record<string, string>> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return isRecordOf(kept, (value) => typeof value === 'string') ? kept : {};
  } catch {
    return {};
  }
}

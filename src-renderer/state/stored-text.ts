/** Texts that survive a restart, such as the filter of a list. */

import { useCallback } from 'react';
import { createPersistentStore, isRecordOf, mergedMembers, useStore } from './store.js';

type Texts = Readonly<Record<string, string>>;

const areTexts = (value: unknown): value is Texts => isRecordOf(value, (text) => typeof text === 'string');

const texts = createPersistentStore<Texts>('entail.texts', {}, areTexts, { merge: mergedMembers });

/** `name` is unique on the page. */
export function useStoredText(name: string): [string, (text: string) => void] {
  const text = useStore(texts)[name] ?? '';
  const set = useCallback((next: string) => texts.update((current) => withText(current, name, next)), [name]);
  return [text, set];
}

/** Removes a stored text, unless it has changed. */
export function dropStoredText(name: string, text: string): void {
  texts.update((current) => (current[name] === text ? withText(current, name, '') : current));
}

/** Removes an empty text, so that the store does not grow with every name that was ever used. */
function withText(kept: Texts, name: string, text: string): Texts {
  const { [name]: _, ...others } = kept;
  return text === '' ? others : { ...others, [name]: text };
}

/** A text that outlives a reload, a crash and a restart, such as what a list is filtered by. */

import { useCallback } from 'react';
import { createKeptStore, isRecordOf, mergedMembers, useStore } from './store.js';

type Texts = Readonly<Record<string, string>>;

const areTexts = (value: unknown): value is Texts => isRecordOf(value, (text) => typeof text === 'string');

const texts = createKeptStore<Texts>('entail.texts', {}, areTexts, { merge: mergedMembers });

/** `name` tells it from every other on the page. */
export function useKeptText(name: string): [string, (text: string) => void] {
  const text = useStore(texts)[name] ?? '';
  const set = useCallback((next: string) => texts.update((current) => withText(current, name, next)), [name]);
  return [text, set];
}

/** Forgets a text that is not needed any more, unless it is another one by now. */
export function dropKeptText(name: string, text: string): void {
  texts.update((current) => (current[name] === text ? withText(current, name, '') : current));
}

/** An empty one is none, so that what is kept does not grow with all that was ever typed. */
function withText(kept: Texts, name: string, text: string): Texts {
  const { [name]: _, ...others } = kept;
  return text === '' ? others : { ...others, [name]: text };
}

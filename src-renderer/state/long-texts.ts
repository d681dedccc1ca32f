/**
 * Texts that no address has room for, which has a short name of each instead: as long as the tab lives, over a reload too where
 * the browser has room for them.
 */

import { createOnceIds } from './once-ids.js';
import { storedJson, storeText } from './page-storage.js';
import { isRecordOf } from './store.js';

const KEY = 'entail.long-texts';
const TEXTS_MAX = 8;
/** What is typed shares the storage with them, and must find room. */
const KEPT_CHARACTERS_MAX = 1_000_000;

const nextId = createOnceIds();
let texts: ReadonlyMap<string, string> | undefined;

/** The same for the same text. */
export function nameOfText(text: string): string {
  for (const [name, each] of known()) if (each === text) return name;
  const name = `~${nextId()}`;
  texts = new Map([...known(), [name, text] as const].slice(-TEXTS_MAX));
  const kept = JSON.stringify(Object.fromEntries(texts));
  storeText('sessionStorage', KEY, kept.length > KEPT_CHARACTERS_MAX ? null : kept);
  return name;
}

/** Undefined for one that is not known any more. */
export function textOfName(name: string): string | undefined {
  return known().get(name);
}

function known(): ReadonlyMap<string, string> {
  texts ??= new Map(Object.entries(keptTexts()));
  return texts;
}

function keptTexts(): Readonly<Record<string, string>> {
  const kept = storedJson('sessionStorage', KEY);
  return isRecordOf(kept, (value) => typeof value === 'string') ? kept : {};
}

/** Which kept call each tab was opened from, so that what is changed there can be saved back. */

import { createKeptStore, isRecordOf, mergedMembers } from './store.js';

export interface SavedOrigin {
  readonly collection: string;
  /** Of the call in it. */
  readonly name: string;
}

/** By the key of what shows the call. */
export const savedOrigins = createKeptStore<Readonly<Record<string, SavedOrigin>>>(
  'entail.call-origins',
  {},
  (value): value is Record<string, SavedOrigin> => isRecordOf(value, isOrigin),
  { merge: mergedMembers },
);

/** Undefined for what comes from nowhere, or from the history. */
export function setOrigin(key: string, origin: SavedOrigin | undefined): void {
  savedOrigins.update(({ [key]: _before, ...others }) =>
    origin === undefined ? others : { ...others, [key]: origin },
  );
}

function isOrigin(value: unknown): value is SavedOrigin {
  const origin = value as Partial<SavedOrigin> | null;
  return (
    typeof origin === 'object' &&
    origin !== null &&
    typeof origin.collection === 'string' &&
    typeof origin.name === 'string'
  );
}

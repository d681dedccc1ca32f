/** The saved call that each tab was opened from, so that changes can be saved back. */

import { createPersistentStore, isRecordOf, mergedMembers } from '../../state/store.js';

export interface SavedOrigin {
  readonly collection: string;
  /** Of the call in the file. */
  readonly name: string;
}

/** By the key of the tab. */
export const savedOrigins = createPersistentStore<Readonly<Record<string, SavedOrigin>>>(
  'entail.call-origins',
  {},
  (value): value is Record<string, SavedOrigin> => isRecordOf(value, isOrigin),
  { merge: mergedMembers },
);

/** Undefined for a tab without origin, or from the history. */
export function setOrigin(key: string, origin: SavedOrigin | undefined): void {
  savedOrigins.update(({ [key]: _before, ...others }) =>
    origin === undefined ? others : { ...others, [key]: origin },
  );
}

/** A call was renamed or, with `name` undefined, its file: later changes are saved under the new name. */
export function renamedOrigins(
  origins: Readonly<Record<string, SavedOrigin>>,
  { collection, name }: { readonly collection: string; readonly name?: string },
  wanted: string,
): Record<string, SavedOrigin> {
  const renamed = (origin: SavedOrigin): SavedOrigin => {
    if (origin.collection !== collection) return origin;
    if (name === undefined) return { ...origin, collection: wanted };
    return origin.name === name ? { ...origin, name: wanted } : origin;
  };
  return Object.fromEntries(Object.entries(origins).map(([key, origin]) => [key, renamed(origin)]));
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

/** Names of the calls in a collection, which identify them. */

import type { SavedCall } from '../../../src-runtime/api/schemas/collection-schemas.js';
import { freeName } from '../text/file-names.js';

const CALL_NAME_CHARACTERS_MAX = 200;

/** A name that is not in the collection yet. */
export function freeCallName(wanted: string, calls: readonly SavedCall[]): string {
  return freeName(
    wanted,
    calls.map(({ name }) => name),
    CALL_NAME_CHARACTERS_MAX,
  );
}

/** A call is identified by its name. Duplicates in a file written by hand are numbered, and saved with the numbers. */
export function namedOnce(calls: readonly SavedCall[]): SavedCall[] {
  const named: SavedCall[] = [];
  for (const [index, call] of calls.entries()) {
    const isLater = calls.findIndex(({ name }) => name === call.name) < index;
    named.push(isLater ? { ...call, name: freeCallName(call.name, [...calls, ...named]) } : call);
  }
  return named;
}

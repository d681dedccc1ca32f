/** Names of the calls of a collection, by which they are told apart. */

import type { SavedCall } from '../../../src-runtime/api/schemas/collection-schemas.js';
import { freeName } from '../text/file-names.js';

const CALL_NAME_CHARACTERS_MAX = 200;

/** A name that the collection does not have yet. */
export function freeCallName(wanted: string, calls: readonly SavedCall[]): string {
  return freeName(
    wanted,
    calls.map(({ name }) => name),
    CALL_NAME_CHARACTERS_MAX,
  );
}

/**
 * A call is known by its name. Where a file that was written by hand has one twice the later ones are numbered, and stand so in
 * the file once it is saved.
 */
export function namedOnce(calls: readonly SavedCall[]): SavedCall[] {
  const named: SavedCall[] = [];
  for (const [index, call] of calls.entries()) {
    const isLater = calls.findIndex(({ name }) => name === call.name) < index;
    named.push(isLater ? { ...call, name: freeCallName(call.name, [...calls, ...named]) } : call);
  }
  return named;
}

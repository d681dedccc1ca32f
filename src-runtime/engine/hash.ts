/** One hash for rows of integers, as JavaScript source: plans and index maintenance inline it with their own key columns. */

/** Defines `mix`; must stand in every generated function that uses `hashSource`. */
export const MIX_SOURCE = 'function mix(h, k) { h = Math.imul(h ^ k, 0x9e3779b1); return h ^ (h >>> 15); }';

/** An expression for the hash of these keys (names or constants), to be masked to the table's size. */
export function hashSource(keys: readonly string[]): string {
  return keys.reduce((hash, key) => `mix(${hash}, ${key})`, '0');
}

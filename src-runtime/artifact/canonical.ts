/** The canonical form of JSON documents (RFC 8785), which artifacts are written in and hashed by. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import { invariant } from '../base/invariant.js';

/** The RFC 8785 text of a JSON document; members that are undefined are left out. */
export function canonicalText(document: unknown): string {
  // Nothing writes JSON as fast as the engine itself, which keeps the order of all members but those named like an index.
  const text = hasIndexNames(document) ? canonicalize(document) : JSON.stringify(inCanonicalOrder(document));
  invariant(text !== undefined, 'a JSON document has a canonical form');
  return text;
}

/** The UTF-8 bytes of the canonical text. */
export function canonicalBytes(document: unknown): Uint8Array {
  return utf8ToBytes(canonicalText(document));
}

/** Lowercase hex SHA-256 of the canonical bytes. */
export function canonicalHash(document: unknown): string {
  return bytesToHex(sha256(canonicalBytes(document)));
}

/** A copy whose objects have their members in the order of the canonical text, and none that is undefined: as it is when it is read. */
export function inCanonicalOrder<T>(document: T): T {
  if (typeof document !== 'object' || document === null) return document;
  if (Array.isArray(document)) return document.map(inCanonicalOrder) as T;
  const members = document as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  if (!isSorted(names)) names.sort();
  const copy: Record<string, unknown> = {};
  for (const name of names) {
    const value = members[name];
    if (value === undefined) continue;
    if (name === '__proto__') Object.defineProperty(copy, name, { ...PLAIN, value: inCanonicalOrder(value) });
    else copy[name] = inCanonicalOrder(value);
  }
  return copy as T;
}

const PLAIN = { configurable: true, enumerable: true, writable: true };

function isSorted(names: readonly string[]): boolean {
  for (let at = 1; at < names.length; at++) if ((names[at - 1] ?? '') > (names[at] ?? '')) return false;
  return true;
}

/** Whether a member begins with a digit. An object has those that are numbers before all others. */
function hasIndexNames(document: unknown): boolean {
  if (typeof document !== 'object' || document === null) return false;
  if (Array.isArray(document)) return document.some(hasIndexNames);
  const members = document as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const code = name.charCodeAt(0);
    if ((code >= 48 && code <= 57) || hasIndexNames(members[name])) return true;
  }
  return false;
}

/** The canonical form of JSON documents (RFC 8785), which artifacts are written in and hashed by. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import { invariant } from '../base/invariant.js';

/** The RFC 8785 text of a JSON document; members that are undefined are left out. */
export function canonicalText(document: unknown): string {
  const text = canonicalize(document);
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
  const present = Object.keys(members).filter((name) => members[name] !== undefined);
  return Object.fromEntries(present.sort().map((name) => [name, inCanonicalOrder(members[name])])) as T;
}

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

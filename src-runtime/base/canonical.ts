/** The canonical form of JSON documents (RFC 8785), which artifacts are written in and hashed by. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import { invariant } from './invariant.js';

/** The RFC 8785 text of a JSON document; members that are undefined are left out. */
export function canonicalText(document: unknown): string {
  // JSON.stringify is the fastest writer, and it preserves the order of all members except names that are array indices.
  const order = orderOf(document);
  const ordered = order === 'other' ? inCanonicalOrder(document) : document;
  const text = order === 'indexed' ? canonicalize(document) : JSON.stringify(ordered);
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

/** A copy whose objects have their members in canonical order, without undefined members: what parsing the text would produce. */
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

/** The members of all objects in it. `indexed` is true if a name begins with a digit, since objects list numeric names first. */
function orderOf(document: unknown): Order {
  if (typeof document !== 'object' || document === null) return 'canonical';
  if (Array.isArray(document)) return document.reduce<Order>((order, each) => worse(order, orderOf(each)), 'canonical');
  const names = Object.keys(document);
  if (names.some(beginsWithDigit)) return 'indexed';
  let order: Order = isSorted(names) ? 'canonical' : 'other';
  for (const name of names) order = worse(order, orderOf((document as Readonly<Record<string, unknown>>)[name]));
  return order;
}

type Order = 'canonical' | 'other' | 'indexed';

function worse(one: Order, other: Order): Order {
  if (one === 'indexed' || other === 'indexed') return 'indexed';
  return one === 'other' ? one : other;
}

function beginsWithDigit(name: string): boolean {
  const code = name.charCodeAt(0);
  return code >= 48 && code <= 57;
}

/** Ids of facts: short facts are encoded, long ones hashed. They depend on path and wire tuple only. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Json } from '../artifact/types.js';

/** A longer id is a digest. */
const REVERSIBLE_CHARACTERS_MAX = 200;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The tuple holds wire values, so equal facts have equal ids. */
export function factId(path: string, tuple: readonly Json[]): string {
  const text = JSON.stringify([path, tuple]);
  const bytes = text.length < REVERSIBLE_CHARACTERS_MAX ? byteText(text) : undefined;
  if (bytes !== undefined && Math.ceil((bytes.length * 4) / 3) < REVERSIBLE_CHARACTERS_MAX) return shortId(bytes);
  return `h${bytesToHex(sha256(utf8ToBytes(text)))}`;
}

/** Undefined if the id is malformed; a digest if the fact was hashed. */
export function parseFactId(
  id: string,
): { readonly path: string; readonly tuple: readonly Json[] } | { readonly hash: string } | undefined {
  if (/^h[0-9a-f]{64}$/.test(id)) return { hash: id };
  if (!/^f[A-Za-z0-9_-]+$/.test(id) || id.length > REVERSIBLE_CHARACTERS_MAX) return undefined;
  const parsed = parseJson(fromBase64Url(id.slice(1)));
  if (!Array.isArray(parsed) || parsed.length !== 2) return undefined;
  const [path, tuple] = parsed as [unknown, unknown];
  return typeof path === 'string' && Array.isArray(tuple) ? { path, tuple: tuple as Json[] } : undefined;
}

function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The UTF-8 bytes of a text, a character each. */
function byteText(text: string): string {
  return /[^\0-\x7f]/.test(text) ? String.fromCharCode(...utf8ToBytes(text)) : text;
}

/** An `f`, then four characters for three bytes. A text made of all characters at once takes a tenth of the time of one that grows. */
function shortId(bytes: string): string {
  const length = 1 + Math.ceil((bytes.length * 4) / 3);
  const characters = CHARACTERS_BY_LENGTH[length] ?? new Array<number>(length).fill(LETTER_F);
  CHARACTERS_BY_LENGTH[length] = characters;
  for (let index = 0, at = 1; at < length; index += 3) {
    const word = (byteAt(bytes, index) << 16) | (byteAt(bytes, index + 1) << 8) | byteAt(bytes, index + 2);
    characters[at++] = DIGITS[word >> 18] as number;
    characters[at++] = DIGITS[(word >> 12) & 63] as number;
    if (at < length) characters[at++] = DIGITS[(word >> 6) & 63] as number;
    if (at < length) characters[at++] = DIGITS[word & 63] as number;
  }
  return String.fromCharCode.apply(null, characters);
}

const LETTER_F = 102;

function byteAt(bytes: string, index: number): number {
  return index < bytes.length ? bytes.charCodeAt(index) : 0;
}

/** Reused, because a page of facts needs thousands. */
const CHARACTERS_BY_LENGTH: number[][] = [];

const DIGITS = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));

/** The decoded UTF-8 text; undefined if it is invalid. */
function fromBase64Url(text: string): string | undefined {
  let escaped = '';
  let word = 0;
  let bits = 0;
  for (const character of text) {
    word = ((word << 6) | ALPHABET.indexOf(character)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    escaped += `%${((word >> bits) & 0xff).toString(16).padStart(2, '0')}`;
  }
  try {
    return decodeURIComponent(escaped);
  } catch {
    return undefined;
  }
}

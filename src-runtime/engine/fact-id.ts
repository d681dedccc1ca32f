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
  const bytes = utf8ToBytes(text);
  // Four characters for three bytes, after the first character.
  const isShort = Math.ceil((bytes.length * 4) / 3) < REVERSIBLE_CHARACTERS_MAX;
  return isShort ? `f${base64Url(bytes)}` : `h${bytesToHex(sha256(bytes))}`;
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

function base64Url(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b, c] = bytes.subarray(index, index + 3);
    const word = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    text += digit(word >> 18) + digit(word >> 12);
    if (b !== undefined) text += digit(word >> 6);
    if (c !== undefined) text += digit(word);
  }
  return text;
}

function digit(word: number): string {
  return ALPHABET[word & 63] ?? '';
}

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

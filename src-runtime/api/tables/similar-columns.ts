/** Maps parameters to columns whose names mean the same: `Room Name` for the `name` of a Room, `room_id` for `room`. */

import { similarity } from '../../base/nearest.js';
import type { WireType } from '../schemas/schemas.js';
import { columnsLike } from './import-file.js';

interface Named {
  readonly name: string;
  readonly type: WireType;
}

/**
 * The most similar pairs first, so that no column is found for two parameters. `concepts` are the concepts of the rows, whose names may
 * precede those of columns or parameters.
 */
export function similarColumns(
  parameters: readonly Named[],
  columns: readonly string[],
  concepts: readonly string[],
): ReadonlyMap<string, string> {
  const prefixes = concepts.map((name) => wordsOf(name).join(''));
  const pairs = parameters.flatMap((parameter) =>
    columns.map((column) => ({ name: parameter.name, column, score: scoreOf(parameter, column, prefixes) })),
  );
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const { name, column, score } of pairs.sort((a, b) => b.score - a.score)) {
    if (score === 0 || found.has(name) || taken.has(column)) continue;
    found.set(name, column);
    taken.add(column);
  }
  return found;
}

/** 0 if they mean different things. */
function scoreOf({ name, type }: Named, column: string, prefixes: readonly string[]): number {
  if (name === column) return 6;
  if (columnsLike(name, [column]).length > 0) return 5;
  const parameter = wordsOf(name);
  const words = wordsOf(column);
  if (words.length === 0) return 0;
  const [wanted, given] = [parameter.join(''), words.join('')];
  if (wanted === given) return 4;
  if (prefixes.some((prefix) => `${prefix}${wanted}` === given || `${prefix}${given}` === wanted)) return 3;
  const isKey = words.length > 1 && KEY_WORDS.has(words.at(-1) ?? '');
  if (isKey && isReference(type) && words.slice(0, -1).join('') === wanted) return 2;
  const alike = similarity(wanted, given);
  if (alike >= SIMILARITY_MIN && Math.min(wanted.length, given.length) >= LETTERS_MIN) return alike;
  // The last word is the noun: `Number of Seats` are seats.
  return words.at(-1) === wanted && PHRASE.test(column) ? 0.5 : 0;
}

/** Headers of columns that identify individuals end with these. */
const KEY_WORDS = new Set(['id', 'name', 'code', 'key', 'number', 'no', 'ref']);

/** A header that was split at the wrong separator is no phrase. */
const PHRASE = /^[\p{L}\p{N}\s_.-]+$/u;

/** Allows one wrong letter in five. */
const SIMILARITY_MIN = 0.8;

/** Names of fewer letters are not compared by similarity, because `in` and `on` differ in one letter. */
const LETTERS_MIN = 5;

/** Lower case and singular: `roomNames` and `Room Name` have the same words. */
function wordsOf(name: string): readonly string[] {
  const words = name
    .normalize('NFC')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '').map(singular);
}

function singular(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:[sx]|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function isReference(type: WireType): boolean {
  return type.kind === 'optional' || type.kind === 'list' ? isReference(type.of) : type.kind === 'class';
}

/**
 * Parses JSON strictly. JSON.parse accepts three things that would do harm later: nesting that overflows the stack, duplicate keys
 * (parsers disagree on which one counts), and numbers that lose digits. `__proto__` is safe: JSON.parse makes it an own member.
 */

import { isUtf8 } from 'node:buffer';
import { endOfNumber, endOfString, exactValue, startsNumber } from '../../base/exact-json.js';
import { isBeyondDoubles } from '../../base/numeral.js';
import { badRequest } from './envelope.js';

/** Deeper than any value that a module can declare. */
export const NESTING_MAX = 128;

/** Parses a body. Throws VALIDATION_FAILED. */
export function parseJson(text: string): unknown {
  return withAllDigits(text, parsed(text), 'body');
}

/** Parses a long body. Yields after JSON.parse and between blocks of the other checks. */
export function* parseLongJson(text: string, blockCharacters = BLOCK_CHARACTERS): Generator<void, unknown> {
  const value = parsed(text);
  const inspection = inspectionOf(text, 'body');
  while (inspection.at < text.length) {
    yield;
    inspect(inspection, inspection.at + blockCharacters);
  }
  if (inspection.isExact) return value;
  yield;
  return exactValue(text);
}

/** A millisecond's worth. */
const BLOCK_CHARACTERS = 65_536;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (text.trim() === '') throw badRequest('The body is empty; send a JSON object.');
    throw badRequest(`The body is no JSON: ${(cause as SyntaxError).message}.`);
  }
}

/** The parsed value, with all digits of its numbers. Throws for deep nesting and duplicate keys. */
export function withAllDigits(text: string, value: unknown, where: string): unknown {
  const inspection = inspectionOf(text, where);
  inspect(inspection, text.length);
  return inspection.isExact ? value : exactValue(text);
}

/** Decodes a body. Throws VALIDATION_FAILED unless it is UTF-8. */
export function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw badRequest('The body is not UTF-8; send JSON in UTF-8.');
  const text = bytes.toString();
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

const BYTE_ORDER_MARK = 0xfeff;

/** The state of a scan through a text. */
interface Inspection {
  readonly text: string;
  readonly where: string;
  /** The keys of the enclosing objects, innermost last; undefined for a list. */
  readonly open: (Keys | undefined)[];
  at: number;
  keyNext: boolean;
  /** Whether doubles hold all numbers so far. */
  isExact: boolean;
}

function inspectionOf(text: string, where: string): Inspection {
  return { text, where, open: [], at: 0, keyNext: false, isExact: true };
}

/** Scans strings, brackets and numbers of valid JSON up to `end`. In an object, a string after `{` or `,` is a key. */
function inspect(inspection: Inspection, end: number): void {
  const { text, where, open } = inspection;
  let { at, keyNext, isExact } = inspection;
  let keys = open.at(-1);
  for (const last = Math.min(end, text.length); at < last; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (keyNext && keys !== undefined) noteKey(text.slice(at + 1, end), keys, where);
      keyNext = false;
      at = end;
    } else if (code === BRACE || code === BRACKET) {
      keyNext = code === BRACE;
      keys = keyNext ? { first: undefined, all: undefined } : undefined;
      if (open.push(keys) > NESTING_MAX) throw badRequest(`The ${where} nests deeper than ${NESTING_MAX} levels.`);
    } else if (code === BRACE_END || code === BRACKET_END) {
      open.pop();
      keys = open.at(-1);
      keyNext = false;
    } else if (code === COMMA) {
      keyNext = keys !== undefined;
    } else if (startsNumber(code)) {
      const end = endOfNumber(text, at);
      isExact &&= !isBeyondDoubles(text.slice(at, end));
      at = end - 1;
    }
  }
  inspection.at = at;
  inspection.keyNext = keyNext;
  inspection.isExact = isExact;
}

const [QUOTE, COMMA, BRACE, BRACE_END, BRACKET, BRACKET_END] = [34, 44, 123, 125, 91, 93];

/** The keys of an object so far. A set is made for the second key only. */
interface Keys {
  first: string | undefined;
  all: Set<string> | undefined;
}

function noteKey(written: string, keys: Keys, where: string): void {
  const key = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
  if (keys.first === undefined) {
    keys.first = key;
    return;
  }
  keys.all ??= new Set([keys.first]);
  if (keys.all.has(key)) throw badRequest(`The ${where} gives the key "${key}" twice in one object; give it once.`);
  keys.all.add(key);
}

/**
 * Reads JSON as a careful server does. JSON.parse alone lets three things through that would hurt later: nesting that
 * overflows the stack of whoever walks the value, a key given twice (readers disagree on which counts), and numbers that
 * silently become others. `__proto__` is a key as any other: JSON.parse makes it a member of its own.
 */

import { isUtf8 } from 'node:buffer';
import { endOfNumber, endOfString, exactValue, startsNumber } from '../../base/exact-json.js';
import { isBeyondDoubles } from '../../base/numeral.js';
import { badRequest } from './envelope.js';

/** Deeper than any value that a module can declare. */
export const NESTING_MAX = 128;

/** The value of a body. Throws VALIDATION_FAILED that says what is wrong with it. */
export function parseJson(text: string): unknown {
  return withAllDigits(text, parsed(text), 'body');
}

/** The same for a long one. Yields between what JSON.parse does and blocks of the rest. */
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

/** What JSON.parse made of the text, or the same with all digits of its numbers. Throws for what a careful server refuses. */
export function withAllDigits(text: string, value: unknown, where: string): unknown {
  const inspection = inspectionOf(text, where);
  inspect(inspection, text.length);
  return inspection.isExact ? value : exactValue(text);
}

/** The text of a body. Throws VALIDATION_FAILED where it is not UTF-8. */
export function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw badRequest('The body is not UTF-8; send JSON in UTF-8.');
  const text = bytes.toString();
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

const BYTE_ORDER_MARK = 0xfeff;

/** A walk through a text, as far as it has come. */
interface Inspection {
  readonly text: string;
  readonly where: string;
  /** Of the brackets around what comes next, the innermost last; undefined for a list. */
  readonly open: (Keys | undefined)[];
  at: number;
  keyNext: boolean;
  /** Whether doubles hold all numbers so far. */
  isExact: boolean;
}

function inspectionOf(text: string, where: string): Inspection {
  return { text, where, open: [], at: 0, keyNext: false, isExact: true };
}

/** Walks on through a text that is known to be JSON: strings, brackets, numbers. Keys stand behind `{` or `,` in an object. */
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

/** Of an object that is open. */
interface Keys {
  first: string | undefined;
  /** Where there is a second one. */
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

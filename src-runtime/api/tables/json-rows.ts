/** Reads the objects of JSON text as they arrive: a list of them, an object a line (JSON Lines), or a single one. */

import { duplicateKey, parseWithAllDigits } from '../../base/exact-json.js';
import type { JsonValue } from '../schemas/schemas.js';

export interface JsonRow {
  /** The line on which the object begins, from 1. */
  readonly line: number;
  readonly record: Readonly<Record<string, JsonValue>>;
}

export interface JsonReader {
  /** The objects that end in the text so far. `isLast` says that no more text follows. */
  read(text: string, isLast: boolean): JsonRow[];
  /** Whether the objects are items of a list. */
  readonly isList: boolean;
  /** Why reading stopped. */
  readonly problem: string | undefined;
}

/** Keeps only the object that is not complete yet. */
export function createJsonReader(): JsonReader {
  const cursor: Cursor = { text: '', at: 0, line: 1, colons: 0 };
  let state: 'start' | 'value' | 'firstItem' | 'item' | 'behindItem' | 'end' = 'start';
  let count = 0;
  let isList = false;
  let problem: string | undefined;

  /** Reads a bracket or comma, or nothing; false if a value is expected. */
  function readPunctuation(code: number): boolean {
    if (state === 'start' && code === BRACKET) {
      isList = true;
      state = 'firstItem';
    } else if ((state === 'firstItem' || state === 'behindItem') && code === BRACKET_END) {
      state = 'end';
    } else if (state === 'behindItem' && code === COMMA) {
      state = 'item';
    } else if (state === 'behindItem' || state === 'end') {
      const expected = state === 'end' ? 'nothing after the list' : '"," or "]"';
      problem = `This is not JSON: expected ${expected} in line ${cursor.line}.`;
    } else {
      return false;
    }
    cursor.at++;
    return true;
  }

  function readRow(isLast: boolean): JsonRow | undefined {
    const { at: start, line } = cursor;
    cursor.colons = 0;
    if (!skipValue(cursor, isLast)) {
      if (isLast || cursor.text.length - start > VALUE_CHARACTERS_MAX) {
        problem = `This is not JSON: the value that begins in line ${line} does not end.`;
      }
      cursor.at = start;
      cursor.line = line;
      return undefined;
    }
    const text = cursor.text.slice(start, cursor.at);
    count += 1;
    try {
      const record = parseWithAllDigits(text);
      if (!isRecord(record)) {
        problem = `Row ${count} is not an object. The file must be a list of objects.`;
        return undefined;
      }
      const twice = keysIn(record) === cursor.colons ? undefined : duplicateKey(text);
      if (twice !== undefined) problem = `An object has the key "${twice}" twice. Remove or rename one of them.`;
      state = isList ? 'behindItem' : 'value';
      return { line, record };
    } catch (error) {
      problem = `This is not JSON: ${error instanceof Error ? error.message : String(error)} (line ${line}).`;
      return undefined;
    }
  }

  return {
    read(text, isLast) {
      const rows: JsonRow[] = [];
      cursor.text = cursor.text.slice(cursor.at) + text;
      cursor.at = 0;
      for (let code = nextCode(cursor); !Number.isNaN(code) && problem === undefined; code = nextCode(cursor)) {
        if (readPunctuation(code)) continue;
        const row = readRow(isLast);
        if (row === undefined) break;
        if (problem === undefined) rows.push(row);
      }
      const isOpen = state === 'firstItem' || state === 'item' || state === 'behindItem';
      if (isLast && isOpen) problem ??= 'This is not JSON: the list does not end.';
      return rows;
    },
    get isList() {
      return isList;
    },
    get problem() {
      return problem;
    },
  };
}

/** A longer value is taken for one that does not end, so that reading needs bounded memory. */
const VALUE_CHARACTERS_MAX = 2 ** 22;

interface Cursor {
  text: string;
  at: number;
  line: number;
  /** Colons outside of texts in the value: the number of members in it. */
  colons: number;
}

/** The code of the next character that is not white space; NaN at the end. */
function nextCode(cursor: Cursor): number {
  const { text } = cursor;
  for (; cursor.at < text.length; cursor.at++) {
    const code = text.charCodeAt(cursor.at);
    if (code > BLANK) return code;
    if (code === LINE_FEED) cursor.line++;
  }
  return Number.NaN;
}

/** Moves behind the value; false if the text so far may end within it. */
function skipValue(cursor: Cursor, isLast: boolean): boolean {
  const { text } = cursor;
  const first = text.charCodeAt(cursor.at);
  if (first !== BRACE && first !== BRACKET && first !== QUOTE) return skipWord(cursor, isLast);
  let depth = 0;
  for (; cursor.at < text.length; cursor.at++) {
    const code = text.charCodeAt(cursor.at);
    if (code === QUOTE) {
      if (!skipString(cursor)) return false;
    } else if (code === BRACE || code === BRACKET) depth++;
    else if (code === BRACE_END || code === BRACKET_END) depth--;
    else if (code === COLON) cursor.colons++;
    else if (code === LINE_FEED) cursor.line++;
    if (depth > 0) continue;
    cursor.at++;
    return true;
  }
  return false;
}

/** Moves to the closing quote. */
function skipString(cursor: Cursor): boolean {
  const { text } = cursor;
  for (cursor.at++; cursor.at < text.length; cursor.at++) {
    const code = text.charCodeAt(cursor.at);
    if (code === QUOTE) return true;
    if (code === BACKSLASH) cursor.at++;
  }
  return false;
}

/** A number, `true`, `false`, `null`, or what is not JSON. */
function skipWord(cursor: Cursor, isLast: boolean): boolean {
  const end = /[\s,\]]/g;
  end.lastIndex = cursor.at + 1;
  const found = end.exec(cursor.text);
  cursor.at = found?.index ?? cursor.text.length;
  return found !== null || isLast;
}

function isRecord(value: unknown): value is JsonRow['record'] {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The number of members in the value, at any depth. */
function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.reduce<number>((sum, member) => sum + keysIn(member), Array.isArray(value) ? 0 : members.length);
}

const [LINE_FEED, BLANK, QUOTE, COMMA, COLON, BRACKET, BACKSLASH, BRACKET_END, BRACE, BRACE_END] = [
  10, 32, 34, 44, 58, 91, 92, 93, 123, 125,
];

/** Parses a text that is known to be JSON without losing digits: a number that no double equals becomes a Numeral. */

import { isBeyondDoubles, Numeral } from './numeral.js';

/** The value of the text, which nests no deeper than the stack. */
export function exactValue(text: string): unknown {
  return readValue({ text, at: 0 });
}

/**
 * Parses like JSON.parse, with the same errors, but a number that no double equals becomes a text with all its digits, which is how
 * a Decimal is sent. For callers that forward the value.
 */
export function parseWithAllDigits(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return MAY_BE_BEYOND_DOUBLES.test(text) ? JSON.parse(JSON.stringify(exactValue(text))) : value;
}

/**
 * A key that some object of the text has twice, or undefined. Callers refuse such a text: JSON.parse would silently keep the last
 * value. The text must be valid JSON.
 */
export function duplicateKey(text: string): string | undefined {
  const cursor: Cursor = { text, at: 0 };
  readValue(cursor);
  return cursor.duplicate;
}

const MAY_BE_BEYOND_DOUBLES = /[0-9][0-9.]{15}|[0-9][eE]/;

interface Cursor {
  readonly text: string;
  at: number;
  /** The first key that an object had twice. */
  duplicate?: string;
}

function readValue(cursor: Cursor): unknown {
  const { text } = cursor;
  const start = skipped(cursor);
  const code = text.charCodeAt(start);
  if (code === BRACE) return readObject(cursor);
  if (code === BRACKET) return readItems(cursor, readValue);
  if (code === QUOTE) return readString(cursor);
  if (!startsNumber(code)) return readWord(cursor);
  cursor.at = endOfNumber(text, start);
  const number = text.slice(start, cursor.at);
  return isBeyondDoubles(number) ? new Numeral(number) : Number(number);
}

function readObject(cursor: Cursor): Record<string, unknown> {
  const members = readItems(cursor, readMember);
  const value = Object.fromEntries(members);
  if (cursor.duplicate === undefined && Object.keys(value).length < members.length) {
    const duplicate = members.find(([key], at) => members.findIndex(([other]) => other === key) < at);
    if (duplicate !== undefined) cursor.duplicate = duplicate[0];
  }
  return value;
}

/** The text between two brackets. */
function readItems<Item>(cursor: Cursor, read: (cursor: Cursor) => Item): Item[] {
  const items: Item[] = [];
  cursor.at++;
  for (let code = next(cursor); code !== BRACE_END && code !== BRACKET_END; code = next(cursor)) {
    if (code === COMMA) cursor.at++;
    items.push(read(cursor));
  }
  cursor.at++;
  return items;
}

function readMember(cursor: Cursor): readonly [string, unknown] {
  skipped(cursor);
  const key = readString(cursor);
  skipped(cursor);
  cursor.at++;
  return [key, readValue(cursor)];
}

function readString(cursor: Cursor): string {
  const start = cursor.at;
  cursor.at = endOfString(cursor.text, start) + 1;
  return JSON.parse(cursor.text.slice(start, cursor.at)) as string;
}

function readWord(cursor: Cursor): boolean | null {
  const word = ['true', 'false', 'null'].find((each) => cursor.text.startsWith(each, cursor.at)) ?? '';
  cursor.at += word.length;
  return word === 'null' ? null : word === 'true';
}

/** The index of the next character that is not white space. */
function skipped(cursor: Cursor): number {
  while (cursor.text.charCodeAt(cursor.at) <= BLANK) cursor.at++;
  return cursor.at;
}

function next(cursor: Cursor): number {
  return cursor.text.charCodeAt(skipped(cursor));
}

/** The index of the quote that closes the string opened at `start`. */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) at += code === BACKSLASH ? 2 : 1;
  return at;
}

export function startsNumber(code: number): boolean {
  return code === MINUS || isDigit(code);
}

/** The index after the number that begins at `start`. */
export function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); isInNumber(code); code = text.charCodeAt(at)) at++;
  return at;
}

function isInNumber(code: number): boolean {
  return (
    isDigit(code) || code === POINT || code === MINUS || code === PLUS || code === EXPONENT || code === EXPONENT_LARGE
  );
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

const [QUOTE, BACKSLASH, COMMA, BRACE, BRACE_END, BRACKET, BRACKET_END, BLANK] = [34, 92, 44, 123, 125, 91, 93, 32];
const [ZERO, NINE, MINUS, PLUS, POINT, EXPONENT, EXPONENT_LARGE] = [48, 57, 45, 43, 46, 101, 69];

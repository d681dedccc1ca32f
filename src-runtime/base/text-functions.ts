/** The functions of `std` on texts. They count code points from 0; an absent result is null. */

import { isDate, parseDateTime } from './dates.js';
import { type DecimalValue, parseDecimal, wireDecimal } from './decimal.js';
import type { PlainFunction } from './number-functions.js';
import { missingGroup, type Pattern, PatternError, patternOf, replacementOf } from './patterns.js';

/**
 * UTF-16 units of a text that a module makes, at most. Texts of a request are shorter. Without a limit a few doublings
 * would use up all memory in one step that nothing can interrupt.
 */
export const TEXT_UNITS_MAX = 16_777_216;

/** Says that a text would be longer than `TEXT_UNITS_MAX`. */
export const TEXT_TOO_LONG = `a text of more than ${TEXT_UNITS_MAX.toLocaleString('en')} characters`;

type Fault = (message: string) => Error;

/** By name. `fault` creates the error that a function without a result throws. */
export function textFunctions(fault: Fault): readonly (readonly [string, PlainFunction])[] {
  return [...TOTAL, ...partial(fault), ...patternFunctions(fault)];
}

/** Functions that have a result for all texts. */
const TOTAL: readonly (readonly [string, PlainFunction])[] = [
  ['length', (text: string) => codePointCount(text)],
  ['lower', (text: string) => text.toLowerCase()],
  ['upper', (text: string) => text.toUpperCase()],
  ['trim', (text: string) => text.trim()],
  ['contains', (text: string, part: string) => text.includes(part)],
  ['startsWith', (text: string, part: string) => text.startsWith(part)],
  ['endsWith', (text: string, part: string) => text.endsWith(part)],
  ['replace', (text: string, from: string, to: string) => (from === '' ? text : text.replaceAll(from, () => to))],
  ['indexOf', indexOf],
  ['join', (texts: readonly string[], separator: string) => texts.join(separator)],
  ['int', intOf],
  ['decimal', decimalOf],
  ['date', (text: string) => (isDate(text) ? text : null)],
  ['dateTime', (text: string) => parseDateTime(text) ?? null],
];

function indexOf(text: string, part: string): number | null {
  const unit = text.indexOf(part);
  return unit < 0 ? null : codePointCount(text.slice(0, unit));
}

/** Digits, perhaps with a sign and leading zeros. */
function intOf(text: string): number | null {
  if (!/^[+-]?\d+$/.test(text)) return null;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) return null;
  return value === 0 ? 0 : value;
}

/** As people type a number, rounded to the digits of a Decimal. */
function decimalOf(text: string): DecimalValue | null {
  const wire = wireDecimal(text);
  return (wire === undefined ? undefined : parseDecimal(wire)) ?? null;
}

/** As many elements as other lists have at most. */
const PARTS_MAX = 1_000_000;

function partial(fault: Fault): readonly (readonly [string, PlainFunction])[] {
  const substring = (text: string, from: number, length: number): string => {
    if (from < 0 || length < 0) throw fault('substring of a negative place or length');
    const start = unitOf(text, from, 0);
    return text.slice(start, unitOf(text, length, start));
  };
  const split = (text: string, separator: string): readonly string[] => {
    const parts = separator === '' ? [...text] : text.split(separator, PARTS_MAX + 1);
    if (parts.length > PARTS_MAX) throw fault(`a list of more than ${PARTS_MAX.toLocaleString('en')} elements`);
    return parts;
  };
  /** The last repetition is cut off at the length. */
  const padStart = (text: string, length: number, filling: string): string => {
    const missing = length - codePointCount(text);
    if (missing <= 0 || filling === '') return text;
    if (missing > TEXT_UNITS_MAX) throw fault(TEXT_TOO_LONG);
    const points = codePointCount(filling);
    const rest = filling.slice(0, unitOf(filling, missing % points, 0));
    return filling.repeat(Math.floor(missing / points)) + rest + text;
  };
  const codePoint = (text: string): number => {
    const point = text.codePointAt(0);
    if (point === undefined) throw fault('the code point of an empty text');
    return point;
  };
  const fromCodePoint = (point: number): string => {
    const isSurrogate = point >= 0xd800 && point <= 0xdfff;
    if (point < 0 || point > 0x10ffff || isSurrogate) throw fault(`${point} is not the code point of a character`);
    return String.fromCodePoint(point);
  };
  return [
    ['substring', substring],
    ['split', split],
    ['padStart', padStart],
    ['codePoint', codePoint],
    ['fromCodePoint', fromCodePoint],
  ];
}

function patternFunctions(fault: Fault): readonly (readonly [string, PlainFunction])[] {
  /** Reports what is wrong with the pattern, whose cause may be in a fact. */
  const withPattern = <T>(source: string, use: (pattern: Pattern) => T): T => {
    try {
      return use(patternOf(source));
    } catch (error) {
      if (error instanceof PatternError) throw fault(patternFault(source, error));
      throw error;
    }
  };
  const capture = (text: string, source: string, group: number): string | null =>
    withPattern(source, (pattern) => {
      if (group < 0 || group > pattern.groups) throw new PatternError(missingGroup(group, pattern.groups));
      return pattern.capture(text, group);
    });
  const replaceAll = (text: string, source: string, replacement: string): string =>
    withPattern(source, (pattern) => pattern.replaceAll(text, replacementOf(replacement, pattern)));
  return [
    ['matches', (text: string, source: string) => withPattern(source, (pattern) => pattern.matches(text))],
    ['capture', capture],
    ['replaceAll', replaceAll],
  ];
}

/** Names the pattern, up to a length that fits into a message. */
function patternFault(source: string, { message }: PatternError): string {
  const shown = source.length > PATTERN_SHOWN_MAX ? `${source.slice(0, PATTERN_SHOWN_MAX)}…` : source;
  return `the pattern ${JSON.stringify(shown)} cannot be used: ${message}`;
}

const PATTERN_SHOWN_MAX = 200;

/** The index of the UTF-16 unit that is this many code points further, or the end. */
function unitOf(text: string, codePoints: number, from: number): number {
  let unit = from;
  for (let left = codePoints; left > 0 && unit < text.length; left--)
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}

function codePointCount(text: string): number {
  let count = text.length;
  // A pair of surrogates is one code point. Iterating over code points creates a string for each and takes ten times as long.
  for (let unit = 1; unit < text.length; unit++) {
    if (isIn(text.charCodeAt(unit - 1), 0xd800) && isIn(text.charCodeAt(unit), 0xdc00)) count -= 1;
  }
  return count;
}

/** True of a unit in the block of 1,024 surrogates that begins there. */
function isIn(unit: number, block: number): boolean {
  return unit >> 10 === block >> 10;
}

/**
 * The functions of `std` on plain values, for the engine and for constants in the checker. Int is a number, Decimal a decimal.js
 * value, Date its text, DateTime milliseconds. Text counts code points from 0.
 */

import {
  civilFromDays,
  DAY_MS,
  dateFromDays,
  dayOfDateTime,
  daysFromCivil,
  daysInMonth,
  daysOfDate,
  isDayInRange,
} from './dates.js';
import { canonicalZero, Decimal, type DecimalValue } from './decimal.js';

export type PlainFunction = (...args: never[]) => boolean | number | string | DecimalValue;

/** `decimal` holds the versions for a first operand of type Decimal, if those differ. */
export interface StandardFunctions {
  readonly plain: ReadonlyMap<string, PlainFunction>;
  readonly decimal: ReadonlyMap<string, PlainFunction>;
}

/**
 * All functions except `min`, `max` and `text`, which depend on the type. `fault` creates the error that a function without a result
 * throws.
 */
export function standardFunctions(fault: (message: string) => Error): StandardFunctions {
  const int = (value: number): number => {
    if (!Number.isSafeInteger(value)) throw fault('Int overflow');
    return value === 0 ? 0 : value;
  };
  const date = (days: number): string => {
    if (!isDayInRange(days)) throw fault('a date outside the years 0001 to 9999');
    return dateFromDays(days);
  };
  const dateTime = (instant: number): number => {
    if (!isDayInRange(dayOfDateTime(instant))) throw fault('an instant outside the years 0001 to 9999');
    return instant;
  };
  /** Half away from zero. */
  const round = (x: DecimalValue, digits: number): DecimalValue => {
    if (digits >= 0) return canonicalZero(x.toDecimalPlaces(Math.min(digits, 10_000), Decimal.ROUND_HALF_UP));
    const unit = new Decimal(10).pow(Math.min(-digits, 6144));
    const rounded = x.div(unit).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).times(unit);
    if (!rounded.isFinite()) throw fault('Decimal overflow');
    return canonicalZero(rounded);
  };
  const addMonths = (start: string, months: number): string => {
    const { year, month, day } = civilFromDays(daysOfDate(start));
    const index = year * 12 + (month - 1) + months;
    const toYear = Math.floor(index / 12);
    const toMonth = index - toYear * 12 + 1;
    if (toYear < 1 || toYear > 9999) throw fault('a date outside the years 0001 to 9999');
    return date(daysFromCivil(toYear, toMonth, Math.min(day, daysInMonth(toYear, toMonth))));
  };
  const substring = (text: string, from: number, length: number): string => {
    if (from < 0 || length < 0) throw fault('substring of a negative place or length');
    const start = unitOf(text, from, 0);
    return text.slice(start, unitOf(text, length, start));
  };
  const decimal = new Map<string, PlainFunction>([
    ['abs', (x: DecimalValue) => x.abs()],
    ['round', (x: DecimalValue, digits: number = 0) => round(x, digits)],
    ['floor', (x: DecimalValue) => int(x.floor().toNumber())],
    ['ceil', (x: DecimalValue) => int(x.ceil().toNumber())],
  ]);
  const plain = new Map<string, PlainFunction>([
    ['abs', (x: number) => Math.abs(x)],
    ['round', (x: number, digits: number = 0) => int(round(new Decimal(x), digits).toNumber())],
    ['floor', (x: number) => x],
    ['ceil', (x: number) => x],
    ...TEXT_FUNCTIONS,
    ['substring', substring],
    ['year', (day: string) => civilFromDays(daysOfDate(day)).year],
    ['month', (day: string) => civilFromDays(daysOfDate(day)).month],
    ['day', (day: string) => civilFromDays(daysOfDate(day)).day],
    ['addDays', (day: string, days: number) => date(daysOfDate(day) + days)],
    ['addMonths', addMonths],
    ['daysBetween', (from: string, to: string) => daysOfDate(to) - daysOfDate(from)],
    ['dateOf', (instant: number) => dateFromDays(dayOfDateTime(instant))],
    ['startOfDay', (day: string) => daysOfDate(day) * DAY_MS],
    ['addSeconds', (instant: number, seconds: number) => dateTime(instant + seconds * 1000)],
    ['secondsBetween', (from: number, to: number) => int(Math.trunc((to - from) / 1000))],
  ]);
  return { plain, decimal };
}

const TEXT_FUNCTIONS: readonly (readonly [string, PlainFunction])[] = [
  ['length', (text: string) => codePointCount(text)],
  ['lower', (text: string) => text.toLowerCase()],
  ['upper', (text: string) => text.toUpperCase()],
  ['trim', (text: string) => text.trim()],
  ['contains', (text: string, part: string) => text.includes(part)],
  ['startsWith', (text: string, part: string) => text.startsWith(part)],
  ['endsWith', (text: string, part: string) => text.endsWith(part)],
  ['replace', (text: string, from: string, to: string) => (from === '' ? text : text.replaceAll(from, () => to))],
];

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

/**
 * The functions of `std` on plain values, for the engine and for constants in the checker. Int is a number, Decimal a decimal.js
 * value, Date its text, DateTime milliseconds, a list an array.
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
import { numberFunctions, type PlainFunction } from './number-functions.js';
import { textFunctions } from './text-functions.js';

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
  const { int, plain: ofNumbers, decimal } = numberFunctions(fault);
  const date = (days: number): string => {
    if (!isDayInRange(days)) throw fault('a date outside the years 0001 to 9999');
    return dateFromDays(days);
  };
  const dateTime = (instant: number): number => {
    if (!isDayInRange(dayOfDateTime(instant))) throw fault('an instant outside the years 0001 to 9999');
    return instant;
  };
  const addMonths = (start: string, months: number): string => {
    const { year, month, day } = civilFromDays(daysOfDate(start));
    const index = year * 12 + (month - 1) + months;
    const toYear = Math.floor(index / 12);
    const toMonth = index - toYear * 12 + 1;
    if (toYear < 1 || toYear > 9999) throw fault('a date outside the years 0001 to 9999');
    return date(daysFromCivil(toYear, toMonth, Math.min(day, daysInMonth(toYear, toMonth))));
  };
  const plain = new Map<string, PlainFunction>([
    ...ofNumbers,
    ...textFunctions(fault),
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

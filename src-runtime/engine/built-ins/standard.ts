/** The functions of `std`, by name and operand type. Text counts code points from 0. */

import type { Type } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import { comparison, type OrderSchema } from '../values/compare.js';
import {
  civilFromDays,
  dateFromDays,
  dateTimeText,
  dayOfDateTime,
  daysFromCivil,
  daysInMonth,
  daysOfDate,
  isDayInRange,
} from '../values/dates.js';
import { canonicalZero, Decimal, type DecimalValue, decimalText } from '../values/decimal.js';
import { bare, type Value } from '../values/value.js';
import { checkedDecimal, checkedInt } from './arithmetic.js';

export type BuiltIn = (...args: never[]) => Value;

/** Those that can fault, for the scheduling of literals. */
export const FAULTABLE_BUILT_INS: ReadonlySet<string> = new Set([
  'round',
  'floor',
  'ceil',
  'addDays',
  'addMonths',
  'substring',
]);

/** The built-in for these operand types; undefined where there is none. */
export function builtIn(schema: OrderSchema, name: string, types: readonly Type[]): BuiltIn | undefined {
  const operand = types[0] === undefined ? undefined : bare(types[0]);
  switch (name) {
    case 'min':
    case 'max': {
      if (operand === undefined) return undefined;
      const compare = comparison(schema, operand);
      const sign = name === 'min' ? 1 : -1;
      return (left: Value, right: Value) => (compare(left, right) * sign <= 0 ? left : right);
    }
    case 'text':
      return operand === undefined ? undefined : textOf(operand);
    default: {
      const isDecimalOperand = operand?.kind === 'scalar' && operand.name === 'Decimal';
      return (isDecimalOperand ? DECIMAL_BUILT_INS.get(name) : undefined) ?? BUILT_INS.get(name);
    }
  }
}

const DECIMAL_BUILT_INS = new Map<string, BuiltIn>([
  ['abs', (x: DecimalValue) => x.abs()],
  ['round', (x: DecimalValue, digits: number = 0) => roundDecimal(x, digits)],
  ['floor', (x: DecimalValue) => checkedInt(x.floor().toNumber())],
  ['ceil', (x: DecimalValue) => checkedInt(x.ceil().toNumber())],
]);

const BUILT_INS = new Map<string, BuiltIn>([
  ['abs', (x: number) => Math.abs(x)],
  ['round', (x: number, digits: number = 0) => checkedInt(roundDecimal(new Decimal(x), digits).toNumber())],
  ['floor', (x: number) => x],
  ['ceil', (x: number) => x],
  ['length', (text: string) => codePointCount(text)],
  ['lower', (text: string) => text.toLowerCase()],
  ['upper', (text: string) => text.toUpperCase()],
  ['trim', (text: string) => text.trim()],
  ['contains', (text: string, part: string) => text.includes(part)],
  ['startsWith', (text: string, part: string) => text.startsWith(part)],
  ['endsWith', (text: string, part: string) => text.endsWith(part)],
  ['replace', (text: string, from: string, to: string) => (from === '' ? text : text.replaceAll(from, () => to))],
  ['substring', substring],
  ['year', (date: string) => civilFromDays(daysOfDate(date)).year],
  ['month', (date: string) => civilFromDays(daysOfDate(date)).month],
  ['day', (date: string) => civilFromDays(daysOfDate(date)).day],
  ['addDays', (date: string, days: number) => checkedDate(daysOfDate(date) + days)],
  ['addMonths', addMonths],
  ['daysBetween', (from: string, to: string) => daysOfDate(to) - daysOfDate(from)],
  ['dateOf', (instant: number) => dateFromDays(dayOfDateTime(instant))],
]);

/** Half away from zero. */
function roundDecimal(x: DecimalValue, digits: number): DecimalValue {
  if (digits < 0) {
    const unit = new Decimal(10).pow(Math.min(-digits, 6144));
    return checkedDecimal(x.div(unit).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).times(unit));
  }
  return canonicalZero(x.toDecimalPlaces(Math.min(digits, 10_000), Decimal.ROUND_HALF_UP));
}

function substring(text: string, from: number, length: number): string {
  if (from < 0 || length < 0) throw new EvaluationFault('fault', 'substring of a negative place or length');
  return [...text].slice(from, from + length).join('');
}

function codePointCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function addMonths(date: string, months: number): string {
  const { year, month, day } = civilFromDays(daysOfDate(date));
  const index = year * 12 + (month - 1) + months;
  const toYear = Math.floor(index / 12);
  const toMonth = index - toYear * 12 + 1;
  if (toYear < 1 || toYear > 9999) throw new EvaluationFault('fault', 'a date outside the years 0001 to 9999');
  return checkedDate(daysFromCivil(toYear, toMonth, Math.min(day, daysInMonth(toYear, toMonth))));
}

function checkedDate(days: number): string {
  if (!isDayInRange(days)) throw new EvaluationFault('fault', 'a date outside the years 0001 to 9999');
  return dateFromDays(days);
}

function textOf(type: Type): BuiltIn {
  if (type.kind === 'scalar' && type.name === 'Decimal') return (value: DecimalValue) => decimalText(value);
  if (type.kind === 'scalar' && type.name === 'DateTime') return (value: number) => dateTimeText(value);
  return (value: Value) => String(value);
}

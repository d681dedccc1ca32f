/** Summarizes a column: counts, and for numbers and times their range, for numbers also sum and mean. */

import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import {
  Decimal,
  type DecimalValue,
  decimalText,
  parseDecimal,
  ZERO_SUM,
} from '../../../../src-runtime/base/decimal.js';
import { decimalPlaces } from '../../../model/text/decimal-places.js';
import { type GridColumn, isNumeric } from '../rows/grid-columns.js';
import type { GridRow } from '../rows/use-rows.js';

export interface Figure {
  readonly name: string;
  /** Copied to the clipboard: as the API writes it, with all digits. */
  readonly text: string;
  /** The same, rounded for display. */
  readonly shown: string;
  /** Whether `shown` is rounded. */
  readonly isAbout: boolean;
}

/** Sums are exact. If a row has several values in the column, each counts. */
export function figuresOf(column: GridColumn, position: number, rows: readonly GridRow[]): Figure[] {
  const cells = rows.map((row) => valuesOf(column, row, row.cells[position] ?? null));
  const values = cells.flat();
  const without = cells.filter((each) => each.length === 0).length;
  return [
    figure('values', String(values.length)),
    figure('distinct', String(new Set(values.map((value) => JSON.stringify(value))).size)),
    ...(without > 0 ? [figure('empty', String(without))] : []),
    ...(isNumeric(column) ? figuresOfNumbers(values) : isTime(column) ? figuresOfTimes(values) : []),
  ];
}

function valuesOf({ source }: GridColumn, { individual }: GridRow, value: JsonValue): readonly JsonValue[] {
  // The label column is empty for an individual without a name.
  const isNamed = source.kind !== 'individual' || source.field === undefined || value !== null;
  if (source.kind === 'individual' && individual !== undefined) return isNamed ? [individual] : [];
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Wire values of times sort as texts. */
function isTime({ type }: GridColumn): boolean {
  return type.kind === 'scalar' && (type.name === 'Date' || type.name === 'DateTime');
}

function figuresOfTimes(values: readonly JsonValue[]): Figure[] {
  const [first, ...others] = values.map(String);
  if (first === undefined) return [];
  let [earliest, latest] = [first, first];
  for (const each of others) {
    if (each < earliest) earliest = each;
    if (each > latest) latest = each;
  }
  return [figure('earliest', earliest), figure('latest', latest)];
}

/** Decimal places of a mean beyond those of its values. */
const MEAN_PLACES = 5;

function figuresOfNumbers(values: readonly JsonValue[]): Figure[] {
  const numbers = values.flatMap((value) => parseDecimal(String(value)) ?? []);
  const [first] = numbers;
  if (first === undefined) return [];
  const sum = numbers.reduce((total, number) => total.plus(number), ZERO_SUM);
  const least = numbers.reduce((before, number) => (number.lt(before) ? number : before), first);
  const greatest = numbers.reduce((before, number) => (number.gt(before) ? number : before), first);
  const places = values.reduce<number>((most, value) => Math.max(most, decimalPlaces(value)), 0);
  return [
    figure('sum', decimalText(sum)),
    meanOf(sum, numbers.length, places),
    figure('min', decimalText(least)),
    figure('max', decimalText(greatest)),
  ];
}

function meanOf(sum: DecimalValue, count: number, places: number): Figure {
  const mean = new Decimal(sum).div(count);
  const text = decimalText(mean);
  const shown = decimalText(mean.toDecimalPlaces(places + MEAN_PLACES));
  const isAbout = shown !== text || !ZERO_SUM.plus(mean).times(count).eq(sum);
  return { name: 'mean', text, shown, isAbout };
}

function figure(name: string, text: string): Figure {
  return { name, text, shown: text, isAbout: false };
}

/** What a column of some rows comes to: how many values there are, and of numbers and times what stands between which. */

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
  /** What is copied: as the API writes it, with all digits that there are. */
  readonly text: string;
  /** The same, as short as it can be read at a glance. */
  readonly shown: string;
  /** It has more digits than are shown. */
  readonly isAbout: boolean;
}

/** Sums are exact. Where a row has several values in the column, each counts. */
export function figuresOf(column: GridColumn, position: number, rows: readonly GridRow[]): Figure[] {
  const cells = rows.map((row) => valuesOf(column, row, row.cells[position] ?? null));
  const values = cells.flat();
  const without = cells.filter((each) => each.length === 0).length;
  return [
    figure('values', String(values.length)),
    figure('distinct', String(new Set(values.map((value) => JSON.stringify(value))).size)),
    ...(without > 0 ? [figure('without', String(without))] : []),
    ...(isNumeric(column) ? figuresOfNumbers(values) : isTime(column) ? figuresOfTimes(values) : []),
  ];
}

function valuesOf({ source }: GridColumn, { individual }: GridRow, value: JsonValue): readonly JsonValue[] {
  // The column of a field that names individuals has no value where the field has none.
  const isNamed = source.kind !== 'individual' || source.field === undefined || value !== null;
  if (source.kind === 'individual' && individual !== undefined) return isNamed ? [individual] : [];
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** On the wire an earlier one comes before a later one as a text, too. */
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

/** More digits of a mean than these behind those of its values tell nobody more. */
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
    figure('least', decimalText(least)),
    figure('greatest', decimalText(greatest)),
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

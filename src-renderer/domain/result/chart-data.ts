/** What a chart of a result shows: bars for a label and a number, a line for a date or an ordered number and a number. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { inBrief } from '../../model/facts/labels.js';
import { cellText, type NameOf, numberColumns } from './result-order.js';
import { ENTITY_COLUMN, type ResultTable } from './result-table.js';

export interface Chart {
  readonly kind: 'bars' | 'line';
  /** The columns that are drawn, and those to choose from. */
  readonly label: string;
  readonly value: string;
  readonly labels: readonly string[];
  readonly values: readonly string[];
  readonly points: readonly ChartPoint[];
  /** Rows without a number. */
  readonly without: number;
  /** Rows with a number, drawn or not. */
  readonly total: number;
}

export interface ChartPoint {
  readonly label: string;
  /** Place on the axis of a line: a number, or the time of a date. */
  readonly at: number;
  readonly value: number;
}

export interface ChartChoice {
  readonly label?: string | undefined;
  readonly value?: string | undefined;
}

/** More bars would not be compared by eye, and more points would fall on the same pixels. */
const POINTS_MAX = { bars: 100, line: 1_000 } as const;

/** The chart, or the reason if the result has none. */
export function chartOf(table: ResultTable, nameOf: NameOf, choice: ChartChoice = {}): Chart | string {
  const { columns, rows } = table;
  if (rows.length === 0) return 'A chart needs rows.';
  const isNumber = numberColumns(table).map((places) => places !== undefined);
  const values = columns.filter((_, at) => isNumber[at]);
  if (values.length === 0) return 'A chart needs a column of numbers.';
  if (columns.length < 2) return 'A chart needs two columns: a label and a number.';
  const value = selectedOf(values, choice.value) ?? lastOf(values);
  const labels = columns.filter((column) => column !== value);
  const words = labels.filter((column) => !isNumber[columns.indexOf(column)]);
  const label = selectedOf(labels, choice.label) ?? words[0] ?? labels[0] ?? ENTITY_COLUMN;
  const [labelAt, valueAt] = [columns.indexOf(label), columns.indexOf(value)];
  const cells = rows.flatMap(({ [labelAt]: of = null, [valueAt]: number = null }) =>
    number === null ? [] : [{ of, value: Number(number) }],
  );
  const places = cells.map(({ of }) => placeOf(of, isNumber[labelAt] === true));
  const isLine = cells.length > 1 && places.every((place) => !Number.isNaN(place));
  const kind = isLine ? 'line' : 'bars';
  const points = cells.map((cell, row) => ({
    label: cell.of === null ? 'none' : inBrief(cellText(cell.of, nameOf), LABEL_LETTERS_MAX),
    at: places[row] ?? 0,
    value: cell.value,
  }));
  if (isLine) points.sort((one, other) => one.at - other.at);
  return {
    ...{ kind, label, value, labels, values },
    points: points.slice(0, POINTS_MAX[kind]),
    without: rows.length - cells.length,
    total: cells.length,
  };
}

/** A label is one line, and its text may have megabytes. */
const LABEL_LETTERS_MAX = 200;

function selectedOf(columns: readonly string[], wanted: string | undefined): string | undefined {
  return columns.find((column) => column === wanted);
}

function lastOf(columns: readonly string[]): string {
  return columns.at(-1) ?? '';
}

/** NaN for a value without an order. */
function placeOf(value: JsonValue, isNumber: boolean): number {
  if (value === null) return Number.NaN;
  if (isNumber) return Number(value);
  return typeof value === 'string' && DATE.test(value) ? Date.parse(value) : Number.NaN;
}

const DATE = /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/;

/** Round numbers on the axis, with zero, that enclose all values. */
export function ticksOf(values: readonly number[]): readonly number[] {
  const least = values.reduce((min, value) => Math.min(min, value), 0);
  const most = values.reduce((max, value) => Math.max(max, value), 0);
  const rough = (most - least || 1) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (STEPS.find((each) => each * power >= rough) ?? 10);
  const first = Math.floor(least / step);
  const last = Math.max(first + 1, Math.ceil(most / step));
  // A product of whole numbers has fewer stray digits than a sum of steps.
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

const TICKS = 4;
const STEPS = [1, 2, 2.5, 5, 10];

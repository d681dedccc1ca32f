/**
 * How a file writes numbers and dates, which differs by country. It is detected from the cells that can be read in one way only, and
 * the others are read like those.
 */

import type { WireType } from '../schemas/schemas.js';

/** `plain` is 1234.50 without separators of thousands, `point` 1,234.50, `comma` 1.234,50. */
export type NumberNotation = 'plain' | 'point' | 'comma';
/** Of dates that do not begin with the year. With `iso`, a date that may mean two days is an error. */
export type DateNotation = 'iso' | 'dayFirst' | 'monthFirst';

export interface Notation {
  readonly numbers: NumberNotation;
  readonly dates: DateNotation;
}

export const PLAIN_NOTATION: Notation = { numbers: 'plain', dates: 'iso' };

const COMMA = numberPattern(',', '.');
const POINT = numberPattern('.', ',');
const PLAIN = /^[+-]?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?$/;

/** Thousands never begin with a zero: 0.500 is a half wherever it is written. */
function numberPattern(decimal: string, thousands: string): RegExp {
  const grouped = `[1-9]\\d{0,2}([${thousands}'’ \\u00A0\\u202F])\\d{3}(\\3\\d{3})*`;
  return new RegExp(`^[+-]?((\\d+|${grouped})([${decimal}]\\d+)?|[${decimal}]\\d+)([eE][+-]?\\d+)?$`);
}

/** The notation that some cells prove, unless others prove another one. */
export function numberNotation(cells: Iterable<string>): NumberNotation {
  const counts = { comma: 0, point: 0, other: 0 };
  for (const cell of cells) {
    const text = cell.trim();
    const [isComma, isPoint] = [COMMA.test(text), POINT.test(text)];
    if (isComma && !isPoint) counts.comma += 1;
    if (isPoint && !isComma) counts.point += 1;
    if (isPoint && !PLAIN.test(text)) counts.other += 1;
  }
  if (counts.comma > 0 && counts.point === 0) return 'comma';
  return counts.other > 0 && counts.point > 0 && counts.comma === 0 ? 'point' : 'plain';
}

const DATE = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?![\d./-])/;

export function dateNotation(cells: Iterable<string>): DateNotation {
  let [days, months] = [0, 0];
  for (const cell of cells) {
    const [, first, separator, second] = DATE.exec(cell.trim()) ?? [];
    if (first === undefined || second === undefined || separator === '.') continue;
    if (Number(first) > 12) days += 1;
    if (Number(second) > 12) months += 1;
  }
  if (days > 0 && months === 0) return 'dayFirst';
  return months > 0 && days === 0 ? 'monthFirst' : 'iso';
}

/** The number as the API takes it. A text that is not written in the notation stays as it is. */
export function plainNumber(cell: string, notation: NumberNotation): string {
  const text = cell.trim();
  if (notation === 'comma' && COMMA.test(text)) return text.replace(/[^\d,eE+-]/g, '').replace(',', '.');
  return notation === 'point' && POINT.test(text) ? text.replace(/[^\d.eE+-]/g, '') : cell;
}

/** What the number is in either notation, where no cell decides between them. */
export function ambiguousNumber(cell: string, notation: NumberNotation): readonly string[] | undefined {
  const text = cell.trim();
  if (notation !== 'plain' || PLAIN.test(text)) return undefined;
  const readings = [POINT.test(text) && plainNumber(text, 'point'), COMMA.test(text) && plainNumber(text, 'comma')];
  const numbers = readings.filter((reading) => reading !== false);
  return numbers.length === 0 ? undefined : numbers;
}

/** The date, or the date of an instant, with its year first; a text without one stays as it is. With points, the day is first everywhere. */
export function isoDate(cell: string, notation: DateNotation): string {
  const text = cell.trim();
  const [date = '', first = '', separator, second = '', year] = DATE.exec(text) ?? [];
  if (year === undefined || (separator !== '.' && notation === 'iso')) return cell;
  const isDayFirst = separator === '.' || notation === 'dayFirst';
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${text.slice(date.length)}`;
}

/** Whether a date is refused only because it may mean two days. */
export function isAmbiguousDate(cell: string, notation: DateNotation): boolean {
  return isoDate(cell, notation) === cell && DATE.test(cell.trim());
}

/** What the cells of a type write; undefined where that is neither numbers nor dates. */
export function notationKind(type: WireType): keyof Notation | undefined {
  if (type.kind === 'optional' || type.kind === 'list') return notationKind(type.of);
  if (type.kind !== 'scalar') return undefined;
  if (type.name === 'Int' || type.name === 'Decimal') return 'numbers';
  return type.name === 'Date' || type.name === 'DateTime' ? 'dates' : undefined;
}

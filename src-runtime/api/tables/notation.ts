/**
 * The notation of numbers and dates in a file, which differs by country. Cells that can be read in one way only decide it; the others
 * are read like those.
 */

import type { WireType } from '../schemas/schemas.js';

/** `plain` is 1234.50, `point` is 1,234.50, `comma` is 1.234,50. */
export type NumberNotation = 'plain' | 'point' | 'comma';
/** For dates that do not begin with the year. With `iso`, an ambiguous date is an error. */
export type DateNotation = 'iso' | 'dayFirst' | 'monthFirst';

export interface Notation {
  readonly numbers: NumberNotation;
  readonly dates: DateNotation;
}

export const PLAIN_NOTATION: Notation = { numbers: 'plain', dates: 'iso' };

const COMMA = numberPattern(',', '.');
const POINT = numberPattern('.', ',');
const PLAIN = /^[+-]?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?$/;

/** A number with thousands never begins with zero: 0.500 is one half in every notation. */
function numberPattern(decimal: string, thousands: string): RegExp {
  const grouped = `[1-9]\\d{0,2}([${thousands}'’ \\u00A0\\u202F])\\d{3}(\\3\\d{3})*`;
  return new RegExp(`^[+-]?((\\d+|${grouped})([${decimal}]\\d+)?|[${decimal}]\\d+)([eE][+-]?\\d+)?$`);
}

/** The notation that some cells prove, unless other cells prove another. */
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

/** The number in the form of the API. A text in another notation is returned unchanged. */
export function plainNumber(cell: string, notation: NumberNotation): string {
  const text = cell.trim();
  if (notation === 'comma' && COMMA.test(text)) return text.replace(/[^\d,eE+-]/g, '').replace(',', '.');
  return notation === 'point' && POINT.test(text) ? text.replace(/[^\d.eE+-]/g, '') : cell;
}

/** Both readings of a number that no cell decides. */
export function ambiguousNumber(cell: string, notation: NumberNotation): readonly string[] | undefined {
  const text = cell.trim();
  if (notation !== 'plain' || PLAIN.test(text)) return undefined;
  const readings = [POINT.test(text) && plainNumber(text, 'point'), COMMA.test(text) && plainNumber(text, 'comma')];
  const numbers = readings.filter((reading) => reading !== false);
  return numbers.length === 0 ? undefined : numbers;
}

/** The date, also that of an instant, with the year first. Any other text is returned unchanged. In dates with points the day comes first. */
export function isoDate(cell: string, notation: DateNotation): string {
  const text = cell.trim();
  const [date = '', first = '', separator, second = '', year] = DATE.exec(text) ?? [];
  if (year === undefined || (separator !== '.' && notation === 'iso')) return cell;
  const isDayFirst = separator === '.' || notation === 'dayFirst';
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${text.slice(date.length)}`;
}

/** Whether the date is ambiguous. */
export function isAmbiguousDate(cell: string, notation: DateNotation): boolean {
  return isoDate(cell, notation) === cell && DATE.test(cell.trim());
}

/** Whether cells of the type are numbers or dates; undefined for neither. */
export function notationKind(type: WireType): keyof Notation | undefined {
  if (type.kind === 'optional' || type.kind === 'list') return notationKind(type.of);
  if (type.kind !== 'scalar') return undefined;
  if (type.name === 'Int' || type.name === 'Decimal') return 'numbers';
  return type.name === 'Date' || type.name === 'DateTime' ? 'dates' : undefined;
}

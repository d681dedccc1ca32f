/** How a file writes numbers and dates, which differs by country: found out by what its cells can only mean, and read that way. */

import type { WireType } from '../../src-runtime/api/schemas.js';

/** `plain` is 1234.50 without separators of thousands, `point` 1,234.50, `comma` 1.234,50. */
export type NumberWriting = 'plain' | 'point' | 'comma';
/** Of dates that do not begin with the year; with `iso`, those that can be read in two ways are not read. */
export type DateWriting = 'iso' | 'dayFirst' | 'monthFirst';

export interface Writing {
  readonly numbers: NumberWriting;
  readonly dates: DateWriting;
}

export const PLAIN_WRITING: Writing = { numbers: 'plain', dates: 'iso' };

const COMMA = /^[+-]?(\d+|\d{1,3}([.'’ \u00A0\u202F]\d{3})+)(,\d+)?$/;
const POINT = /^[+-]?(\d+|\d{1,3}([,'’ \u00A0\u202F]\d{3})+)(\.\d+)?$/;
const PLAIN = /^[+-]?\d+(\.\d+)?$/;

/** What can only be meant in one way decides, as long as nothing else can only be meant in the other. */
export function numberWriting(cells: Iterable<string>): NumberWriting {
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

const DATE = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

export function dateWriting(cells: Iterable<string>): DateWriting {
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

/** The number as the server takes it; what is not written so stays as it is. */
export function plainNumber(cell: string, writing: NumberWriting): string {
  const text = cell.trim();
  if (writing === 'comma' && COMMA.test(text)) return text.replace(/[^\d,+-]/g, '').replace(',', '.');
  return writing === 'point' && POINT.test(text) ? text.replace(/[^\d.+-]/g, '') : cell;
}

/** The date with its year first; what is not written so stays as it is. With points between them, days come first everywhere. */
export function isoDate(cell: string, writing: DateWriting): string {
  const [, first = '', separator, second = '', year] = DATE.exec(cell.trim()) ?? [];
  if (year === undefined || (separator !== '.' && writing === 'iso')) return cell;
  const isDayFirst = separator === '.' || writing === 'dayFirst';
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Whether a date is refused only because it may mean two days. */
export function isAmbiguousDate(cell: string, writing: DateWriting): boolean {
  return isoDate(cell, writing) === cell && DATE.test(cell.trim());
}

/** What is written in its cells; undefined where it is neither numbers nor dates. */
export function writtenKind(type: WireType): keyof Writing | undefined {
  if (type.kind === 'optional' || type.kind === 'list') return writtenKind(type.of);
  if (type.kind !== 'scalar') return undefined;
  if (type.name === 'Int' || type.name === 'Decimal') return 'numbers';
  return type.name === 'Date' ? 'dates' : undefined;
}

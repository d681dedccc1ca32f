/** The calendar without a clock: ISO dates and instants as numbers, years 0001 to 9999. */

export const DAY_MS = 86_400_000;
const DATE_PATTERN = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const DATE_TIME_PATTERN =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?([Zz]|[+-][0-9]{2}:[0-9]{2})$/;

const DAYS_MIN = -719_162;
const DAYS_MAX = 2_932_896;

/** Days since 1970-01-01 of a proleptic Gregorian date (after Howard Hinnant, "chrono-compatible low-level date algorithms"). */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export function civilFromDays(days: number): CivilDate {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthIndex = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthIndex + 2) / 5) + 1;
  const month = monthIndex + (monthIndex < 10 ? 3 : -9);
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

export function isDate(text: string): boolean {
  const match = DATE_PATTERN.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** Days since the epoch of a valid `YYYY-MM-DD`. */
export function daysOfDate(text: string): number {
  return daysFromCivil(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10)));
}

/** True if a Date can represent the year of the day. */
export function isDayInRange(days: number): boolean {
  return days >= DAYS_MIN && days <= DAYS_MAX;
}

export function dateFromDays(days: number): string {
  const { year, month, day } = civilFromDays(days);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** Milliseconds since the epoch; undefined if the text is not an instant. Digits below a millisecond are cut off. */
export function parseDateTime(text: string): number | undefined {
  return plainInstant(text) ?? parsedInstant(text);
}

/** The common form, `YYYY-MM-DDTHH:MM:SSZ`, perhaps with milliseconds. Files have millions of them, and the pattern is slow. */
function plainInstant(text: string): number | undefined {
  const { length } = text;
  if ((length !== 20 && length !== 24) || text.charCodeAt(length - 1) !== LETTER_Z || text[10] !== 'T')
    return undefined;
  if (text[4] !== '-' || text[7] !== '-' || text[13] !== ':' || text[16] !== ':') return undefined;
  const [year, month, day] = [pairAt(text, 0) * 100 + pairAt(text, 2), pairAt(text, 5), pairAt(text, 8)];
  const [hour, minute, second] = [pairAt(text, 11), pairAt(text, 14), pairAt(text, 17)];
  // A comparison with NaN is false.
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return undefined;
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  const millisecond = length === 20 ? 0 : pairAt(text, 20) * 10 + digitAt(text, 22);
  if (length === 24 && (text[19] !== '.' || Number.isNaN(millisecond))) return undefined;
  return daysFromCivil(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond;
}

const LETTER_Z = 90;

/** A number of two digits; NaN for anything else. */
function pairAt(text: string, at: number): number {
  return digitAt(text, at) * 10 + digitAt(text, at + 1);
}

function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - 48;
  return digit >= 0 && digit <= 9 ? digit : Number.NaN;
}

function parsedInstant(text: string): number | undefined {
  const match = DATE_TIME_PATTERN.exec(text);
  if (match === null) return undefined;
  const [date = '', hour, minute, second, fraction, zone = 'Z'] = match.slice(1);
  const offset = offsetMs(zone);
  if (!isDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return undefined;
  if (offset === undefined) return undefined;
  const millisecond = Number(`${fraction ?? ''}000`.slice(0, 3));
  const local =
    daysOfDate(date) * DAY_MS + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second ?? 0)) * 1000 + millisecond;
  const instant = local - offset;
  return isDayInRange(dayOfDateTime(instant)) ? instant : undefined;
}

/** True of an instant that is written with digits below a millisecond which are not zero. */
export function isFinerThanMilliseconds(text: string): boolean {
  return /[1-9]/.test(DATE_TIME_PATTERN.exec(text)?.[5]?.slice(3) ?? '');
}

export function dayOfDateTime(instant: number): number {
  return Math.floor(instant / DAY_MS);
}

/** ISO with milliseconds and `Z`. */
export function dateTimeText(instant: number): string {
  const days = dayOfDateTime(instant);
  const ms = instant - days * DAY_MS;
  const clock = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  return `${dateFromDays(days)}T${clock.map((part) => pad(part, 2)).join(':')}.${pad(ms % 1000, 3)}Z`;
}

function offsetMs(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const [hours, rest] = [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))];
  if (hours > 23 || rest > 59) return undefined;
  const minutes = hours * 60 + rest;
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

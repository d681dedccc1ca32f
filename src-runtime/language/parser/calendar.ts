/** Dates and instants as literals write them, without a clock or the host's calendar. */

/** The date in wire form, or undefined for an invalid date. */
export function calendarDate(text: string): string | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return undefined;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const isDay = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
  return isDay ? text : undefined;
}

/** The instant in UTC, `2026-01-31T10:00:00.000Z`, or undefined for an invalid one. */
export function instant(text: string): string | undefined {
  const parts = /^(.{10})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?(Z|[+-]\d{2}:\d{2})$/.exec(text);
  const date = parts?.[1] === undefined ? undefined : calendarDate(parts[1]);
  if (parts === null || date === undefined) return undefined;
  const [hour, minute, second] = [Number(parts[2]), Number(parts[3]), Number(parts[4] ?? 0)];
  const offset = offsetMinutes(parts[6] ?? 'Z');
  if (hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  const minutes = hour * 60 + minute - offset;
  const shifted = shiftDay(date, Math.floor(minutes / 1440));
  if (shifted === undefined) return undefined;
  const ofDay = ((minutes % 1440) + 1440) % 1440;
  const time = `${pad(Math.floor(ofDay / 60), 2)}:${pad(ofDay % 60, 2)}:${pad(second, 2)}`;
  return `${shifted}T${time}.${(parts[5] ?? '').padEnd(3, '0')}Z`;
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** The neighbouring date, `by` being -1, 0 or 1. */
function shiftDay(date: string, by: number): string | undefined {
  let [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8)) + by];
  if (day < 1) {
    month -= 1;
    if (month < 1) [year, month] = [year - 1, 12];
    day = daysOf(year, month);
  } else if (day > daysOf(year, month)) {
    [month, day] = [month + 1, 1];
    if (month > 12) [year, month] = [year + 1, 1];
  }
  return calendarDate(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`);
}

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeap ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}

/** Times as shown on the page, independent of locale: 24 hours, with the date unless it is today. */

const MINUTE = { hour: '2-digit', minute: '2-digit', hour12: false } as const;
const DAY = { day: 'numeric', month: 'short' } as const;

/** Created on first use, because creating a formatter is much slower than using it. */
function formatted(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (date) => {
    format ??= new Intl.DateTimeFormat('en-GB', options);
    return format.format(date);
  };
}

const seconds = formatted({ ...MINUTE, second: '2-digit' });
const minutes = formatted(MINUTE);
const days = formatted(DAY);
const years = formatted({ ...DAY, year: 'numeric' });

type Moment = string | number;

/** `16:33:02`. */
export function clockText(at: Moment): string {
  return seconds(new Date(at));
}

/** `16:33`, or `21 Nov 16:33` on another day. */
export function timeText(at: Moment): string {
  const date = new Date(at);
  const time = minutes(date);
  return isToday(at) ? time : `${days(date)} ${time}`;
}

/** `16:33:02`, or `21 Nov 16:33:02` on another day. */
export function secondText(at: Moment): string {
  return isToday(at) ? clockText(at) : `${days(new Date(at))} ${clockText(at)}`;
}

/** `16:33` today, else `21 Nov`, for narrow places. */
export function shortTimeText(at: Moment): string {
  const date = new Date(at);
  return (isToday(at) ? minutes : days)(date);
}

/** `21 Nov 2026, 16:33:02`. */
export function momentText(at: Moment): string {
  return `${years(new Date(at))}, ${clockText(at)}`;
}

function isToday(at: Moment): boolean {
  return new Date(at).toDateString() === new Date().toDateString();
}

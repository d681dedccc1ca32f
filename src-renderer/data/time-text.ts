/** Moments as the page says them, everywhere alike: by the clock of 24 hours, with the day where it is not today. */

const MINUTE = { hour: '2-digit', minute: '2-digit', hour12: false } as const;
const DAY = { day: 'numeric', month: 'short' } as const;

/** Made once: to make one takes longer than to use it a hundred times, and a list has a moment a row. */
const SECONDS = new Intl.DateTimeFormat('en-GB', { ...MINUTE, second: '2-digit' });
const MINUTES = new Intl.DateTimeFormat('en-GB', MINUTE);
const DAYS = new Intl.DateTimeFormat('en-GB', DAY);
const YEARS = new Intl.DateTimeFormat('en-GB', { ...DAY, year: 'numeric' });

type Moment = string | number;

/** `16:33:02`. */
export function clockText(at: Moment): string {
  return SECONDS.format(new Date(at));
}

/** `16:33`, and `21 Nov 16:33` of another day. */
export function timeText(at: Moment): string {
  const date = new Date(at);
  const time = MINUTES.format(date);
  return isToday(at) ? time : `${DAYS.format(date)} ${time}`;
}

/** `16:33` today, else `21 Nov`: where there is little room. */
export function shortTimeText(at: Moment): string {
  const date = new Date(at);
  return (isToday(at) ? MINUTES : DAYS).format(date);
}

/** `21 Nov 2026, 16:33:02`. */
export function momentText(at: Moment): string {
  return `${YEARS.format(new Date(at))}, ${clockText(at)}`;
}

function isToday(at: Moment): boolean {
  return new Date(at).toDateString() === new Date().toDateString();
}

/** Moments as the page says them, everywhere alike: by the clock of 24 hours, with the day where it is not today. */

const MINUTE = { hour: '2-digit', minute: '2-digit', hour12: false } as const;
const SECOND = { ...MINUTE, second: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;

type Moment = string | number;

/** `16:33:02`. */
export function clockText(at: Moment): string {
  return new Date(at).toLocaleTimeString('en-GB', SECOND);
}

/** `16:33`, and `21 Nov 16:33` of another day. */
export function timeText(at: Moment): string {
  const time = new Date(at).toLocaleTimeString('en-GB', MINUTE);
  return isToday(at) ? time : `${new Date(at).toLocaleDateString('en-GB', DAY)} ${time}`;
}

/** `16:33` today, else `21 Nov`: where there is little room. */
export function shortTimeText(at: Moment): string {
  const date = new Date(at);
  return isToday(at) ? date.toLocaleTimeString('en-GB', MINUTE) : date.toLocaleDateString('en-GB', DAY);
}

/** `21 Nov 2026, 16:33:02`. */
export function momentText(at: Moment): string {
  const date = new Date(at);
  return `${date.toLocaleDateString('en-GB', { ...DAY, year: 'numeric' })}, ${clockText(at)}`;
}

function isToday(at: Moment): boolean {
  return new Date(at).toDateString() === new Date().toDateString();
}

/** Places requests on a time scale. Idle pauses are shortened. */

import type { RequestSummary } from '../../../../src-runtime/api/schemas/request-log.js';
import { createPersistentStore } from '../../../state/store.js';
import { timeText } from '../request-text.js';

type Timed = Pick<RequestSummary, 'at' | 'ms'>;

/** Whether the column is shown; by default depends on the width. */
export const timelineSetting = createPersistentStore<'auto' | 'on' | 'off'>(
  'entail.log.timeline',
  'auto',
  (value): value is 'auto' | 'on' | 'off' => value === 'auto' || value === 'on' || value === 'off',
);

/** Minimum width of the list in pixels. */
const ROOM_MIN = 880;

export function hasTimeline(setting: 'auto' | 'on' | 'off', listWidth: number): boolean {
  return setting === 'auto' ? listWidth >= ROOM_MIN : setting === 'on';
}

/** A period with activity, and its position on the scale. */
interface Busy {
  readonly from: number;
  to: number;
  drawn: number;
}

export interface TimeScale {
  readonly startMs: number;
  /** Total real time. */
  readonly spanMs: number;
  /** Total time on the scale. */
  readonly drawnMs: number;
  readonly busy: readonly Busy[];
  readonly pauses: readonly Pause[];
}

interface Pause {
  readonly ms: number;
  /** Middle, as a fraction of the scale. */
  readonly at: number;
}

/**
 * Undefined for no requests. A pause is at most as long as the average activity, so that activity fills at least half of the
 * scale.
 */
export function timeScale(rows: readonly Timed[]): TimeScale | undefined {
  const busy: Busy[] = [];
  for (const { from, to } of rows.map(spanOf).sort((left, right) => left.from - right.from)) {
    const last = busy.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else busy.push({ from, to, drawn: 0 });
  }
  const [first, last] = [busy[0], busy.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const pauseMax = busy.reduce((sum, { from, to }) => sum + to - from, 0) / busy.length;
  const cut: { ms: number; at: number }[] = [];
  for (const [index, each] of busy.entries()) {
    const before = busy[index - 1];
    if (before === undefined) continue;
    const pause = each.from - before.to;
    const end = before.drawn + before.to - before.from;
    each.drawn = end + Math.min(pause, pauseMax);
    if (pause > pauseMax) cut.push({ ms: pause, at: (end + each.drawn) / 2 });
  }
  const drawnMs = last.drawn + last.to - last.from;
  const pauses = cut.map(({ ms, at }) => ({ ms, at: at / drawnMs }));
  return { startMs: first.from, spanMs: last.to - first.from, drawnMs, busy, pauses };
}

/** Requests that took no measurable time are counted too. */
const MS_MIN = 0.01;

function spanOf({ at, ms }: Timed): { from: number; to: number } {
  const from = Date.parse(at);
  return { from, to: from + Math.max(ms, MS_MIN) };
}

interface TimeBar {
  /** Fractions of the scale. */
  readonly from: number;
  readonly length: number;
  /** Time after the first request. */
  readonly offsetMs: number;
}

export function barOf(row: Timed, { startMs, drawnMs, busy }: TimeScale): TimeBar {
  const { from, to } = spanOf(row);
  const within = busy.findLast((each) => each.from <= from);
  const drawn = within === undefined ? 0 : within.drawn + from - within.from;
  return { from: drawn / drawnMs, length: (to - from) / drawnMs, offsetMs: from - startMs };
}

/** `12 ms`, `1.24 s`, `2 min 5 s`, `1 h 3 min`. */
export function spanText(ms: number): string {
  if (ms < 60_000) return timeText(ms);
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** Start and duration in words. */
export function barWords({ ms }: Timed, { offsetMs }: TimeBar): string {
  const began = offsetMs === 0 ? 'started first' : `started ${spanText(offsetMs)} after the first`;
  return `${began}, took ${spanText(ms)}`;
}

/** Description of the scale. */
export function scaleWords({ spanMs, pauses }: TimeScale): string {
  const cut = pauses.length === 0 ? '' : `, ${pauses.length === 1 ? '1 pause' : `${pauses.length} pauses`} shortened`;
  return `Start and duration of the listed requests: ${spanText(spanMs)} in total${cut}`;
}

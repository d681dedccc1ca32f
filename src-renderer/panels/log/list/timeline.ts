/** Requests on one scale of time: where each begins and ends on it. Pauses, in which nothing ran, are drawn shorter than they were. */

import type { RequestSummary } from '../../../../src-runtime/api/schemas/request-log.js';
import { createKeptStore } from '../../../state/store.js';
import { timeText } from '../request-text.js';

type Timed = Pick<RequestSummary, 'at' | 'ms'>;

/** Whether the list has the column; until somebody says so, where there is room for it. */
export const timelineWish = createKeptStore<'auto' | 'on' | 'off'>(
  'entail.log.timeline',
  'auto',
  (value): value is 'auto' | 'on' | 'off' => value === 'auto' || value === 'on' || value === 'off',
);

/** In pixels, of a list in which the column leaves enough to the others. */
const ROOM_MIN = 880;

export function hasTimeline(wish: 'auto' | 'on' | 'off', listWidth: number): boolean {
  return wish === 'auto' ? listWidth >= ROOM_MIN : wish === 'on';
}

/** A time in which something ran, and how far from the beginning it is drawn. */
interface Busy {
  readonly from: number;
  to: number;
  drawn: number;
}

export interface TimeScale {
  readonly startMs: number;
  /** From the first beginning to the last end, as it was. */
  readonly spanMs: number;
  /** The same, as it is drawn. */
  readonly drawnMs: number;
  readonly busy: readonly Busy[];
  readonly pauses: readonly Pause[];
}

interface Pause {
  readonly ms: number;
  /** Its middle, as a part of the whole. */
  readonly at: number;
}

/** Undefined of no requests. No pause takes more than what runs takes on the average, so that at least half of the scale is what runs. */
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

/** The log counts a request that took no time that can be measured, too. */
const MS_MIN = 0.01;

function spanOf({ at, ms }: Timed): { from: number; to: number } {
  const from = Date.parse(at);
  return { from, to: from + Math.max(ms, MS_MIN) };
}

interface TimeBar {
  /** As parts of the whole. */
  readonly from: number;
  readonly length: number;
  /** How long after the first it began. */
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

/** When a request began, and how long it took. */
export function barWords({ ms }: Timed, { offsetMs }: TimeBar): string {
  const began = offsetMs === 0 ? 'started first' : `started ${spanText(offsetMs)} after the first`;
  return `${began}, took ${spanText(ms)}`;
}

/** What the scale is of. */
export function scaleWords({ spanMs, pauses }: TimeScale): string {
  const cut = pauses.length === 0 ? '' : `, ${pauses.length === 1 ? '1 pause' : `${pauses.length} pauses`} shortened`;
  return `Start and duration of the listed requests: ${spanText(spanMs)} in total${cut}`;
}

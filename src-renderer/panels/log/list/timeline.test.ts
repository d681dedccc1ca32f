/** Bars are to scale, except that long pauses are shortened. */

import { describe, expect, it } from 'vitest';
import { barOf, barWords, hasTimeline, scaleWords, spanText, timeScale } from './timeline.js';

const NOON = Date.parse('2026-11-26T12:00:00.000Z');
const row = (afterMs: number, ms: number) => ({ at: new Date(NOON + afterMs).toISOString(), ms });
/** Start and end of each bar in percent, and its text. */
const drawn = (...rows: ReturnType<typeof row>[]) => {
  const scale = timeScale(rows);
  if (scale === undefined) return [];
  return rows.map((each) => {
    const bar = barOf(each, scale);
    const hundredths = (part: number) => Math.round(part * 100);
    return [hundredths(bar.from), hundredths(bar.from + bar.length), barWords(each, bar)];
  });
};

describe('the time scale of the listed requests', () => {
  it('shows overlapping requests in any order of the list', () => {
    expect(drawn(row(50, 50), row(0, 60), row(20, 10))).toEqual([
      [50, 100, 'started 50 ms after the first, took 50 ms'],
      [0, 60, 'started first, took 60 ms'],
      [20, 30, 'started 20 ms after the first, took 10 ms'],
    ]);
  });

  it('keeps short pauses, and shortens long ones to the average activity', () => {
    expect(drawn(row(0, 40), row(50, 50))).toEqual([
      [0, 40, 'started first, took 40 ms'],
      [50, 100, 'started 50 ms after the first, took 50 ms'],
    ]);
    expect(drawn(row(0, 40), row(3_600_000, 40))).toEqual([
      [0, 33, 'started first, took 40 ms'],
      [67, 100, 'started 1 h after the first, took 40 ms'],
    ]);
  });

  it('shows a request that took no time, and is undefined for an empty list', () => {
    expect(drawn(row(0, 0))).toEqual([[0, 100, 'started first, took 0.0 ms']]);
    expect(timeScale([])).toBeUndefined();
  });

  it.each([
    ['40 ms in total', [row(0, 40)]],
    ['1 h in total, 1 pause shortened', [row(0, 40), row(3_600_000, 40)]],
    ['2 h in total, 2 pauses shortened', [row(0, 40), row(3_600_000, 40), row(7_200_000, 40)]],
  ])('has the description: %s', (words, rows) => {
    const scale = timeScale(rows);
    expect(scale && scaleWords(scale)).toBe(`Start and duration of the listed requests: ${words}`);
  });
});

it.each([
  [0.42, '0.4 ms'],
  [59_000, '59.00 s'],
  [60_000, '1 min'],
  [125_000, '2 min 5 s'],
  [3_780_000, '1 h 3 min'],
])('%d ms is %s', (ms, text) => {
  expect(spanText(ms)).toBe(text);
});

it('shows the timeline if the list is wide enough, unless the user has set it', () => {
  expect([hasTimeline('auto', 640), hasTimeline('auto', 1200)]).toEqual([false, true]);
  expect([hasTimeline('on', 640), hasTimeline('off', 1200)]).toEqual([true, false]);
});

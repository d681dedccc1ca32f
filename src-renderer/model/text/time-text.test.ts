/** Times are formatted the same in every locale. */

import { expect, it } from 'vitest';
import { clockText, momentText, secondText, shortTimeText, timeText } from './time-text.js';

const PAST = new Date(2020, 10, 21, 16, 3, 2).getTime();

it('formats times with 24 hours, and the date unless it is today', () => {
  expect([clockText(PAST), secondText(PAST), timeText(PAST), shortTimeText(PAST), momentText(PAST)]).toEqual([
    '16:03:02',
    '21 Nov 16:03:02',
    '21 Nov 16:03',
    '21 Nov',
    '21 Nov 2020, 16:03:02',
  ]);
  const midnight = new Date().setHours(0, 5, 0);
  expect([secondText(midnight), timeText(midnight)]).toEqual(['00:05:00', '00:05']);
  expect(shortTimeText(new Date(midnight).toISOString())).toBe('00:05');
});

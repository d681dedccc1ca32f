/** The texts that are instants. */

import { expect, it } from 'vitest';
import { dateTimeText, parseDateTime } from './dates.js';

it.each<[text: string, instant: string | undefined]>([
  ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31T10:00:00.5+01:30', '2026-01-31T08:30:00.500Z'],
  ['2026-01-31T23:30:00-02:00', '2026-02-01T01:30:00.000Z'],
  ['2026-01-31T10:00:00+23:59', '2026-01-30T10:01:00.000Z'],
  ['2026-01-31T10:00:00+24:00', undefined],
  ['2026-01-31T10:00:00-01:60', undefined],
  ['2026-01-31T24:00:00Z', undefined],
  ['2026-02-30T10:00:00Z', undefined],
  ['2026-01-31T10:00:00', undefined],
])('reads %s as %s', (text, instant) => {
  const parsed = parseDateTime(text);
  expect(parsed === undefined ? undefined : dateTimeText(parsed)).toBe(instant);
});

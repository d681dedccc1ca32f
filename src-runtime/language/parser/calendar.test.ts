/** The texts that are dates and instants, and their wire forms. */

import { expect, it } from 'vitest';
import { calendarDate, instant } from './calendar.js';

it.each([
  ['2024-02-29', '2024-02-29'],
  ['2023-02-29', undefined],
  ['1900-02-29', undefined],
  ['2026-04-31', undefined],
  ['2026-1-31', undefined],
])('reads the date %s', (text, expected) => expect(calendarDate(text)).toBe(expected));

it.each([
  ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
  ['2026-01-01T00:30:00.5+01:00', '2025-12-31T23:30:00.500Z'],
  ['2024-02-28T23:30:00-01:00', '2024-02-29T00:30:00.000Z'],
  ['2026-01-31T10:00:00', undefined],
  ['2026-01-31T24:00:00Z', undefined],
  ['0001-01-01T00:00:00+01:00', undefined],
])('reads the instant %s', (text, expected) => expect(instant(text)).toBe(expected));

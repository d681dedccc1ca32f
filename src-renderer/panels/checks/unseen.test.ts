/** Marks new and resolved violations only if certain, however many are loaded. */

import { expect, it } from 'vitest';
import type { Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { hasUnseen, seenViolations, unseenOf } from './unseen.js';

const position = { line: 1, column: 1, offset: 0 };
const span = { file: 'm.entail', start: position, end: position };
const firing = (id: string, message = `${id} is late`): Firing => ({
  check: 'm::late',
  severity: 'warning',
  message,
  tuple: { p: id },
  span,
});
const firings = (...ids: string[]) => ids.map((id) => firing(id));
const news = (before: ReturnType<typeof seenViolations> | undefined, now: readonly Firing[], whole = true) => {
  const { added: fresh, resolved: gone } = unseenOf(before, { violations: now, whole });
  return { fresh: [...fresh], gone: gone.map(({ message }) => message) };
};

it('nothing is new to who never looked', () => {
  expect(news(undefined, firings('#i1'))).toEqual({ fresh: [], gone: [] });
});

it('firings come and go; one whose message changed has stayed', () => {
  const before = seenViolations(firings('#i1', '#i2'), true, 2);
  expect(news(before, [firing('#i2', 'later still'), firing('#i3')])).toEqual({
    fresh: ['["#i3"]'],
    gone: ['#i1 is late'],
  });
});

it('what may be beyond the end of what was loaded is neither new nor gone', () => {
  expect(news(seenViolations(firings('#i1'), false, 9), firings('#i1', '#i2')).fresh).toEqual([]);
  expect(news(seenViolations(firings('#i1', '#i2'), true, 2), firings('#i1'), false).gone).toEqual([]);
});

it('only so many are kept to compare with, and how many there were', () => {
  const many = firings(...Array.from({ length: 300 }, (_, index) => `#i${index}`));
  const seen = seenViolations(many, true, 300);
  expect([seen.firings.length, seen.whole, seen.count]).toEqual([200, false, 300]);
});

it('there is news where a firing came or went, or there are more or less of them', () => {
  const seen = (whole: boolean, count: number, ...ids: string[]) => seenViolations(firings(...ids), whole, count);
  const before = seen(true, 2, '#i1', '#i2');
  expect(hasUnseen(undefined, before)).toBe(false);
  expect(hasUnseen(before, seen(true, 2, '#i2', '#i1'))).toBe(false);
  expect(hasUnseen(before, seen(true, 2, '#i2', '#i3'))).toBe(true);
  expect(hasUnseen(before, seen(true, 1, '#i2'))).toBe(true);
  expect(hasUnseen(seen(false, 9, '#i1'), seen(false, 9, '#i2'))).toBe(false);
  expect(hasUnseen(seen(false, 9, '#i1'), seen(false, 10, '#i1'))).toBe(true);
});

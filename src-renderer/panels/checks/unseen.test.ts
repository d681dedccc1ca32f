/** Marks new and resolved violations only if certain, however many are loaded. */

import { expect, it } from 'vitest';
import type { Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { hasUnseen, seenViolations, unseenOf } from './unseen.js';

const position = { line: 1, column: 1, offset: 0 };
const span = { file: 'm.entail', start: position, end: position };
const violation = (id: string, message = `${id} is late`): Firing => ({
  check: 'm::late',
  severity: 'warning',
  message,
  tuple: { p: id },
  span,
});
const violations = (...ids: string[]) => ids.map((id) => violation(id));
const differences = (before: ReturnType<typeof seenViolations> | undefined, now: readonly Firing[], whole = true) => {
  const { added: fresh, resolved: gone } = unseenOf(before, { violations: now, whole });
  return { fresh: [...fresh], gone: gone.map(({ message }) => message) };
};

it('marks nothing as new on the first visit', () => {
  expect(differences(undefined, violations('#i1'))).toEqual({ fresh: [], gone: [] });
});

it('marks new and resolved violations by their bindings, not their messages', () => {
  const before = seenViolations(violations('#i1', '#i2'), true, 2);
  expect(differences(before, [violation('#i2', 'later still'), violation('#i3')])).toEqual({
    fresh: ['["#i3"]'],
    gone: ['#i1 is late'],
  });
});

it('marks nothing that may be on a page that was not loaded', () => {
  expect(differences(seenViolations(violations('#i1'), false, 9), violations('#i1', '#i2')).fresh).toEqual([]);
  expect(differences(seenViolations(violations('#i1', '#i2'), true, 2), violations('#i1'), false).gone).toEqual([]);
});

it('stores at most 200 violations, and their total', () => {
  const many = violations(...Array.from({ length: 300 }, (_, index) => `#i${index}`));
  const seen = seenViolations(many, true, 300);
  expect([seen.firings.length, seen.whole, seen.count]).toEqual([200, false, 300]);
});

it('has unseen changes if a violation is new or resolved, or the total differs', () => {
  const seen = (whole: boolean, count: number, ...ids: string[]) => seenViolations(violations(...ids), whole, count);
  const before = seen(true, 2, '#i1', '#i2');
  expect(hasUnseen(undefined, before)).toBe(false);
  expect(hasUnseen(before, seen(true, 2, '#i2', '#i1'))).toBe(false);
  expect(hasUnseen(before, seen(true, 2, '#i2', '#i3'))).toBe(true);
  expect(hasUnseen(before, seen(true, 1, '#i2'))).toBe(true);
  expect(hasUnseen(seen(false, 9, '#i1'), seen(false, 9, '#i2'))).toBe(false);
  expect(hasUnseen(seen(false, 9, '#i1'), seen(false, 10, '#i1'))).toBe(true);
});

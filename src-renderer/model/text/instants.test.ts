import { expect, it } from 'vitest';
import { instantOfPicked, pickedOfInstant } from './instants.js';

it('shows a picker the instant that is typed, in UTC whatever its offset, and nothing of what is none', () => {
  expect(pickedOfInstant('2026-01-31T10:00:05Z')).toBe('2026-01-31T10:00:05');
  expect(pickedOfInstant(' 2026-01-31T01:30:00+02:00 ')).toBe('2026-01-30T23:30:00');
  expect(pickedOfInstant('soon')).toBe('');
  expect(pickedOfInstant('')).toBe('');
});

it('types what is picked as an instant, also where the picker leaves out the seconds', () => {
  expect(instantOfPicked('2026-01-31T10:00:05')).toBe('2026-01-31T10:00:05Z');
  expect(instantOfPicked('2026-01-31T10:00')).toBe('2026-01-31T10:00:00Z');
  expect(instantOfPicked('')).toBe('');
});

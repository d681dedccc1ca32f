import { expect, it } from 'vitest';
import { instantOfPicked, pickedOfInstant } from './instants.js';

it('converts an instant to UTC for the picker, and invalid text to an empty value', () => {
  expect(pickedOfInstant('2026-01-31T10:00:05Z')).toBe('2026-01-31T10:00:05');
  expect(pickedOfInstant(' 2026-01-31T01:30:00+02:00 ')).toBe('2026-01-30T23:30:00');
  expect(pickedOfInstant('soon')).toBe('');
  expect(pickedOfInstant('')).toBe('');
});

it('converts a picked time to an instant, even without seconds', () => {
  expect(instantOfPicked('2026-01-31T10:00:05')).toBe('2026-01-31T10:00:05Z');
  expect(instantOfPicked('2026-01-31T10:00')).toBe('2026-01-31T10:00:00Z');
  expect(instantOfPicked('')).toBe('');
});

/** A process that npm has left behind is told so. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { orphaned } from './orphan.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('resolves once when the parent changes, and stops polling', async () => {
  const parentId = vi.fn(() => 7);
  const told = vi.fn();
  void orphaned(parentId).then(told);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).not.toHaveBeenCalled();
  parentId.mockReturnValue(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toHaveBeenCalledOnce();
  const looks = parentId.mock.calls.length;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(parentId.mock.calls.length).toBe(looks);
});

/** Detecting that the parent process has ended. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { orphaned } from './orphan.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('resolves when the parent changes, and then stops polling', async () => {
  const parentId = vi.fn(() => 7);
  const notified = vi.fn();
  void orphaned(parentId).then(notified);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(notified).not.toHaveBeenCalled();
  parentId.mockReturnValue(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(notified).toHaveBeenCalledOnce();
  const looks = parentId.mock.calls.length;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(parentId.mock.calls.length).toBe(looks);
});

/** Two stop signals at once still let running requests finish, and so does the end of the parent process. */

import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { orphaned, stopSignal } from './stop-signals.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it.each(['SIGTERM', 'SIGINT'])(
  'stops once for %s, ignores an immediate repetition, and then restores the default effect',
  async (signal) => {
    const signals = new EventEmitter();
    const stopped = stopSignal(signals);
    // Node passes the name of the signal to its listeners.
    expect(signals.emit(signal, signal)).toBe(true);
    expect(await stopped).toBe(signal);
    await vi.advanceTimersByTimeAsync(100);
    expect([signals.emit(signal), signals.emit('SIGTERM')]).toEqual([true, true]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(['SIGTERM', 'SIGINT'].map((each) => signals.listenerCount(each))).toEqual([0, 0]);
  },
);

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

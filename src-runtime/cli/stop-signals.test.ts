/** Two stop signals at once still let running requests finish. */

import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stopSignal } from './stop-signals.js';

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
    expect(signals.emit(signal)).toBe(true);
    await stopped;
    await vi.advanceTimersByTimeAsync(100);
    expect([signals.emit(signal), signals.emit('SIGTERM')]).toEqual([true, true]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(['SIGTERM', 'SIGINT'].map((each) => signals.listenerCount(each))).toEqual([0, 0]);
  },
);

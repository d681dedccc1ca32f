/** A request gives up at its deadline and when its client disconnects, and lets others have a turn every 20 ms. */

import { describe, expect, it } from 'vitest';
import { DeadlineExceeded, RequestCancelled } from '../../base/ports.js';
import { createBudget, createPacer } from './pacer.js';
import { createTimeSlices, SLICE_MS } from './time-slices.js';

/** Slices of a clock that a test sets, after each of which the event loop polls at once. */
function fakeSlices() {
  const clock = { time: 100 };
  return { clock, slices: createTimeSlices(() => clock.time, queueMicrotask) };
}

describe('a pacer', () => {
  it('lets short work go on without a pause', () => {
    const { clock, slices } = fakeSlices();
    const pacer = createPacer(1000, { slices });
    expect(pacer.poll()).toBeUndefined();
    clock.time += SLICE_MS - 1;
    expect(pacer.poll()).toBeUndefined();
  });

  it('pauses once a slice is used up, and the next slice is as long again', async () => {
    const { clock, slices } = fakeSlices();
    const pacer = createPacer(1000, { slices });
    expect(pacer.poll()).toBeUndefined();
    clock.time += SLICE_MS;
    await pacer.poll();
    clock.time += SLICE_MS - 1;
    expect(pacer.poll()).toBeUndefined();
  });

  it('gives up past the budget and says how long that was', () => {
    const { clock, slices } = fakeSlices();
    const pacer = createPacer(50, { slices });
    clock.time += 51;
    expect(() => pacer.poll()).toThrow(new DeadlineExceeded(50));
  });

  it('stops at the next poll once its client is gone, in a half of its time too', () => {
    let isGone = false;
    const pacer = createPacer(1000, { isCancelled: () => isGone });
    const half = pacer.half?.();
    expect(pacer.poll()).toBeUndefined();
    isGone = true;
    expect(() => pacer.poll()).toThrow(RequestCancelled);
    expect(() => half?.poll()).toThrow(RequestCancelled);
  });
});

describe('a budget', () => {
  it('is given out in parts: a half leaves as much for the next, and the rest is what is left', () => {
    const { clock, slices } = fakeSlices();
    const budget = createBudget(1000, () => false, slices);
    const half = budget.half();
    expect(budget.isAmple()).toBe(true);
    clock.time += 501;
    expect(() => half.poll()).toThrow(new DeadlineExceeded(500));
    expect(budget.isAmple()).toBe(false);
    const rest = budget.rest();
    clock.time += 500;
    expect(() => rest.poll()).toThrow(new DeadlineExceeded(499));
  });

  it('is over once its client is gone', () => {
    let gone = false;
    const budget = createBudget(1000, () => gone, fakeSlices().slices);
    const rest = budget.rest();
    expect(rest.poll()).toBeUndefined();
    gone = true;
    expect(() => rest.poll()).toThrow(RequestCancelled);
    expect(budget.isAmple()).toBe(false);
  });
});

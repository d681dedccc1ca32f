/** A request ends at its deadline or when its client disconnects, and pauses after a time slice of 20 ms. */

import { describe, expect, it } from 'vitest';
import { DeadlineExceeded, RequestCancelled } from '../../base/ports.js';
import { createDeadline, createTimeBudget } from './deadline.js';
import { createTimeSlices, SLICE_MS } from './time-slices.js';

/** Slices of a clock that a test sets, after each of which the event loop polls at once. */
function fakeSlices() {
  const clock = { time: 100 };
  return { clock, slices: createTimeSlices(() => clock.time, queueMicrotask) };
}

describe('the deadline of a request', () => {
  it('lets short work go on without a pause', () => {
    const { clock, slices } = fakeSlices();
    const deadline = createDeadline(1000, { slices });
    expect(deadline.checkpoint()).toBeUndefined();
    clock.time += SLICE_MS - 1;
    expect(deadline.checkpoint()).toBeUndefined();
  });

  it('pauses once a slice is used up, and the next slice is as long again', async () => {
    const { clock, slices } = fakeSlices();
    const deadline = createDeadline(1000, { slices });
    expect(deadline.checkpoint()).toBeUndefined();
    clock.time += SLICE_MS;
    await deadline.checkpoint();
    clock.time += SLICE_MS - 1;
    expect(deadline.checkpoint()).toBeUndefined();
  });

  it('gives up past the budget and says how long that was', () => {
    const { clock, slices } = fakeSlices();
    const deadline = createDeadline(50, { slices });
    clock.time += 51;
    expect(() => deadline.checkpoint()).toThrow(new DeadlineExceeded(50));
  });

  it('stops at the next checkpoint once its client is gone, in a half of its time too', () => {
    let isGone = false;
    const deadline = createDeadline(1000, { isCancelled: () => isGone });
    const half = deadline.half?.();
    expect(deadline.checkpoint()).toBeUndefined();
    isGone = true;
    expect(() => deadline.checkpoint()).toThrow(RequestCancelled);
    expect(() => half?.checkpoint()).toThrow(RequestCancelled);
  });
});

describe('a budget', () => {
  it('is given out in parts: a half leaves as much for the next, and the rest is what is left', () => {
    const { clock, slices } = fakeSlices();
    const budget = createTimeBudget(1000, () => false, slices);
    const half = budget.half();
    expect(budget.isAmple()).toBe(true);
    clock.time += 501;
    expect(() => half.checkpoint()).toThrow(new DeadlineExceeded(500));
    expect(budget.isAmple()).toBe(false);
    const rest = budget.rest();
    clock.time += 500;
    expect(() => rest.checkpoint()).toThrow(new DeadlineExceeded(499));
  });

  it('is over once its client is gone', () => {
    let gone = false;
    const budget = createTimeBudget(1000, () => gone, fakeSlices().slices);
    const rest = budget.rest();
    expect(rest.checkpoint()).toBeUndefined();
    gone = true;
    expect(() => rest.checkpoint()).toThrow(RequestCancelled);
    expect(budget.isAmple()).toBe(false);
  });
});

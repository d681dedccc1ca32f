/** A request ends at its deadline or when its client disconnects, and pauses after a time slice of 20 ms. */

import { describe, expect, it } from 'vitest';
import { DeadlineExceeded, RequestCancelled } from '../../base/ports.js';
import { createDeadline, createTimeBudget } from './deadline.js';
import { createTimeSlices, SLICE_MS } from './time-slices.js';

/** Time slices over a clock that the test sets. The event loop polls immediately after each. */
function fakeSlices() {
  const clock = { time: 100 };
  return { clock, slices: createTimeSlices(() => clock.time, queueMicrotask) };
}

describe('the deadline of a request', () => {
  it('does not pause short work', () => {
    const { clock, slices } = fakeSlices();
    const deadline = createDeadline(1000, { slices });
    expect(deadline.checkpoint()).toBeUndefined();
    clock.time += SLICE_MS - 1;
    expect(deadline.checkpoint()).toBeUndefined();
  });

  it('pauses when a slice is used up, and then starts a full slice', async () => {
    const { clock, slices } = fakeSlices();
    const deadline = createDeadline(1000, { slices });
    expect(deadline.checkpoint()).toBeUndefined();
    clock.time += SLICE_MS;
    await deadline.checkpoint();
    clock.time += SLICE_MS - 1;
    expect(deadline.checkpoint()).toBeUndefined();
  });

  it('throws DeadlineExceeded with the budget once the budget is over', () => {
    const { clock, slices } = fakeSlices();
    const deadline = createDeadline(50, { slices });
    clock.time += 51;
    expect(() => deadline.checkpoint()).toThrow(new DeadlineExceeded(50));
  });

  it('starts again for the next part of a stream', () => {
    const { clock, slices } = fakeSlices();
    const deadline = createDeadline(50, { slices });
    clock.time += 40;
    deadline.renew();
    clock.time += 40;
    expect(() => deadline.checkpoint()).not.toThrow();
    clock.time += 11;
    expect(() => deadline.checkpoint()).toThrow(new DeadlineExceeded(50));
  });

  it('cancels at the next checkpoint once the client has disconnected, also within half of its time', () => {
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
  it('is shared out: a half keeps the other half for later work, and the rest is all the time left', () => {
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

  it('is over once the client has disconnected', () => {
    let gone = false;
    const budget = createTimeBudget(1000, () => gone, fakeSlices().slices);
    const rest = budget.rest();
    expect(rest.checkpoint()).toBeUndefined();
    gone = true;
    expect(() => rest.checkpoint()).toThrow(RequestCancelled);
    expect(budget.isAmple()).toBe(false);
  });
});

/** A request gives up at its deadline, and lets others have a turn every 20 ms. */

import { describe, expect, it } from 'vitest';
import { DeadlineExceeded } from '../base/ports.js';
import { createBudget, createPacer, TURN_MS } from './pacer.js';

function fakeTiming() {
  const timing = { time: 100, turns: 0, now: () => timing.time, turn: async () => void timing.turns++ };
  return timing;
}

describe('a pacer', () => {
  it('lets short work go on without a pause', () => {
    const timing = fakeTiming();
    const pacer = createPacer(1000, timing);
    timing.time += TURN_MS - 1;
    expect(pacer.poll()).toBeUndefined();
    expect(timing.turns).toBe(0);
  });

  it('pauses once a turn is used up, and the next turn is as long again', async () => {
    const timing = fakeTiming();
    const pacer = createPacer(1000, timing);
    timing.time += TURN_MS;
    await pacer.poll();
    expect(timing.turns).toBe(1);
    timing.time += TURN_MS - 1;
    expect(pacer.poll()).toBeUndefined();
  });

  it('gives up past the budget and says how long that was', () => {
    const timing = fakeTiming();
    const pacer = createPacer(50, timing);
    timing.time += 51;
    expect(() => pacer.poll()).toThrow(new DeadlineExceeded(50));
  });
});

describe('a budget', () => {
  it('is given out in parts: a half leaves as much for the next, and the rest is what is left', () => {
    const timing = fakeTiming();
    const budget = createBudget(1000, () => false, timing);
    const half = budget.half();
    expect(budget.isAmple()).toBe(true);
    timing.time += 501;
    expect(() => half.poll()).toThrow(new DeadlineExceeded(500));
    expect(budget.isAmple()).toBe(false);
    const rest = budget.rest();
    timing.time += 500;
    expect(() => rest.poll()).toThrow(new DeadlineExceeded(499));
  });

  it('is over where nobody waits for the answer any more', () => {
    let gone = false;
    const budget = createBudget(1000, () => gone, fakeTiming());
    const rest = budget.rest();
    expect(rest.poll()).toBeUndefined();
    gone = true;
    expect(() => rest.poll()).toThrow(DeadlineExceeded);
    expect(budget.isAmple()).toBe(false);
  });
});

it('lets what came meanwhile be answered before the work goes on', async () => {
  const order: string[] = [];
  const pacer = createPacer(60_000, undefined, performance.now() - TURN_MS);
  const turn = pacer.poll()?.then(() => order.push('work'));
  // An answer that is gathered goes out like this.
  setImmediate(() => order.push('answer'));
  await turn;
  expect(order).toEqual(['answer', 'work']);
});

/** A request gives up at its deadline, and lets others have a turn every 20 ms. */

import { describe, expect, it } from 'vitest';
import { DeadlineExceeded } from '../base/ports.js';
import { createPacer, TURN_MS } from './pacer.js';

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

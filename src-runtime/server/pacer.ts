/** The budget of one request: when to give up, and when to let others have a turn. */

import { DeadlineExceeded, type Pacer } from '../base/ports.js';

/** Work goes on at most this long before the event loop gets a turn. */
export const TURN_MS = 20;

/** What time is made of; a test hands in its own. */
export interface Timing {
  /** Milliseconds that only ever grow. */
  now(): number;
  /** Resolves once everything that waits in the event loop had its turn. */
  turn(): Promise<void>;
}

const processTiming: Timing = {
  now: () => performance.now(),
  turn: () => new Promise((resolve) => setImmediate(resolve)),
};

/** The budget starts now. */
export function createPacer(budgetMs: number, timing: Timing = processTiming): Pacer {
  const deadline = timing.now() + budgetMs;
  let turnStarted = timing.now();
  return {
    poll() {
      const now = timing.now();
      if (now > deadline) throw new DeadlineExceeded(budgetMs);
      if (now - turnStarted < TURN_MS) return undefined;
      return timing.turn().then(() => {
        turnStarted = timing.now();
      });
    },
  };
}

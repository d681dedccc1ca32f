/** The budget of one request: when to give up, and when to let others have a turn. */

import { DeadlineExceeded, type Pacer, type WritePhase } from '../base/ports.js';
import type { WriteTimes } from './phases.js';

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
  // Answers that are ready go out in the first, behind which work would take the turn before them.
  turn: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
};

/** The time of one request, parts of which can be given to pieces of its work. It starts now. */
export interface Budget {
  /** What is left of the time. */
  rest(): Pacer;
  /** Half of what is left, so that one piece that never ends leaves time for those behind it. */
  half(): Pacer;
  /** Whether more than half of the time is left. */
  isAmple(): boolean;
}

/** `isGone` says that nobody waits for the answer any more: work ends as if its time were over. */
export function createBudget(budgetMs: number, isGone: () => boolean, timing: Timing = processTiming): Budget {
  const deadline = timing.now() + budgetMs;
  const leftMs = () => Math.max(0, Math.round(deadline - timing.now()));
  const pacer = (ms: number): Pacer => {
    const own = createPacer(ms, timing);
    return {
      poll() {
        if (isGone()) throw new DeadlineExceeded(ms);
        return own.poll();
      },
    };
  };
  return {
    rest: () => pacer(leftMs()),
    half: () => pacer(Math.ceil(leftMs() / 2)),
    isAmple: () => !isGone() && leftMs() > budgetMs / 2,
  };
}

/** The budget starts now, unless the work has begun before. */
export function createPacer(budgetMs: number, timing: Timing = processTiming, begunMs: number = timing.now()): Pacer {
  return new BudgetPacer(budgetMs, timing, begunMs);
}

/** Of a write, which tells what it is at. */
export function createWritePacer(budgetMs: number, times: WriteTimes): Pacer {
  return new BudgetPacer(budgetMs, processTiming, processTiming.now(), times);
}

/** Every request has one, and most end before it has been asked a few times. */
class BudgetPacer implements Pacer {
  private readonly budgetMs: number;
  private readonly timing: Timing;
  private readonly deadline: number;
  private turnStarted: number;
  private readonly times: WriteTimes | undefined;

  constructor(budgetMs: number, timing: Timing, begunMs: number, times?: WriteTimes) {
    this.times = times;
    this.budgetMs = budgetMs;
    this.timing = timing;
    this.deadline = begunMs + budgetMs;
    this.turnStarted = begunMs;
  }

  poll(): Promise<void> | undefined {
    const now = this.timing.now();
    if (now > this.deadline) throw new DeadlineExceeded(this.budgetMs);
    if (now - this.turnStarted < TURN_MS) return undefined;
    return this.timing.turn().then(() => {
      this.turnStarted = this.timing.now();
    });
  }

  enters(phase: WritePhase): void {
    this.times?.enters(phase, this.timing.now());
  }

  half(): Pacer {
    return createPacer(Math.max(0, this.deadline - this.timing.now()) / 2, this.timing);
  }
}

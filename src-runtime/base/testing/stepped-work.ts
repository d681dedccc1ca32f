/** Runs work step by step, so that a test can run other work between any two steps. */

import { type Deadline, DeadlineExceeded } from '../ports.js';

export class SteppedWork {
  isDone = false;
  private readonly work: (deadline: Deadline) => Promise<void>;
  private error: unknown;
  private isLate = false;
  /** Checkpoints that the work passes before it pauses. */
  private checkpointsLeft = 0;
  private hasBegun = false;
  /** Undefined while the work waits for something other than the test. */
  private resume: (() => void) | undefined;
  private stop: (() => void) | undefined;

  /** The work begins with the first `advance`. */
  constructor(work: (deadline: Deadline) => Promise<void>) {
    this.work = work;
  }

  /** Passes this many checkpoints and pauses at the next one, or at the end. Throws the error of the work. */
  async advance(checkpoints: number): Promise<void> {
    if (this.isDone) return;
    this.checkpointsLeft = checkpoints;
    const stopped = new Promise<void>((resolve) => {
      this.stop = resolve;
    });
    const { resume } = this;
    this.resume = undefined;
    if (this.hasBegun) resume?.();
    else void this.run();
    await stopped;
    if (this.error !== undefined) throw this.error;
  }

  async finish(): Promise<void> {
    await this.advance(Number.POSITIVE_INFINITY);
  }

  /** Exceeds the deadline at the next checkpoint; false if the work ends before it. */
  async expire(): Promise<boolean> {
    this.isLate = true;
    try {
      await this.advance(0);
      return false;
    } catch (error) {
      if (error instanceof DeadlineExceeded) return true;
      throw error;
    }
  }

  private async run(): Promise<void> {
    this.hasBegun = true;
    try {
      await this.work({ checkpoint: () => this.checkpoint() });
    } catch (error) {
      this.error = error;
    }
    this.isDone = true;
    this.stop?.();
  }

  private checkpoint(): Promise<void> | undefined {
    if (this.isLate) throw new DeadlineExceeded(0);
    if (this.checkpointsLeft > 0) {
      this.checkpointsLeft -= 1;
      return undefined;
    }
    return new Promise((resolve) => {
      this.resume = resolve;
      this.stop?.();
    });
  }
}

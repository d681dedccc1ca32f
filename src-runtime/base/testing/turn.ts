/** Work that goes on only when a test says so, and no further than it says: so that others come in between wherever it pauses. */

import { DeadlineExceeded, type Pacer } from '../ports.js';

export class Turn {
  /** Pauses wherever it is asked. */
  readonly pacer: Pacer = { poll: () => this.poll() };
  isDone = false;
  private readonly work: (pacer: Pacer) => Promise<void>;
  private error: unknown;
  private isLate = false;
  /** How often it may still be asked before it pauses. */
  private pollsLeft = 0;
  private hasBegun = false;
  /** Absent while it waits for something else than its turn. */
  private goOn: (() => void) | undefined;
  private stop: (() => void) | undefined;

  /** Begins with the first `take`. */
  constructor(work: (pacer: Pacer) => Promise<void>) {
    this.work = work;
  }

  /** Goes on until its pacer has been asked once more than so many times, or to the end. Throws what it fails with. */
  async take(polls: number): Promise<void> {
    if (this.isDone) return;
    this.pollsLeft = polls;
    const stopped = new Promise<void>((resolve) => {
      this.stop = resolve;
    });
    const { goOn } = this;
    this.goOn = undefined;
    if (this.hasBegun) goOn?.();
    else void this.run();
    await stopped;
    if (this.error !== undefined) throw this.error;
  }

  /** To the end. */
  async finish(): Promise<void> {
    await this.take(Number.POSITIVE_INFINITY);
  }

  /** Goes on and runs out of time where it asks next; false where it ends before. */
  async expire(): Promise<boolean> {
    this.isLate = true;
    try {
      await this.take(0);
      return false;
    } catch (error) {
      if (error instanceof DeadlineExceeded) return true;
      throw error;
    }
  }

  private async run(): Promise<void> {
    this.hasBegun = true;
    try {
      await this.work(this.pacer);
    } catch (error) {
      this.error = error;
    }
    this.isDone = true;
    this.stop?.();
  }

  private poll(): Promise<void> | undefined {
    if (this.isLate) throw new DeadlineExceeded(0);
    if (this.pollsLeft > 0) {
      this.pollsLeft -= 1;
      return undefined;
    }
    return new Promise((resolve) => {
      this.goOn = resolve;
      this.stop?.();
    });
  }
}

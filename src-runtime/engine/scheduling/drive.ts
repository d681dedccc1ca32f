/** Runs generators that yield between blocks of work, with a checkpoint after each block. */

import type { Deadline, MaybePromise } from '../../base/ports.js';

/**
 * Runs the work to its end. An error of the deadline leaves the generator where it paused. Returns a promise only if the
 * work had to pause: most work ends at once, and awaiting it would take longer than the work.
 */
export function drive<T>(work: Generator<void, T>, deadline: Deadline): MaybePromise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    const pause = deadline.checkpoint();
    if (pause !== undefined) return driveOn(work, deadline, pause);
  }
}

async function driveOn<T>(work: Generator<void, T>, deadline: Deadline, pause: Promise<void>): Promise<T> {
  await pause;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await deadline.checkpoint();
  }
}

/** Runs a generator that yields the promises it waits for. Returns a promise only if there is one to wait for. */
export function driveAsync<T>(work: Generator<Promise<void>, T>): MaybePromise<T> {
  const step = work.next();
  return step.done === true ? step.value : afterwards(work, step.value);
}

async function afterwards<T>(work: Generator<Promise<void>, T>, first: Promise<void>): Promise<T> {
  await first;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await step.value;
  }
}

/** Awaits a promise inside such a generator: `x instanceof Promise ? yield* awaited(x) : x`. */
export function* awaited<T>(promise: Promise<T>): Generator<Promise<void>, T> {
  const results: T[] = [];
  yield promise.then((value) => void results.push(value));
  return results[0] as T;
}

/**
 * Work that several requests wait for. Each of them drives it block by block under its own deadline, so that one that exceeds
 * its deadline fails alone, and none waits for another one's time slice.
 */
export class SharedWork<T> {
  private readonly work: Generator<void, T>;
  private drivers = 0;
  private outcome: { readonly value: T } | { readonly error: unknown } | undefined;

  constructor(work: Generator<void, T>) {
    this.work = work;
  }

  get isAbandoned(): boolean {
    return this.outcome === undefined && this.drivers === 0;
  }

  get isDone(): boolean {
    return this.outcome !== undefined;
  }

  /** Stops the work: all requests that wait for it fail with this error. */
  abandon(error: unknown): void {
    this.outcome ??= { error };
  }

  async result(deadline: Deadline): Promise<T> {
    this.drivers += 1;
    try {
      while (this.outcome === undefined) {
        this.step();
        if (this.outcome !== undefined) break;
        const pause = deadline.checkpoint();
        if (pause !== undefined) await pause;
      }
    } finally {
      this.drivers -= 1;
    }
    if ('error' in this.outcome) throw this.outcome.error;
    return this.outcome.value;
  }

  private step(): void {
    try {
      const step = this.work.next();
      if (step.done === true) this.outcome = { value: step.value };
    } catch (error) {
      this.outcome = { error };
    }
  }
}

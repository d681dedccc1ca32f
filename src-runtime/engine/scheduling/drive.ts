/** Runs work that yields between its blocks, asking the pacer each time. */

import type { Pacer, Soon } from '../../base/ports.js';

/**
 * Runs to the end. What the pacer throws leaves the work where it is. A promise comes back only where the work had to
 * pause: most of it is done in one go, and to await that would take longer than many a piece of it.
 */
export function drive<T>(work: Generator<void, T>, pacer: Pacer): Soon<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    const pause = pacer.poll();
    if (pause !== undefined) return driveOn(work, pacer, pause);
  }
}

async function driveOn<T>(work: Generator<void, T>, pacer: Pacer, pause: Promise<void>): Promise<T> {
  await pause;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await pacer.poll();
  }
}

/**
 * Work in steps of which some have to be waited for: it yields their promises. One comes back only where there was
 * something to wait for.
 */
export function atOnce<T>(work: Generator<Promise<void>, T>): Soon<T> {
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

/** What a promise brings, for such work: `x instanceof Promise ? yield* awaited(x) : x`. */
export function* awaited<T>(promise: Promise<T>): Generator<Promise<void>, T> {
  const came: T[] = [];
  yield promise.then((value) => void came.push(value));
  return came[0] as T;
}

/**
 * Work that several requests may want at once. Whoever waits for it drives it a block at a time under a pacer of its own, so
 * that one that runs out of time takes nobody with it, and nobody waits for a turn of somebody else.
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

  /** Goes no further: who waits for it gets this error. */
  abandon(error: unknown): void {
    this.outcome ??= { error };
  }

  async result(pacer: Pacer): Promise<T> {
    this.drivers += 1;
    try {
      while (this.outcome === undefined) {
        this.step();
        if (this.outcome !== undefined) break;
        const pause = pacer.poll();
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

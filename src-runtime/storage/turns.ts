/** Long work of the store a step at a time, so that the event loop has a turn in between. */

import { setImmediate } from 'node:timers/promises';

/** Steps go on at most this long before the event loop gets a turn. */
const TURN_MS = 10;

/** Gives each who asks a turn of the event loop of its own, in the order in which they ask. */
export class TurnQueue {
  #last: Promise<void> = Promise.resolve();

  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}

/** Runs to the end. What is done in one step is done before this returns; where there are more, others have a turn first. */
export async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  let step = work.next();
  while (step.done !== true) {
    await setImmediate();
    const begunMs = performance.now();
    do step = work.next();
    while (step.done !== true && performance.now() - begunMs < TURN_MS);
  }
  return step.value;
}

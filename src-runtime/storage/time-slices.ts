/** Runs long work of the store in time slices, so that the event loop runs in between. */

import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 10;

/** Runs the generator to its end. Work of a single step is done before this returns; longer work starts after the event loop has run. */
export async function inTimeSlices<T>(work: Generator<void, T>): Promise<T> {
  let step = work.next();
  while (step.done !== true) {
    await setImmediate();
    const startedMs = performance.now();
    do step = work.next();
    while (step.done !== true && performance.now() - startedMs < SLICE_MS);
  }
  return step.value;
}

/** Lets the event loop run between two steps that cannot be divided. */
export async function nextTurn(): Promise<void> {
  await setImmediate();
}

/** Runs long work of the store in time slices, so that the event loop runs in between. */

import type { MaybePromise } from '../base/ports.js';

const SLICE_MS = 10;

/** Runs the generator to its end. Returns a promise only if the work has several steps. The others run after the event loop has run. */
export function inTimeSlices<T>(work: Generator<void, T>): MaybePromise<T> {
  const step = work.next();
  return step.done === true ? step.value : laterSteps(work);
}

async function laterSteps<T>(work: Generator<void, T>): Promise<T> {
  let step: IteratorResult<void, T>;
  do {
    await nextTurn();
    const startedMs = performance.now();
    do step = work.next();
    while (step.done !== true && performance.now() - startedMs < SLICE_MS);
  } while (step.done !== true);
  return step.value;
}

/** Lets the event loop run between two steps that cannot be divided. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

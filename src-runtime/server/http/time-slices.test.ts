/** All work between two polls for I/O shares one slice, and waiting work resumes in order. */

import { expect, it } from 'vitest';
import { createTimeSlices, POLLS_MAX, processSlices, SLICE_MS } from './time-slices.js';

/** Time slices over a clock and an event loop that the test moves by hand. */
function startSlices() {
  const clock = { time: 100 };
  let deferred: (() => void)[] = [];
  const slices = createTimeSlices(
    () => clock.time,
    (callback) => deferred.push(callback),
  );
  /** One turn of the event loop: what was deferred before it runs, in order. */
  const turn = async () => {
    const callbacks = deferred;
    deferred = [];
    for (const callback of callbacks) {
      callback();
      for (let hops = 0; hops < 10; hops += 1) await Promise.resolve();
    }
  };
  return { clock, slices, turn };
}

it('shares one slice among the requests of one turn', async () => {
  const { clock, slices, turn } = startSlices();
  expect(slices.isOver(clock.time)).toBe(false);
  clock.time += SLICE_MS - 1;
  expect(slices.isOver(clock.time)).toBe(false);
  clock.time += 1;
  expect(slices.isOver(clock.time)).toBe(true);
  await turn();
  expect(slices.isOver(clock.time)).toBe(false);
});

it('resumes waiting work in order, one piece per round, and gives new requests a separate slice', async () => {
  const { clock, slices, turn } = startSlices();
  const resumed: string[] = [];
  const work = async (name: string) => {
    await slices.next();
    resumed.push(name);
    clock.time += SLICE_MS;
    await slices.next();
    resumed.push(`${name} again`);
  };
  for (const name of ['first', 'second', 'third']) void work(name);
  const counts: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    await turn();
    expect(slices.isOver(clock.time)).toBe(false);
    clock.time += SLICE_MS;
    expect(slices.isOver(clock.time)).toBe(true);
    await turn();
    counts.push(resumed.length);
  }
  expect(counts).toEqual([1, 2, 3, 4, 5, 6]);
  expect(resumed).toEqual(['first', 'second', 'third', 'first again', 'second again', 'third again']);
});

it('keeps polling while connections arrive, up to a limit, before it resumes work', async () => {
  const { slices, turn } = startSlices();
  let isResumed = false;
  void slices.next().then(() => {
    isResumed = true;
  });
  for (let polls = 1; polls < POLLS_MAX; polls += 1) {
    slices.noteConnection();
    await turn();
  }
  expect(isResumed).toBe(false);
  slices.noteConnection();
  await turn();
  await turn();
  expect(isResumed).toBe(true);
});

it('sends responses that are ready before it resumes work', async () => {
  const order: string[] = [];
  const work = processSlices.next().then(() => order.push('work'));
  setImmediate(() => order.push('response'));
  await work;
  expect(order).toEqual(['response', 'work']);
});

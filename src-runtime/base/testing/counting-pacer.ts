/** A pacer that counts how often it is asked and gives up after so many times, so that tests of deadlines need no clock. */

import { DeadlineExceeded, type Pacer } from '../ports.js';

export interface CountingPacer extends Pacer {
  readonly polls: number;
}

export function countingPacer(pollsMax = Number.POSITIVE_INFINITY): CountingPacer {
  let polls = 0;
  return {
    get polls() {
      return polls;
    },
    poll() {
      polls += 1;
      if (polls > pollsMax) throw new DeadlineExceeded(0);
      return undefined;
    },
  };
}

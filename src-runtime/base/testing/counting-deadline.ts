/** Counts checkpoints and is exceeded after a given number, so that tests of deadlines need no clock. */

import { type Deadline, DeadlineExceeded } from '../ports.js';

export interface CountingDeadline extends Deadline {
  readonly checkpoints: number;
}

export function countingDeadline(checkpointsMax = Number.POSITIVE_INFINITY): CountingDeadline {
  let checkpoints = 0;
  return {
    get checkpoints() {
      return checkpoints;
    },
    checkpoint() {
      checkpoints += 1;
      if (checkpoints > checkpointsMax) throw new DeadlineExceeded(0);
      return undefined;
    },
  };
}

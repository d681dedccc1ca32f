/** One writer at a time, in order of arrival. */

import { serialQueue } from '../../base/serial-queue.js';
import type { CommitLine } from './commit-line.js';

export interface WriterQueue {
  /** Runs `work` once all earlier work has ended, whether it succeeded or not; what that wrote may still be in the line. */
  next<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` once all earlier work has ended and the line is empty, as it stays meanwhile. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is queued or running, and nothing in the line. */
  idle(): Promise<void>;
}

export function createWriterQueue(line: CommitLine): WriterQueue {
  const run = serialQueue();
  return {
    next: (work) => run(() => line.write(work)),
    alone: (work) =>
      run(async () => {
        await line.empty();
        return work();
      }),
    idle: () => run(() => line.empty()),
  };
}

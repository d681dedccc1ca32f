/** One writer at a time, in order of arrival. */

export interface WriterQueue {
  /** Runs `work` once all earlier work has ended, whether it succeeded or not. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is queued or running. */
  idle(): Promise<void>;
}

export function createWriterQueue(): WriterQueue {
  let tail: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const result = tail.then(work);
      tail = result.catch(() => undefined);
      return result;
    },
    async idle() {
      await tail;
    },
  };
}

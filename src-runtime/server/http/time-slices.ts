/**
 * Shares the event loop among everything that is evaluated. Work that has used up a slice waits in one queue, first come, first
 * served. Each round polls for I/O, gives one slice to all requests that arrive meanwhile, and one to the work that has waited
 * longest. So 200 long requests delay a health check by a round or two, and not by 200 slices.
 */

/** Longest time that work runs before the event loop polls for I/O. A block of work that has begun still ends. */
export const SLICE_MS = 20;

/** Polls for I/O of one round. A poll that only accepts a connection takes a fraction of a millisecond. */
export const POLLS_MAX = 64;

export interface TimeSlices {
  /** Milliseconds that only ever grow. */
  now(): number;
  /** Whether the current slice is used up. Begins a slice if none has begun. */
  isOver(nowMs: number): boolean;
  /** Resolves with the beginning of a slice of the caller's own, after the event loop has polled for I/O. */
  next(): Promise<void>;
  /** To be called for each connection that is accepted. Node accepts one with each poll, so that more of them may wait. */
  noteConnection(): void;
}

/** `defer` runs a callback after the next poll for I/O, in the order in which callbacks are deferred. */
export function createTimeSlices(now: () => number, defer: (callback: () => void) => void): TimeSlices {
  const waiting: (() => void)[] = [];
  let startedMs: number | undefined;
  /** Whether a round is under way. Without one, nothing waits. */
  let isRound = false;
  let hasAccepted = false;

  const beginRound = (): void => {
    isRound = true;
    let polls = 0;
    // Responses that are ready go out before work is resumed, and no connection waits for another round.
    const poll = (): void => {
      polls += 1;
      if (hasAccepted && polls < POLLS_MAX) defer(poll);
      else {
        defer(resumeNext);
        defer(endRound);
      }
      hasAccepted = false;
    };
    defer(poll);
  };
  const resumeNext = (): void => {
    startedMs = now();
    waiting.shift()?.();
  };
  /** Resumed work has run by then, until it waits again. */
  const endRound = (): void => {
    startedMs = undefined;
    isRound = false;
    if (waiting.length > 0) beginRound();
  };
  return {
    now,
    isOver(nowMs) {
      if (startedMs === undefined) {
        startedMs = nowMs;
        defer(() => {
          if (!isRound) startedMs = undefined;
        });
      }
      return nowMs - startedMs >= SLICE_MS;
    },
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (!isRound) beginRound();
      }),
    noteConnection() {
      hasAccepted = true;
    },
  };
}

/** One for the process, as it has one event loop. */
export const processSlices: TimeSlices = createTimeSlices(
  () => performance.now(),
  (callback) => void setImmediate(callback),
);

/** What the pure core gets from its host: time, and deadlines with cooperative time slices. */

/** Reads the wall clock: milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/** For durations: milliseconds since some moment, in fractions as fine as the host can tell them, never set back. */
export interface Stopwatch {
  now(): number;
}

/** The time that work may take, used up in time slices between which the event loop runs. */
export interface Deadline {
  /**
   * Called between blocks of work. Returns a promise to await if the time slice is over, so that the event loop runs, and
   * undefined otherwise. Throws DeadlineExceeded after the deadline, and RequestCancelled once the client is gone.
   */
  checkpoint(): Promise<void> | undefined;
  /** A deadline after half of the time that is left, for work that must leave time for later work. */
  half?(): Deadline;
  /** Bytes that work may still take; 0 or less if the process is short of memory. Without it, memory is not limited. */
  memoryLeft?(): number;
}

/** A value, or a promise of it. Awaiting only the promises saves time where most values are available at once. */
export type MaybePromise<T> = T | Promise<T>;

/** `then` for a value that may be there at once. */
export function andThen<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** A request, or evaluation on its behalf, took longer than it may. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  readonly budgetMs: number;
  /** The rule that was being evaluated, if any. */
  readonly rule: string | undefined;
  /** The rule keeps a least or greatest value through recursion, which may get better without end. */
  readonly mayBeEndless: boolean;
  constructor(budgetMs: number, rule?: string, mayBeEndless = false) {
    super(`the work took longer than ${budgetMs} ms${rule === undefined ? '' : `, in the rule "${rule}"`}`);
    this.budgetMs = budgetMs;
    this.rule = rule;
    this.mayBeEndless = mayBeEndless;
  }
}

/**
 * The client closed its connection and reads no response. Code that catches DeadlineExceeded to return a partial result
 * must let this pass: a partial result is of no use.
 */
export class RequestCancelled extends Error {
  override readonly name = 'RequestCancelled';
  constructor() {
    super('the client closed the connection');
  }
}

/** For work that is known to be short: never pauses, never throws. */
export const noDeadline: Deadline = { checkpoint: () => undefined };

/** Ends after this many milliseconds, or with the given deadline if that is earlier. */
export function earlierDeadline(clock: Clock, budgetMs: number, deadline: Deadline): Deadline {
  const end = clock.now() + budgetMs;
  return {
    checkpoint() {
      if (clock.now() > end) throw new DeadlineExceeded(budgetMs);
      return deadline.checkpoint();
    },
    memoryLeft: () => deadline.memoryLeft?.() ?? Number.POSITIVE_INFINITY,
  };
}

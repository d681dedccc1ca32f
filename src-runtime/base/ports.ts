/** What the pure core is handed instead of reaching for it: time, and the right to go on. */

/** Reads the wall clock: milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/** For durations: milliseconds since some moment, in fractions as fine as the host can tell them, never set back. */
export interface Stopwatch {
  now(): number;
}

/**
 * Asked between blocks of work. Throws DeadlineExceeded once the budget is used up, and RequestCancelled once the client is
 * gone; returns a promise that must be awaited when the event loop is due a turn (every 20 ms), and undefined when work may
 * simply go on.
 */
export interface Pacer {
  poll(): Promise<void> | undefined;
  /** A pacer with half of the time that is left, for work that must leave time for what comes behind it. */
  half?(): Pacer;
}

/** What is there at once, or will be. Whoever asks for many such things awaits only those that are promises. */
export type Soon<T> = T | Promise<T>;

/** Goes on with what is there, now or when it has come. */
export function andThen<T, U>(soon: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return soon instanceof Promise ? soon.then(next) : next(soon);
}

/** The wall-clock budget of a request, or of the reasoner on its behalf, is used up. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  readonly budgetMs: number;
  /** The rule that was being evaluated, where it was one. */
  readonly rule: string | undefined;
  constructor(budgetMs: number, rule?: string) {
    super(`the work took longer than ${budgetMs} ms${rule === undefined ? '' : `, in the rule "${rule}"`}`);
    this.budgetMs = budgetMs;
    this.rule = rule;
  }
}

/**
 * The client closed its connection, so that nobody reads the response. Unlike at a deadline, no partial result is of use:
 * what catches DeadlineExceeded to answer with less lets this pass.
 */
export class RequestCancelled extends Error {
  override readonly name = 'RequestCancelled';
  constructor() {
    super('the client closed the connection');
  }
}

/** A pacer for work that is known to be short: never pauses, never gives up. */
export const unhurried: Pacer = { poll: () => undefined };

/** A pacer that gives up after so many milliseconds, or when the one does that it asks. */
export function noLongerThan(clock: Clock, budgetMs: number, pacer: Pacer): Pacer {
  const end = clock.now() + budgetMs;
  return {
    poll() {
      if (clock.now() > end) throw new DeadlineExceeded(budgetMs);
      return pacer.poll();
    },
  };
}

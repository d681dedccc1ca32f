/** The budget of one request: when to give up, and when to let others have a turn. */

import type { FastifyRequest } from 'fastify';
import { DeadlineExceeded, type Pacer, RequestCancelled } from '../../base/ports.js';
import { processSlices, type TimeSlices } from './time-slices.js';

/** The time of one request, parts of which can be given to pieces of its work. It starts now. */
export interface Budget {
  /** What is left of the time. */
  rest(): Pacer;
  /** Half of what is left, so that one piece that never ends leaves time for those behind it. */
  half(): Pacer;
  /** Whether more than half of the time is left. */
  isAmple(): boolean;
}

export function createBudget(budgetMs: number, isCancelled: () => boolean, slices: TimeSlices = processSlices): Budget {
  const deadline = slices.now() + budgetMs;
  const leftMs = () => Math.max(0, Math.round(deadline - slices.now()));
  const pacer = (ms: number): Pacer => createPacer(ms, { isCancelled, slices });
  return {
    rest: () => pacer(leftMs()),
    half: () => pacer(Math.ceil(leftMs() / 2)),
    isAmple: () => !isCancelled() && leftMs() > budgetMs / 2,
  };
}

/** Tells whether the client of the request is gone. */
export function cancellationOf({ raw: { socket } }: Pick<FastifyRequest, 'raw'>): () => boolean {
  return () => socket.destroyed;
}

export interface PacerOptions {
  /** When the work began, unless it begins now. */
  readonly begunMs?: number;
  /** Whether the client is gone. Work that belongs to no client is never cancelled. */
  readonly isCancelled?: () => boolean;
  readonly slices?: TimeSlices;
}

export function createPacer(budgetMs: number, options: PacerOptions = {}): Pacer {
  return new BudgetPacer(budgetMs, options);
}

/** Every request has one, and most end before it has been asked a few times. */
class BudgetPacer implements Pacer {
  private readonly budgetMs: number;
  private readonly options: PacerOptions;
  private readonly slices: TimeSlices;
  private readonly deadline: number;

  constructor(budgetMs: number, options: PacerOptions) {
    const { slices = processSlices, begunMs = slices.now() } = options;
    this.budgetMs = budgetMs;
    this.options = options;
    this.slices = slices;
    this.deadline = begunMs + budgetMs;
  }

  poll(): Promise<void> | undefined {
    const now = this.slices.now();
    if (this.options.isCancelled?.() === true) throw new RequestCancelled();
    if (now > this.deadline) throw new DeadlineExceeded(this.budgetMs);
    return this.slices.isOver(now) ? this.slices.next() : undefined;
  }

  half(): Pacer {
    const { isCancelled, slices } = this.options;
    return createPacer(Math.max(0, this.deadline - this.slices.now()) / 2, {
      ...(isCancelled && { isCancelled }),
      ...(slices && { slices }),
    });
  }
}

/** The deadline of one request, with time slices that all requests share. */

import type { FastifyRequest } from 'fastify';
import { type Deadline, DeadlineExceeded, RequestCancelled } from '../../base/ports.js';
import { processMemory } from './process-memory.js';
import { processSlices, type TimeSlices } from './time-slices.js';

/** The time of one request, shared out among pieces of its work. It starts now. */
export interface TimeBudget {
  /** A deadline after all the time that is left. */
  rest(): Deadline;
  /** A deadline after half of it, so that a piece that never ends leaves time for the next ones. */
  half(): Deadline;
  /** Whether more than half of the time is left. */
  isAmple(): boolean;
}

export function createTimeBudget(
  budgetMs: number,
  isCancelled: () => boolean,
  slices: TimeSlices = processSlices,
): TimeBudget {
  const endMs = slices.now() + budgetMs;
  const leftMs = () => Math.max(0, Math.round(endMs - slices.now()));
  const after = (ms: number): Deadline => createDeadline(ms, { isCancelled, slices });
  return {
    rest: () => after(leftMs()),
    half: () => after(Math.ceil(leftMs() / 2)),
    isAmple: () => !isCancelled() && leftMs() > budgetMs / 2,
  };
}

/** Whether the client of the request is gone. */
export function cancellationOf({ raw: { socket } }: Pick<FastifyRequest, 'raw'>): () => boolean {
  return () => socket.destroyed;
}

export interface DeadlineOptions {
  /** When the work began; now by default. */
  readonly begunMs?: number;
  /** Whether the client is gone. Work without a client is never cancelled. */
  readonly isCancelled?: () => boolean;
  readonly slices?: TimeSlices;
}

export function createDeadline(budgetMs: number, options: DeadlineOptions = {}): RequestDeadline {
  return new RequestDeadline(budgetMs, options);
}

/** A class, because every request makes one: closures would cost more than the few checkpoints of most. */
export class RequestDeadline implements Deadline {
  private readonly budgetMs: number;
  private readonly options: DeadlineOptions;
  private readonly slices: TimeSlices;
  private endMs: number;

  constructor(budgetMs: number, options: DeadlineOptions) {
    const { slices = processSlices, begunMs = slices.now() } = options;
    this.budgetMs = budgetMs;
    this.options = options;
    this.slices = slices;
    this.endMs = begunMs + budgetMs;
  }

  checkpoint(): Promise<void> | undefined {
    const now = this.slices.now();
    if (this.options.isCancelled?.() === true) throw new RequestCancelled();
    if (now > this.endMs) throw new DeadlineExceeded(this.budgetMs);
    return this.slices.isOver(now) ? this.slices.next() : undefined;
  }

  memoryLeft(): number {
    return processMemory.left();
  }

  /** Starts the time again. */
  renew(): void {
    this.endMs = this.slices.now() + this.budgetMs;
  }

  half(): Deadline {
    const { isCancelled, slices } = this.options;
    return createDeadline(Math.max(0, this.endMs - this.slices.now()) / 2, {
      ...(isCancelled && { isCancelled }),
      ...(slices && { slices }),
    });
  }
}

/**
 * Transactions of a scope on their way to disk, in the order of their writing. The next one is written while those before it
 * are synced, and goes on from them; those that wait meanwhile share the next sync. Nobody but the next writer sees them
 * before they are durable; where the disk refuses one, all that come behind it are undone with it.
 */

import type { StoredTransaction } from '../../storage/event-store.js';

/** A transaction that is written. What it is numbered with, the next one goes on from. */
export interface Prepared extends Numbers {
  readonly stored: StoredTransaction;
  /** Makes it part of the committed state, those before it being part of it. */
  commit(): void;
  /** Undoes it, those behind it being undone. */
  rollback(): void;
}

/** The last numbers given, and the next individual's. */
export interface Numbers {
  readonly nextIndividual: number;
  readonly lastTransaction: number;
  readonly lastSeq: number;
}

/** Makes transactions durable, all of them or none. */
export type Append = (transactions: readonly StoredTransaction[]) => Promise<void>;

/** Events that share a sync, about; a single transaction may have more. */
const EVENTS_MAX = 20_000;

/** Transactions after which the next writer waits for the disk, so that what only the past needed can be let go of. */
const UNBROKEN_MAX = 256;

interface Waiting {
  readonly prepared: Prepared;
  readonly durable: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class CommitLine {
  /** The oldest first. */
  #waiting: Waiting[] = [];
  #isSyncing = false;
  #isWriting = false;
  /** Why those that wait have failed, until they are undone. */
  #failure: { readonly error: unknown } | undefined;
  /** Transactions since the line was empty. */
  #unbroken = 0;

  /** What the next transaction goes on from, where that is not the committed state. */
  get last(): Numbers | undefined {
    return this.#waiting.at(-1)?.prepared;
  }

  /** Resolves once everything in the line is durable; rejects where the disk refuses it. */
  durable(): Promise<void> {
    return this.#waiting.at(-1)?.durable ?? Promise.resolve();
  }

  /** Resolves once nothing is in the line any more, whether it is durable or undone. While nobody writes. */
  async empty(): Promise<void> {
    while (this.#waiting.length > 0) await this.durable().catch(() => undefined);
  }

  /** Runs the writer: what is in the line is not undone before it has ended, as it may go on from that. One at a time. */
  async write<T>(work: () => Promise<T>): Promise<T> {
    if (this.#unbroken >= UNBROKEN_MAX) await this.empty();
    this.#isWriting = true;
    try {
      return await work();
    } finally {
      this.#isWriting = false;
      this.#undoFailed();
    }
  }

  /** Adds what the writer has written. Resolves once it is durable and committed; rejects where the disk refuses it. */
  add(prepared: Prepared, append: Append): Promise<void> {
    const waiting = { prepared, ...settlement() };
    this.#waiting.push(waiting);
    this.#unbroken += 1;
    if (this.#failure !== undefined) waiting.reject(this.#failure.error);
    else if (!this.#isSyncing) void this.#sync(append);
    return waiting.durable;
  }

  async #sync(append: Append): Promise<void> {
    this.#isSyncing = true;
    while (this.#waiting.length > 0 && this.#failure === undefined) {
      const group = this.#takeGroup();
      try {
        await append(group.map(({ prepared }) => prepared.stored));
        for (const { prepared } of group) prepared.commit();
      } catch (error) {
        this.#fail(error);
        break;
      }
      this.#waiting.splice(0, group.length);
      if (this.#waiting.length === 0) this.#unbroken = 0;
      for (const { resolve } of group) resolve();
    }
    this.#isSyncing = false;
  }

  #takeGroup(): readonly Waiting[] {
    let events = 0;
    const past = this.#waiting.findIndex(({ prepared }) => {
      events += prepared.stored.events.length;
      return events > EVENTS_MAX;
    });
    return this.#waiting.slice(0, past === -1 ? this.#waiting.length : Math.max(past, 1));
  }

  #fail(error: unknown): void {
    this.#failure = { error };
    for (const { reject } of this.#waiting) reject(error);
    this.#undoFailed();
  }

  #undoFailed(): void {
    if (this.#failure === undefined || this.#isWriting) return;
    for (const { prepared } of this.#waiting.reverse()) prepared.rollback();
    this.#waiting = [];
    this.#unbroken = 0;
    this.#failure = undefined;
  }
}

function settlement(): Pick<Waiting, 'durable' | 'resolve' | 'reject'> {
  let resolve = (): void => {};
  let reject = (_error: unknown): void => {};
  const durable = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  // Whoever waits for it is told; where nobody does any more, nothing is amiss.
  durable.catch(() => undefined);
  return { durable, resolve, reject };
}

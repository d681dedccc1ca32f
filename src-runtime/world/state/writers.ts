/**
 * The writers of one scope and its pending transactions: those that are written and not yet durable.
 *
 * Writers run one at a time, in order of arrival. Each builds on the pending transactions, which readers do not see. The store makes
 * them durable in order, several with one sync (`storage/commit-queue.ts`). If it refuses one, that transaction and all later ones
 * are rolled back, newest first, and their numbers are reused.
 */

import { serialQueue } from '../../base/serial-queue.js';
import type { Outcome, WrittenTransaction } from '../../storage/event-store.js';

/** A transaction that is written. The next one follows its numbers. */
export interface Prepared extends Numbers {
  readonly stored: WrittenTransaction;
  readonly outcome?: Outcome | undefined;
  /** Makes it part of the committed state. Called in the order of writing. */
  commit(): void;
  /** Called in reverse order. */
  rollback(): void;
}

/** The last transaction and event, and the next individual. */
export interface Numbers {
  readonly nextIndividual: number;
  readonly lastTransaction: number;
  readonly lastSeq: number;
}

/** After this many transactions in a row the next writer waits until none is pending, so that old row versions can be dropped. */
const UNBROKEN_MAX = 256;

interface Pending {
  readonly prepared: Prepared;
  readonly durable: Promise<void>;
}

export class Writers {
  readonly #run = serialQueue();
  /** Oldest first. */
  #pending: Pending[] = [];
  #isWriting = false;
  /** The error of the oldest pending transaction, until all of them are rolled back. */
  #failure: { readonly error: unknown } | undefined;
  /** Transactions since none was pending. */
  #unbroken = 0;

  /** The numbers of the newest pending transaction; undefined if none is pending. */
  get last(): Numbers | undefined {
    return this.#pending.at(-1)?.prepared;
  }

  get pendingCount(): number {
    return this.#pending.length;
  }

  /** The outcome with this key of a pending transaction. */
  pendingOutcome(key: string): Outcome | undefined {
    return this.#pending.find(({ prepared }) => prepared.outcome?.key === key)?.prepared.outcome;
  }

  /** Resolves once all pending transactions are durable. Rejects if the store refuses one. */
  durable(): Promise<void> {
    return this.#pending.at(-1)?.durable ?? Promise.resolve();
  }

  /** Runs `work` once earlier work has ended. What that wrote may be pending. */
  next<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(async () => {
      if (this.#unbroken >= UNBROKEN_MAX) await this.#drain();
      this.#isWriting = true;
      try {
        return await work();
      } finally {
        this.#isWriting = false;
        this.#rollBackFailed();
      }
    });
  }

  /** Runs `work` once earlier work has ended and nothing is pending. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(async () => {
      await this.#drain();
      return work();
    });
  }

  /** Resolves once nothing runs, waits or is pending. */
  idle(): Promise<void> {
    return this.#run(() => this.#drain());
  }

  /** Hands a transaction of the running writer to the store. Resolves once it is committed. Rejects if the store refuses it. */
  add(prepared: Prepared, append: (transaction: WrittenTransaction) => Promise<void>): Promise<void> {
    const durable =
      this.#failure === undefined
        ? this.#commit(prepared, this.#pending.at(-1)?.durable, append(prepared.stored))
        : Promise.reject(this.#failure.error);
    // The writer awaits it. Without a handler, a rejection before then would end the process.
    durable.catch(() => undefined);
    this.#pending.push({ prepared, durable });
    this.#unbroken += 1;
    return durable;
  }

  async #commit(prepared: Prepared, earlier: Promise<void> | undefined, appended: Promise<void>): Promise<void> {
    if (earlier !== undefined) {
      appended.catch(() => undefined);
      // If an earlier transaction fails, this one is rolled back with it.
      await earlier;
    }
    try {
      await appended;
      prepared.commit();
    } catch (error) {
      this.#failure = { error };
      this.#rollBackFailed();
      throw error;
    }
    this.#pending.shift();
    if (this.#pending.length === 0) this.#unbroken = 0;
  }

  async #drain(): Promise<void> {
    while (this.#pending.length > 0) await this.durable().catch(() => undefined);
  }

  /** Waits for the running writer, which builds on the pending transactions. */
  #rollBackFailed(): void {
    if (this.#failure === undefined || this.#isWriting) return;
    for (const { prepared } of this.#pending.reverse()) prepared.rollback();
    this.#pending = [];
    this.#unbroken = 0;
    this.#failure = undefined;
  }
}

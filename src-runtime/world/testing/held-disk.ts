/** A store whose writes stop before the disk, each until the test lets it through or has the disk refuse it. */

import { setImmediate } from 'node:timers/promises';
import { type EventStore, StorageError } from '../../storage/event-store.js';
import { openMemoryStore } from '../../storage/index.js';

export interface HeldDisk {
  readonly store: EventStore;
  /** What is durable. */
  readonly kept: EventStore;
  /** Writes that are stopped now. */
  readonly stopped: number;
  /** Answers the oldest of them, and resolves once everything that hangs on it has happened. */
  answer(how: 'keep' | 'refuse'): Promise<void>;
  /** Lets everything happen that waits for no disk. */
  settle(): Promise<void>;
  /** From now on nothing is stopped. */
  open(): Promise<void>;
}

const WRITES: readonly PropertyKey[] = ['append', 'createFork', 'closeFork', 'recordSchema', 'adoptSchema'];

/** Stops nothing until it is told to, so that a world can be prepared. */
export async function holdDisk(): Promise<HeldDisk & { hold(): void }> {
  const kept = await openMemoryStore();
  const stopped: ((how: 'keep' | 'refuse') => void)[] = [];
  let holds = false;
  const stop = async () => {
    if (!holds) return;
    const how = await new Promise<'keep' | 'refuse'>((answer) => stopped.push(answer));
    if (how === 'refuse') throw new StorageError('the disk is full', 'failed');
  };
  const store = new Proxy(kept, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (!WRITES.includes(name)) return member.bind(target);
      return async (...args: unknown[]) => {
        await stop();
        return member.apply(target, args);
      };
    },
  });
  const settle = async () => {
    // A write of the store in memory takes a few turns of its own.
    for (let turn = 0; turn < 5; turn++) await setImmediate();
  };
  const answer = async (how: 'keep' | 'refuse') => {
    stopped.shift()?.(how);
    await settle();
  };
  return {
    ...{ store, kept, answer, settle },
    get stopped() {
      return stopped.length;
    },
    hold() {
      holds = true;
    },
    async open() {
      holds = false;
      while (stopped.length > 0) await answer('keep');
    },
  };
}

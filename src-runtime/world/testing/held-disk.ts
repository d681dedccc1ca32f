/** A store that stops each write before the disk, until the test lets it continue or makes the disk refuse it. */

import { setImmediate } from 'node:timers/promises';
import { type EventStore, StorageError } from '../../storage/event-store.js';
import { openMemoryStore } from '../../storage/index.js';

export interface HeldDisk {
  readonly store: EventStore;
  /** The durable content. */
  readonly kept: EventStore;
  /** How many writes are stopped now. */
  readonly stopped: number;
  /** Continues or refuses the oldest write. Resolves once all of its consequences have happened. */
  answer(how: 'keep' | 'refuse'): Promise<void>;
  /** Lets everything finish that does not wait for the disk. */
  settle(): Promise<void>;
  /** Stops no further writes. */
  open(): Promise<void>;
}

const WRITES: readonly PropertyKey[] = ['append', 'createFork', 'closeFork', 'recordSchema', 'adoptSchema'];

/** Stops nothing until `hold` is called, so that a test can prepare its world. */
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
    // A write of the store in memory takes a few rounds of the event loop.
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

import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { WrittenTransaction } from '../../storage/event-store.js';
import { Writers } from './writers.js';

/** Writers, a log of what happens, and a store that settles each append when a test says so. */
function newWriters() {
  const writers = new Writers();
  const log: string[] = [];
  const appends: { readonly succeed: () => void; readonly fail: (error: Error) => void }[] = [];
  const append = ({ txn }: WrittenTransaction) => {
    log.push(`append ${txn}`);
    return new Promise<void>((succeed, fail) => {
      appends.push({ succeed, fail });
    });
  };
  const add = (txn: number) => {
    const stored: WrittenTransaction = {
      fork: 'main',
      txn,
      at: '',
      cause: { kind: 'adhoc' },
      principal: null,
      events: [],
    };
    const durable = writers.add(
      {
        ...{ stored, nextIndividual: 1, lastTransaction: txn, lastSeq: txn },
        commit: () => log.push(`commit ${txn}`),
        rollback: () => log.push(`rollback ${txn}`),
      },
      append,
    );
    durable.then(
      () => log.push(`durable ${txn}`),
      ({ message }: Error) => log.push(`failed ${txn}: ${message}`),
    );
    return durable.catch(() => undefined);
  };
  /** The log since the last call. */
  const news = () => log.splice(0).join(', ');
  return { writers, add, appends, news, log };
}

describe('pending transactions', () => {
  it('go to the store at once, and commit in order whichever append ends first', async () => {
    const { writers, add, appends, news } = newWriters();
    const all = [add(1), add(2), add(3)];
    expect(writers.last?.lastTransaction).toBe(3);
    expect(news()).toBe('append 1, append 2, append 3');
    appends[1]?.succeed();
    await setImmediate();
    expect(news()).toBe('');
    appends[0]?.succeed();
    await all[1];
    expect(news()).toBe('commit 1, durable 1, commit 2, durable 2');
    appends[2]?.succeed();
    await writers.idle();
    expect(news()).toBe('commit 3, durable 3');
    expect(writers.last).toBeUndefined();
  });

  it('are rolled back, newest first, if the store refuses the oldest, and their numbers are reused', async () => {
    const { writers, add, appends, news } = newWriters();
    const all = [add(1), add(2), add(3)];
    appends[1]?.fail(new Error('does not follow'));
    appends[0]?.fail(new Error('full'));
    await Promise.all(all);
    expect(news()).toBe(
      'append 1, append 2, append 3, rollback 3, rollback 2, rollback 1, failed 1: full, failed 2: full, failed 3: full',
    );
    expect(writers.last).toBeUndefined();
    const next = add(1);
    appends[3]?.succeed();
    await next;
    expect(news()).toBe('append 1, commit 1, durable 1');
  });

  it('wait for the running writer before they are rolled back, and its transaction fails with them', async () => {
    const { writers, add, appends, news, log } = newWriters();
    const first = add(1);
    let added: Promise<unknown> = Promise.resolve();
    const writer = writers.next(async () => {
      appends[0]?.fail(new Error('full'));
      await first;
      log.push('writer continues');
      added = add(2);
      await expect(writers.durable()).rejects.toThrow('full');
    });
    const alone = writers.alone(async () => log.push('alone'));
    await Promise.all([writer, alone, added]);
    expect(news()).toBe('append 1, failed 1: full, writer continues, failed 2: full, rollback 2, rollback 1, alone');
  });
});

describe('writers', () => {
  it('run one at a time, in order of arrival, also after one that fails', async () => {
    const { writers, log, news } = newWriters();
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const first = writers.next(async () => {
      log.push('first starts');
      await gate;
      log.push('first ends');
    });
    const second = writers.alone(async () => {
      log.push('second');
      throw new Error('refused');
    });
    const third = writers.next(async () => log.push('third'));
    open();
    await first;
    await expect(second).rejects.toThrow('refused');
    await third;
    await writers.idle();
    expect(news()).toBe('first starts, first ends, second, third');
  });

  it('that run alone wait until nothing is pending, and later writers wait for them', async () => {
    const { writers, add, appends, news, log } = newWriters();
    const first = writers.next(async () => void add(1));
    const alone = writers.alone(async () => log.push('alone'));
    const second = writers.next(async () => void add(2));
    await first;
    expect(news()).toBe('append 1');
    appends[0]?.succeed();
    await Promise.all([alone, second]);
    expect(news()).toBe('commit 1, durable 1, alone, append 2');
    appends[1]?.succeed();
    await writers.idle();
    expect(news()).toBe('commit 2, durable 2');
  });

  it('wait until nothing is pending after 256 transactions in a row', async () => {
    const { writers, add, appends } = newWriters();
    let started = 0;
    const all = Array.from({ length: 600 }, (_, index) =>
      writers.next(async () => {
        started += 1;
        void add(index);
      }),
    );
    for (const expected of [256, 512, 600]) {
      await setImmediate();
      expect(started).toBe(expected);
      for (const { succeed } of appends.splice(0)) succeed();
    }
    await Promise.all(all);
  });
});

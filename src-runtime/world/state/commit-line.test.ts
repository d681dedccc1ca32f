import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { StoredTransaction } from '../../storage/event-store.js';
import { CommitLine } from './commit-line.js';
import { createWriterQueue } from './writer-queue.js';

/** A line, what happens in it in order, and a disk that answers each append when it is told to. */
function newLine() {
  const line = new CommitLine();
  const queue = createWriterQueue(line);
  const log: string[] = [];
  const appends: { readonly succeed: () => void; readonly fail: (error: Error) => void }[] = [];
  const append = (group: readonly StoredTransaction[]) => {
    log.push(`append ${group.map(({ txn }) => txn).join(' ')}`);
    return new Promise<void>((succeed, fail) => {
      appends.push({ succeed, fail });
    });
  };
  const add = (txn: number, events = 1) => {
    const body = { kind: 'deleteFact', relation: 'r', tuple: [] } as const;
    const stored: StoredTransaction = {
      ...{ fork: 'main', txn, at: '', cause: { kind: 'adhoc' } as const, principal: null },
      events: Array.from({ length: events }, (_, index) => ({ ...body, seq: txn * events + index })),
    };
    const durable = line.add(
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
  /** What has been logged since it was last asked. */
  const news = () => log.splice(0).join(', ');
  return { line, queue, add, appends, news, log };
}

describe('the line to the disk', () => {
  it('gives what waits during a sync the next one together, and commits in order once that has ended', async () => {
    const { line, add, appends, news } = newLine();
    const all = [add(1), add(2), add(3)];
    expect(line.last?.lastTransaction).toBe(3);
    expect(news()).toBe('append 1');
    appends[0]?.succeed();
    await all[0];
    expect(news()).toBe('commit 1, append 2 3, durable 1');
    all.push(add(4));
    appends[1]?.succeed();
    await all[2];
    expect(news()).toBe('commit 2, commit 3, append 4, durable 2, durable 3');
    appends[2]?.succeed();
    await line.empty();
    expect(news()).toBe('commit 4, durable 4');
    expect(line.last).toBeUndefined();
  });

  it('undoes all that goes on from what the disk refused, the youngest first, and goes on anew', async () => {
    const { line, add, appends, news } = newLine();
    const all = [add(1), add(2), add(3)];
    appends[0]?.fail(new Error('full'));
    await Promise.all(all);
    expect(news()).toBe('append 1, rollback 3, rollback 2, rollback 1, failed 1: full, failed 2: full, failed 3: full');
    expect(line.last).toBeUndefined();
    const next = add(1);
    appends[1]?.succeed();
    await next;
    expect(news()).toBe('append 1, commit 1, durable 1');
  });

  it('undoes nothing below a writer that goes on from it, and fails what that adds', async () => {
    const { queue, line, add, appends, news, log } = newLine();
    const first = add(1);
    let added: Promise<unknown> = Promise.resolve();
    const writer = queue.next(async () => {
      appends[0]?.fail(new Error('full'));
      await first;
      log.push('writer goes on');
      added = add(2);
      await expect(line.durable()).rejects.toThrow('full');
    });
    const alone = queue.alone(async () => log.push('alone'));
    await Promise.all([writer, alone, added]);
    expect(news()).toBe('append 1, failed 1: full, writer goes on, failed 2: full, rollback 2, rollback 1, alone');
  });

  it('lets work that is to be alone wait for the disk, and writers behind it for that', async () => {
    const { queue, add, appends, news, log } = newLine();
    const first = queue.next(async () => void add(1));
    const alone = queue.alone(async () => log.push('alone'));
    const second = queue.next(async () => void add(2));
    await first;
    expect(news()).toBe('append 1');
    appends[0]?.succeed();
    await Promise.all([alone, second]);
    expect(news()).toBe('commit 1, durable 1, alone, append 2');
    appends[1]?.succeed();
    await queue.idle();
    expect(news()).toBe('commit 2, durable 2');
  });

  it('is emptied now and then, however many writers there are', async () => {
    const { queue, add, appends } = newLine();
    let begun = 0;
    const writers = Array.from({ length: 600 }, (_, index) =>
      queue.next(async () => {
        begun += 1;
        void add(index);
      }),
    );
    await setImmediate();
    expect(begun).toBe(256);
    appends[0]?.succeed();
    await setImmediate();
    expect(begun).toBe(256);
    appends[1]?.succeed();
    await setImmediate();
    expect(begun).toBe(512);
    for (const each of [2, 3, 4]) {
      appends[each]?.succeed();
      await setImmediate();
    }
    await Promise.all(writers);
  });

  it('has a large transaction share its sync with none', async () => {
    const { line, add, appends, news } = newLine();
    const all = [add(1), add(2), add(3, 20_000), add(4)];
    for (let answered = 0; answered < 4; answered++) {
      appends[answered]?.succeed();
      await all[answered];
    }
    await line.empty();
    expect(
      news()
        .split(', ')
        .filter((entry) => entry.startsWith('append')),
    ).toEqual(['append 1', 'append 2', 'append 3', 'append 4']);
  });
});

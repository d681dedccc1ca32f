import { expect, it } from 'vitest';
import { CommitLine } from './commit-line.js';
import { createWriterQueue } from './writer-queue.js';

it('runs writers one at a time, in order of arrival, also past one that fails', async () => {
  const queue = createWriterQueue(new CommitLine());
  const log: string[] = [];
  const gate = deferred();
  const first = queue.next(async () => {
    log.push('first begins');
    await gate.promise;
    log.push('first ends');
  });
  const second = queue.alone(async () => {
    log.push('second');
    throw new Error('refused');
  });
  const third = queue.next(async () => log.push('third'));
  gate.resolve();
  await first;
  await expect(second).rejects.toThrow('refused');
  await third;
  await queue.idle();
  expect(log).toEqual(['first begins', 'first ends', 'second', 'third']);
});

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Recovery when the page's process crashes or hangs. */

import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { MessageBoxOptions } from 'electron';
import { expect, it } from 'vitest';
import { type RecoverablePage, recoverPage } from './page-recovery.js';

/** `answers` are the labels of the buttons that the user chooses, the last one again and again; none keeps a question open. */
function recovered(...answers: readonly string[]) {
  const events = new EventEmitter();
  const done: string[] = [];
  const questions: string[] = [];
  let nowMs = 0;
  const page = Object.assign(events, {
    reload: () => done.push('reload'),
    forcefullyCrashRenderer: () => {
      done.push('crash');
      events.emit('render-process-gone', {}, { reason: 'crashed' });
    },
  });
  recoverPage(page as unknown as RecoverablePage, {
    ask: ({ message, buttons = [], cancelId = -1, signal }: MessageBoxOptions) => {
      questions.push(message);
      const answer = answers[Math.min(questions.length, answers.length) - 1];
      if (answer !== undefined) return Promise.resolve(buttons.indexOf(answer));
      return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(cancelId)));
    },
    openLogs: () => done.push('open logs'),
    quit: () => done.push('quit'),
    nowMs: () => nowMs,
  });
  return {
    done,
    questions,
    crash: async (atMs: number, reason = 'crashed') => {
      nowMs = atMs;
      events.emit('render-process-gone', {}, { reason });
      await setImmediate();
    },
    report: async (event: 'unresponsive' | 'responsive') => {
      events.emit(event);
      await setImmediate();
    },
  };
}

it('reloads a page that crashed, and asks when it crashes again within ten seconds', async () => {
  const { crash, done, questions } = recovered('Quit');
  await crash(0);
  await crash(20_000);
  expect([done, questions]).toEqual([['reload', 'reload'], []]);
  await crash(25_000);
  expect(done).toEqual(['reload', 'reload', 'quit']);
  expect(questions).toEqual(['The page stopped twice within ten seconds.']);
});

it('reloads after the second crash if the user wants it', async () => {
  const { crash, done } = recovered('Reload');
  await crash(0);
  await crash(1);
  expect(done).toEqual(['reload', 'reload']);
});

it('opens the logs after the second crash, and asks again', async () => {
  const { crash, done, questions } = recovered('Open Logs', 'Reload');
  await crash(0);
  await crash(1);
  expect([done, questions.length]).toEqual([['reload', 'open logs', 'reload'], 2]);
});

it('ignores a page that ended normally', async () => {
  const { crash, done, questions } = recovered('Reload');
  await crash(0, 'clean-exit');
  expect([done, questions]).toEqual([[], []]);
});

it('lets the user reload a page that hangs, also right after a crash', async () => {
  const { crash, report, done, questions } = recovered('Reload');
  await crash(0);
  await report('unresponsive');
  expect(done).toEqual(['reload', 'crash', 'reload']);
  expect(questions).toEqual(['The page does not respond.']);
});

it('lets the user wait for a page that hangs, and asks again the next time', async () => {
  const { report, done, questions } = recovered('Wait');
  await report('unresponsive');
  await report('unresponsive');
  expect([done, questions.length]).toEqual([[], 2]);
});

it('closes the question when the page responds again', async () => {
  const { report, done, questions } = recovered();
  await report('unresponsive');
  await report('unresponsive');
  expect(questions).toHaveLength(1);
  await report('responsive');
  await report('unresponsive');
  expect([done, questions.length]).toEqual([[], 2]);
});

/** Files that a user opens in the system reach the application, whichever way the system hands them over. */

import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type FileMessages, givenFiles } from './given-files.js';

function application(...args: string[]) {
  const messages = new EventEmitter();
  const given = givenFiles(messages as unknown as FileMessages, args, '/here');
  const opened: (readonly string[])[] = [];
  return { messages, given, opened, open: (files: readonly string[]) => opened.push(files) };
}

test('modules, artifacts and repro bundles among the arguments of a start are taken once, as absolute paths', () => {
  const { given } = application(
    '/app',
    '--flag=x.entail',
    'lease.entail',
    '/m/tax.entail.json',
    'file:///m/a%20b.entail',
    '/m/sign-x1.repro.json',
    '/m/notes.json',
    'file://elsewhere/c.entail',
  );
  expect(given.take()).toEqual(['/here/lease.entail', '/m/tax.entail.json', '/m/a b.entail', '/m/sign-x1.repro.json']);
  expect(given.take()).toEqual([]);
});

test('the files of a second start are opened, beside its own directory', async () => {
  const { messages, given, opened, open } = application();
  given.follow(open);
  messages.emit('second-instance', {}, ['entail', 'tax.entail'], '/elsewhere');
  messages.emit('second-instance', {}, ['entail'], '/elsewhere');
  await setImmediate();
  expect(opened).toEqual([['/elsewhere/tax.entail']]);
});

test('files that macOS tells of one by one are one set, and nothing else opens them', async () => {
  const { messages, given, opened, open } = application();
  const prevented: string[] = [];
  const tell = (file: string) => messages.emit('open-file', { preventDefault: () => prevented.push(file) }, file);
  tell('/m/early.entail');
  expect(given.take()).toEqual(['/m/early.entail']);
  given.follow(open);
  tell('/m/a.entail');
  tell('/m/b.entail');
  await setImmediate();
  expect(opened).toEqual([['/m/a.entail', '/m/b.entail']]);
  expect(prevented).toHaveLength(3);
});

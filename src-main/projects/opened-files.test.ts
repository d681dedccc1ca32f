/** Files that a user opens in the system: from arguments, a second start, and events of macOS. */

import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FileMessages, type OpenedFiles, openedFiles } from './opened-files.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entail-opened-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function application(...args: string[]) {
  const messages = Object.assign(new EventEmitter(), { getAppPath: () => '/app' });
  const queue = openedFiles(messages as unknown as FileMessages, args, '/here');
  const opened: OpenedFiles[] = [];
  return { messages, queue, opened, open: (one: OpenedFiles) => opened.push(one) };
}

const files = (...some: string[]): OpenedFiles => ({ files: some, refusals: [] });

it('reads modules, artifacts and repro bundles from the arguments once, as absolute paths', () => {
  const { queue } = application(
    '/app',
    '--flag=x.entail',
    'lease.entail',
    '/m/tax.entail.json',
    'file:///m/a%20b.entail',
    '/m/sign-x1.repro.json',
    '/m/built.json',
    '/m/OLD.ENTAIL',
  );
  expect(queue.take()).toEqual(
    files(
      '/here/lease.entail',
      '/m/tax.entail.json',
      '/m/a b.entail',
      '/m/sign-x1.repro.json',
      '/m/built.json',
      '/m/OLD.ENTAIL',
    ),
  );
  expect(queue.take()).toEqual(files());
});

it('accepts a folder', () => {
  expect(application(folder).queue.take()).toEqual(files(folder));
});

it('explains why an existing file cannot be opened, and ignores addresses', () => {
  const picture = join(folder, 'picture.png');
  writeFileSync(picture, '');
  const { queue } = application(
    picture,
    'file://elsewhere/c.entail',
    'entail://open/lease.entail',
    'ENTAIL://lease.entail',
    'swiftshader',
  );
  expect(queue.take()).toEqual({
    files: [],
    refusals: [
      `${picture} is not a module (.entail), artifact (.entail.json) or repro bundle (.repro.json).`,
      'file://elsewhere/c.entail is on another machine. Open a file on this one.',
    ],
  });
});

it('opens the files of a second start, relative to its directory', async () => {
  const { messages, queue, opened, open } = application();
  queue.follow(open);
  // The program is first; its name can differ from this process's.
  messages.emit('second-instance', {}, [process.execPath, 'tax.entail'], '/elsewhere');
  messages.emit('second-instance', {}, ['entail'], '/elsewhere');
  await setImmediate();
  expect(opened).toEqual([files('/elsewhere/tax.entail')]);
});

it('collects files that macOS reports one by one as one set', async () => {
  const { messages, queue, opened, open } = application();
  const prevented: string[] = [];
  const openFile = (file: string) => messages.emit('open-file', { preventDefault: () => prevented.push(file) }, file);
  openFile('/m/early.entail');
  expect(queue.take()).toEqual(files('/m/early.entail'));
  queue.follow(open);
  openFile('/m/a.entail');
  openFile('/m/b.entail');
  await setImmediate();
  expect(opened).toEqual([files('/m/a.entail', '/m/b.entail')]);
  expect(prevented).toHaveLength(3);
});

/** A project has the same facts however it is opened. */

import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canStoreFacts, factsFolderOf, holdsFacts, realPath } from './facts-folder.js';
import { findProject, requireOneDrive } from './find-project.js';

let home: string;

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'entail-project-')));
});

afterEach(() => rm(home, { recursive: true, force: true }));

async function source(...path: string[]): Promise<string> {
  const file = join(home, ...path);
  await mkdir(join(file, '..'), { recursive: true });
  const name = path.at(-1)?.replace('.entail', '');
  await writeFile(file, `module ${name}\n`);
  return file;
}

/** Records the last module, as a server does when it loads these files. */
async function served(facts: string, folder: string, ...files: string[]): Promise<void> {
  await mkdir(facts, { recursive: true });
  const texts = files.map((file) => ({ file, text: `module ${file.replace(/.*\//, '').replace('.entail', '')}\n` }));
  await writeFile(join(facts, 'last-module.json'), JSON.stringify({ folder, files: texts }));
}

const factsOf = async (...paths: string[]) => await factsFolderOf(await findProject(paths));

describe('the folder of the facts', () => {
  it('is beside the files, opened as a file, as a folder or through a link', async () => {
    const file = await source('rooms', 'rooms.entail');
    await symlink(join(home, 'rooms'), join(home, 'link'));
    await symlink(file, join(home, 'rooms.entail'));
    const expected = join(home, 'rooms', '.entail');
    expect(await factsOf(file)).toBe(expected);
    expect(await factsOf(join(home, 'rooms'))).toBe(expected);
    expect(await factsOf(join(home, 'link'))).toBe(expected);
    await served(expected, '', 'rooms.entail');
    expect(await factsOf(join(home, 'link', 'rooms.entail'))).toBe(expected);
  });

  it('stays the same when the folder is renamed or a file is added', async () => {
    await source('rooms', 'rooms.entail');
    await served(join(home, 'rooms', '.entail'), '', 'rooms.entail');
    await source('rooms', 'people.entail');
    expect(await factsOf(join(home, 'rooms'))).toBe(join(home, 'rooms', '.entail'));
    await rename(join(home, 'rooms'), join(home, 'meeting-rooms'));
    expect(await factsOf(join(home, 'meeting-rooms', 'rooms.entail'))).toBe(join(home, 'meeting-rooms', '.entail'));
  });

  it('is in a parent folder that was opened with the same files', async () => {
    const file = await source('rooms', 'src', 'rooms.entail');
    await served(join(home, 'rooms', '.entail'), 'src', 'rooms.entail');
    expect(await factsOf(file)).toBe(join(home, 'rooms', '.entail'));
    const namesake = await source('rooms', 'other', 'rooms.entail');
    expect(await factsOf(namesake)).toBe(join(home, 'rooms', 'other', '.entail'));
  });

  it('is a different one for a second module in the same folder', async () => {
    const lease = await source('lease.entail');
    const access = await source('access.entail');
    await served(join(home, '.entail'), '', 'lease.entail');
    expect(await factsOf(lease)).toBe(join(home, '.entail'));
    expect(await factsOf(access)).toBe(join(home, '.entail', 'access'));
    expect(await factsOf(home)).toBe(join(home, '.entail'));
  });
});

it('detects whether a folder can store facts, and whether it has any', async () => {
  const file = await source('rooms.entail');
  expect(await canStoreFacts(join(home, 'new', '.entail'))).toBe(true);
  expect(await canStoreFacts(join(file, '.entail'))).toBe(false);
  expect(await holdsFacts(join(home, 'missing'))).toBe(false);
  await writeFile(join(home, 'events-1.journal'), '{"kind":"createScope"}\n');
  expect(await holdsFacts(home)).toBe(false);
  await writeFile(join(home, 'events-1.journal'), '{"kind":"append"}\n');
  expect(await holdsFacts(home)).toBe(true);
});

describe('opening a project', () => {
  it('finds the sources of a folder, and says why other paths are refused', async () => {
    const file = await source('rooms', 'rooms.entail');
    expect(await findProject([join(home, 'rooms')])).toMatchObject({ files: [file], folder: join(home, 'rooms') });
    await mkdir(join(home, 'empty'));
    await expect(findProject([join(home, 'empty')])).rejects.toThrow(/has no files that end in \.entail/);
    await expect(findProject([join(home, 'missing')])).rejects.toThrow(/missing does not exist/);
    await expect(findProject([file, join(home, 'a.repro.json')])).rejects.toThrow(/cannot be combined/);
  });
});

it('resolves two spellings of a file to one path where case is ignored, also if the file was deleted', () => {
  const stored = (path: string) => {
    if (/gone/i.test(path)) throw new Error('missing');
    return path.toLowerCase();
  };
  expect(realPath('/Rooms/A.entail', stored)).toBe(realPath('/rooms/a.entail', stored));
  expect(realPath('/Rooms/gone.entail', stored)).toBe('/rooms/gone.entail');
});

it('refuses files on several drives of Windows', () => {
  const rootOf = (path: string) => win32.parse(path).root;
  expect(() => requireOneDrive(['C:\\a.entail', 'c:\\more\\b.entail'], rootOf)).not.toThrow();
  expect(() => requireOneDrive(['C:\\a.entail', 'D:\\b.entail'], rootOf)).toThrow('several drives: c:\\, d:\\');
});

import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { watchFiles } from './watch-files.js';

const SETTLED_MS = 20;

async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'entail-watch-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Writes files by path, and creates their folders. */
async function write(folder: string, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    const path = join(folder, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
  }
}

/** Returns a function that makes a change, and resolves once the watcher has seen it. */
async function watching(...paths: string[]) {
  let seen = (): void => {};
  const watcher = await watchFiles(paths, SETTLED_MS, () => seen());
  onTestFinished(() => watcher.close());
  return async (change: () => Promise<void>): Promise<void> => {
    const next = new Promise<void>((resolve) => {
      seen = resolve;
    });
    await change();
    await next;
  };
}

/** As `ln -sfn` does. */
async function pointTo(link: string, target: string): Promise<void> {
  await symlink(target, `${link}.new`);
  await rename(`${link}.new`, link);
}

it('sees new targets of a link and writes to the target, repeatedly', async () => {
  const folder = await newFolder();
  await write(folder, { 'a/m': '1', 'b/m': '2', 'c/m': '3' });
  const link = join(folder, 'm.entail');
  await symlink('a/m', link);
  const sees = await watching(link);
  for (const target of ['b/m', 'c/m', 'a/m']) {
    await sees(() => pointTo(link, target));
    await sees(() => writeFile(join(folder, target), `${target} changed`));
  }
});

it('sees a new version of a mounted ConfigMap, which replaces a link', async () => {
  const folder = await newFolder();
  await write(folder, { '..v1/m.entail': '1', '..v2/m.entail': '2', '..v3/m.entail': '3' });
  await symlink('..v1', join(folder, '..data'));
  await symlink('..data/m.entail', join(folder, 'm.entail'));
  const sees = await watching(join(folder, 'm.entail'));
  for (const version of ['2', '3']) {
    await sees(() => pointTo(join(folder, '..data'), `..v${version}`));
    await rm(join(folder, `..v${Number(version) - 1}`), { recursive: true });
  }
});

it('sees a link in the path of the folder change, relative or absolute', async () => {
  const folder = await newFolder();
  await write(folder, { 'releases/1/app/m.entail': '1', 'releases/2/app/m.entail': '2' });
  const current = join(folder, 'current');
  await symlink('releases/1', current);
  const sees = await watching(join(current, 'app/../app/m.entail'));
  await sees(() => pointTo(current, join(folder, 'releases/2')));
  await sees(() => writeFile(join(folder, 'releases/2/app/m.entail'), 'changed'));
  await sees(() => pointTo(current, 'releases/1'));
});

it.skipIf(process.platform === 'win32')('sees changes below a folder whose name has a backslash', async () => {
  const folder = await newFolder();
  await write(folder, { 'a\\b/m\\n.entail': '1' });
  const path = join(folder, 'a\\b/m\\n.entail');
  const sees = await watching(path);
  await sees(() => writeFile(path, '2'));
});

it('sees a file return with its folder, and continues to watch it', async () => {
  const folder = await newFolder();
  const path = join(folder, 'below/further/m.entail');
  await write(folder, { 'below/further/m.entail': '1' });
  const sees = await watching(path);
  for (const text of ['2', '3']) {
    await sees(() => rm(join(folder, 'below'), { recursive: true }));
    await sees(() => write(folder, { 'below/further/m.entail': text }));
    await sees(() => writeFile(path, `${text} changed`));
  }
});

it('calls back only for changes in the paths of the files', async () => {
  const folder = await newFolder();
  await write(folder, { 'm.entail': '1', 'n.entail': '1' });
  let calls = 0;
  const watcher = await watchFiles([join(folder, 'm.entail')], SETTLED_MS, () => {
    calls += 1;
  });
  onTestFinished(() => watcher.close());
  // Sees what the first would have seen by then.
  const sees = await watching(join(folder, 'n.entail'), join(folder, 'beside/m.entail'));
  await sees(() => write(folder, { 'n.entail': '2' }));
  await sees(() => write(folder, { 'beside/m.entail': '2' }));
  expect(calls).toBe(0);
});

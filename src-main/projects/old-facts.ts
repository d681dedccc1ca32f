/**
 * Facts that earlier versions stored in the user's folder of the application, one folder for each set of files. If the project has no
 * facts beside its files yet, the user is asked which of them to copy there.
 */

import { cp, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { MessageBoxOptions } from 'electron';
import type { OldFacts } from '../../src-renderer/host/host.js';
import { holdsFacts, modulesIn, storedNames } from '../../src-runtime/project/facts-folder.js';

/** A data folder with facts of the same module. */
export interface StoredFacts {
  readonly folder: string;
  /** The modules that it shares with the opened files, or the folder's name if they are not known. */
  readonly modules: readonly string[];
  /** The names of the files that were loaded with these facts last. */
  readonly files: readonly string[];
  readonly changedAt: Date;
}

/** Each is a button of a dialog, which has no room for more. */
const OFFERED_MAX = 3;

/** The last changed of the data folders with facts of a module in these files, newest first. */
export async function oldFactsOf(files: readonly string[], userData: string): Promise<readonly StoredFacts[]> {
  const data = join(userData, 'data');
  const modules = await modulesIn(files);
  const folders = (await readdir(data).catch(() => [])).map((name) => join(data, name));
  const found = await Promise.all(folders.map((folder) => factsIn(folder, files, modules)));
  return found
    .filter((facts) => facts !== undefined)
    .sort((a, b) => b.changedAt.getTime() - a.changedAt.getTime())
    .slice(0, OFFERED_MAX);
}

/** All data folders of earlier versions with facts, newest first. */
export async function allOldFacts(userData: string): Promise<readonly OldFacts[]> {
  const data = join(userData, 'data');
  const folders = (await readdir(data).catch(() => [])).map((name) => join(data, name));
  const found = await Promise.all(
    folders.map(async (folder): Promise<OldFacts | undefined> => {
      if (!(await holdsFacts(folder))) return undefined;
      const modules = (await storedNames(folder))?.modules ?? [];
      return { folder, modules, changedAt: (await changeOf(folder)).toISOString(), bytes: await bytesIn(folder) };
    }),
  );
  return found.filter((facts) => facts !== undefined).sort((a, b) => (a.changedAt < b.changedAt ? 1 : -1));
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Copies everything but the lock, and keeps the old folder. */
export async function copyFacts(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (path) => basename(path) !== 'lock' });
}

async function factsIn(
  folder: string,
  files: readonly string[],
  modules: readonly string[],
): Promise<StoredFacts | undefined> {
  if (!(await holdsFacts(folder))) return undefined;
  const changedAt = await changeOf(folder);
  const stored = await storedNames(folder);
  const common = stored?.modules.filter((module) => modules.includes(module)) ?? [];
  if (common.length > 0) return { folder, modules: common, files: stored?.files ?? [], changedAt };
  // An artifact leaves no texts beside its facts; the folder is named after its file.
  const name = basename([...files].sort()[0] ?? '').replace(/\.entail(\.json)?$/, '');
  const isNamesake = stored === undefined && basename(folder).startsWith(`${name.replace(/[^\w-]/g, '_')}-`);
  return isNamesake ? { folder, modules: [name], files: [], changedAt } : undefined;
}

async function changeOf(folder: string): Promise<Date> {
  const journals = (await readdir(folder)).filter((name) => name.startsWith('events-'));
  const times = await Promise.all(journals.map(async (name) => (await stat(join(folder, name))).mtimeMs));
  return new Date(Math.max(0, ...times));
}

/** The buttons are the folders in their order, then one that starts without facts. */
export function factsQuestion(files: readonly string[], found: readonly StoredFacts[]): MessageBoxOptions {
  const modules = [...new Set(found.flatMap((facts) => facts.modules))];
  const opened = files.map((file) => basename(file)).join(', ');
  const choices = found.length === 1 ? ['Use Them'] : found.map((facts) => `Use ${changedOn(facts)}`);
  return {
    type: 'question',
    title: 'Entail',
    message: `There are stored facts of the ${modules.length === 1 ? 'module' : 'modules'} ${modules.join(', ')}.`,
    detail: [
      `No facts are stored yet beside the files that you open: ${opened}.`,
      ...found.map((facts) => `Facts last changed on ${changedOn(facts)} belong to ${ownerOf(facts)}.`),
      'The facts that you use are copied. The stored ones stay where they are.',
    ].join('\n\n'),
    buttons: [...choices, 'Start Empty'],
    defaultId: 0,
    cancelId: choices.length,
    noLink: true,
  };
}

function ownerOf({ files, folder }: StoredFacts): string {
  return files.length > 0 ? files.join(', ') : basename(folder);
}

function changedOn({ changedAt }: StoredFacts): string {
  return changedAt.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

/**
 * Chooses the data folder of a set of module files, and finds folders with facts of the same module. A folder's name is computed
 * from the paths of the files, so that facts would seem lost after a file is added or its folder is renamed; the user is asked about
 * the folders found.
 */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { MessageBoxOptions } from 'electron';

/** The folders that the user chose instead of a set's own data folder, by the digest of the set. */
export type SharedFolders = Readonly<Record<string, string>>;

/** A data folder with facts of the same module. */
export interface StoredFacts {
  readonly folder: string;
  /** The modules that it shares with the opened files, or the folder's name if they are not known. */
  readonly modules: readonly string[];
  /** The files that were loaded with these facts last: their paths if the set was opened recently, else their names. */
  readonly files: readonly string[];
  readonly changedAt: Date;
}

/** Each is a button of a dialog, which has no room for more. */
const OFFERED_MAX = 3;

/** The files in any order, by their real paths. */
export function digestOf(files: readonly string[]): string {
  return digest(files.map(realPath));
}

export function dataFolderOf(files: readonly string[], userData: string, shared: SharedFolders = {}): string {
  const chosen = shared[digestOf(files)];
  if (chosen !== undefined) return join(userData, 'data', basename(chosen));
  const own = join(userData, 'data', folderName(files.map(realPath)));
  // Earlier versions did not resolve links.
  const asGiven = join(userData, 'data', folderName(files.map((file) => resolve(file))));
  return !holdsFacts(own) && holdsFacts(asGiven) ? asGiven : own;
}

/** Whether it contains facts. The journal of a folder whose module was only opened has no transaction. */
export function holdsFacts(folder: string): boolean {
  const names = namesIn(folder);
  if (names.some((name) => /^events-.*\.sqlite$/.test(name))) return true;
  return names
    .filter((name) => name.endsWith('.journal'))
    .some((name) => readFileSync(join(folder, name)).includes('"kind":"append"'));
}

/** The last changed of the other data folders with facts of a module in these files, newest first. */
export async function storedFactsOf(
  files: readonly string[],
  userData: string,
  recent: readonly (readonly string[])[],
): Promise<readonly StoredFacts[]> {
  const paths = new Map(recent.map((set) => [dataFolderOf(set, userData), set]));
  const modules = await modulesOf(files);
  const data = join(userData, 'data');
  const folders = (await readdir(data).catch(() => [])).map((name) => join(data, name));
  const own = dataFolderOf(files, userData);
  const found = await Promise.all(folders.filter((folder) => folder !== own && holdsFacts(folder)).map(storedIn));
  return found
    .flatMap(({ modules: stored, ...rest }): StoredFacts[] => {
      const facts = { ...rest, files: paths.get(rest.folder) ?? rest.files };
      const common = stored.filter((module) => modules.includes(module));
      if (common.length > 0) return [{ ...facts, modules: common }];
      // An artifact leaves no texts beside its facts; the folder is named after its file.
      const name = nameOf(files.map(realPath));
      const isNamesake = stored.length === 0 && basename(facts.folder).startsWith(`${name}-`);
      return isNamesake ? [{ ...facts, modules: [name] }] : [];
    })
    .sort((a, b) => b.changedAt.getTime() - a.changedAt.getTime())
    .slice(0, OFFERED_MAX);
}

/** The module texts that the server loaded last are stored beside the facts. */
async function storedIn(folder: string): Promise<StoredFacts> {
  const kept = parsed(await readFile(join(folder, 'last-module.json'), 'utf8').catch(() => '')) as
    | { readonly files?: readonly { readonly file: string; readonly text: string }[] }
    | undefined;
  const files = kept?.files ?? [];
  const journals = namesIn(folder).filter((name) => name.startsWith('events-'));
  const times = await Promise.all(journals.map(async (name) => (await stat(join(folder, name))).mtimeMs));
  return {
    folder,
    modules: files.flatMap(({ text }) => moduleIn(text)),
    files: files.map(({ file }) => file),
    changedAt: new Date(Math.max(0, ...times)),
  };
}

async function modulesOf(files: readonly string[]): Promise<readonly string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.flatMap((text, at) => (files[at]?.endsWith('.json') ? modulesInArtifact(text) : moduleIn(text)));
}

function moduleIn(text: string): readonly string[] {
  return [/^\s*module\s+([\w:]+)/m.exec(text)?.[1] ?? []].flat();
}

function modulesInArtifact(text: string): readonly string[] {
  const { modules } = (parsed(text) ?? {}) as { readonly modules?: unknown };
  return Array.isArray(modules) ? modules.map((module) => String((module as { name?: unknown } | null)?.name)) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function folderName(paths: readonly string[]): string {
  return `${nameOf(paths)}-${digest(paths)}`;
}

function nameOf(paths: readonly string[]): string {
  const first = basename([...paths].sort()[0] ?? 'none');
  return first.replace(/\.entail(\.json)?$/, '').replace(/[^\w-]/g, '_');
}

function digest(paths: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([...paths].sort()))
    .digest('hex')
    .slice(0, 12);
}

/** Links are resolved as far as the path exists, so that a set stays the same after one of its files is deleted. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const path = resolve(file);
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
  }
}

function namesIn(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : [];
}

/** The question whether to use the stored facts. The buttons are the folders in their order, then one that starts without facts. */
export function factsQuestion(files: readonly string[], found: readonly StoredFacts[]): MessageBoxOptions {
  const modules = [...new Set(found.flatMap((facts) => facts.modules))];
  const opened = files.map((file) => basename(file)).join(', ');
  const choices = found.length === 1 ? ['Use Them'] : found.map((facts) => `Use Facts of ${changedOn(facts)}`);
  return {
    type: 'question',
    title: 'Entail',
    message: `There are stored facts of the ${modules.length === 1 ? 'module' : 'modules'} ${modules.join(', ')}.`,
    detail: [
      `No facts are stored yet for the files that you open: ${opened}.`,
      ...found.map((facts) => `Facts last changed on ${changedOn(facts)} belong to ${ownerOf(facts)}.`),
      'If you start empty, the stored facts stay where they are.',
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

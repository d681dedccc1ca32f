/** Which module files are open: the ones last opened, or at first a copy of the sample that the user may change. */

import { copyFile, mkdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { REPRO_EXTENSION } from '../src-runtime/api/repro-bundle.js';
import { dataFolderOf, type SharedFolders } from './data-folders.js';
import type { RuntimeSource } from './runtime-supervisor.js';
import type { Settings } from './settings.js';

const RECENT_MAX = 10;

export interface ModuleFolders {
  /** The installed sample module; never changed. */
  readonly sample: string;
  /** The user's folder of the application. */
  readonly userData: string;
}

/**
 * The set that was open last, at first the sample. A missing file is no reason to open another module: the page has the text, and
 * Save writes the file again.
 */
export async function lastOpened(settings: Settings, folders: ModuleFolders): Promise<readonly string[]> {
  return settings.recent[0] ?? (await sampleCopy(folders));
}

/** The user's copy of the sample, created if missing, so that edits never change the installation. */
export async function sampleCopy({ sample, userData }: ModuleFolders): Promise<readonly string[]> {
  const copy = join(userData, 'modules', basename(sample));
  if (!(await isFile(copy))) {
    await mkdir(join(userData, 'modules'), { recursive: true });
    await copyFile(sample, copy);
  }
  return [copy];
}

/** Puts a set first among the recent ones. */
export function remembered(settings: Settings, files: readonly string[]): Settings {
  const key = keyOf(files);
  const others = settings.recent.filter((set) => keyOf(set) !== key);
  return { ...settings, recent: [[...files], ...others].slice(0, RECENT_MAX) };
}

/** The labels of sets of files in a list: the first file, with as many of its folders as are needed to make it unique. */
export function recentNames(sets: readonly (readonly string[])[]): readonly string[] {
  return sets.map((set, at) => {
    const others = sets.filter((_, other) => other !== at);
    const partsMax = partsOf(set).length;
    let parts = 1;
    while (parts < partsMax && others.some((other) => nameOf(other, parts) === nameOf(set, parts))) parts++;
    return nameOf(set, parts);
  });
}

function nameOf(files: readonly string[], parts: number): string {
  const shown = partsOf(files).slice(-parts).join('/');
  return files.length === 1 ? shown : `${shown} and ${files.length - 1} more`;
}

function partsOf([first = '']: readonly string[]): readonly string[] {
  return first.split(/[\\/]/);
}

/** The options to serve a set of files. A repro bundle contains its facts. */
export function sourceOf(files: readonly string[], userData: string, shared?: SharedFolders): RuntimeSource {
  const [only = ''] = files;
  if (files.length === 1 && only.endsWith(REPRO_EXTENSION)) return { files, dataDirectory: undefined };
  return { files, dataDirectory: dataFolderOf(files, userData, shared) };
}

function keyOf(files: readonly string[]): string {
  return JSON.stringify(files.map((file) => resolve(file)).sort());
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

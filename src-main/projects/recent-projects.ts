/** Which projects were open: files or a folder each, or at first a copy of the sample that the user may change. */

import { copyFile, mkdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Settings, WindowPlace } from '../settings.js';

const RECENT_MAX = 10;

export interface ModuleFolders {
  /** The installed sample module; never changed. */
  readonly sample: string;
  /** The user's folder of the application. */
  readonly userData: string;
}

/**
 * The projects of the windows that were open last, at first the sample. A missing file is no reason to open another module: the page has
 * the text, and Save writes the file again.
 */
export async function lastOpened(
  { open = [], recent }: Settings,
  folders: ModuleFolders,
): Promise<readonly (readonly string[])[]> {
  return open.length > 0 ? open : [recent[0] ?? (await sampleCopy(folders))];
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

/** Puts a project first among the recent ones. */
export function remembered(settings: Settings, paths: readonly string[]): Settings {
  const key = keyOf(paths);
  const others = settings.recent.filter((each) => keyOf(each) !== key);
  return { ...settings, recent: [[...paths], ...others].slice(0, RECENT_MAX) };
}

/** Identifies a project in the settings, whatever the order of its files. */
export function keyOf(paths: readonly string[]): string {
  return JSON.stringify(paths.map((path) => resolve(path)).sort());
}

/** Remembers where the window of a project is, and forgets the windows of projects that are no longer recent. */
export function placed(settings: Settings, paths: readonly string[] | undefined, window: WindowPlace): Settings {
  if (paths === undefined) return { ...settings, window };
  const recent = new Set(settings.recent.map(keyOf));
  const others = Object.entries(settings.windows ?? {}).filter(([key]) => recent.has(key));
  return { ...settings, window, windows: { ...Object.fromEntries(others), [keyOf(paths)]: window } };
}

/** The labels of projects in a list: the first path, with as many of its folders as are needed to make it unique. */
export function recentNames(projects: readonly (readonly string[])[]): readonly string[] {
  return projects.map((project, at) => {
    const others = projects.filter((_, other) => other !== at);
    const partsMax = partsOf(project).length;
    let parts = 1;
    while (parts < partsMax && others.some((other) => nameOf(other, parts) === nameOf(project, parts))) parts++;
    return nameOf(project, parts);
  });
}

function nameOf(paths: readonly string[], parts: number): string {
  const shown = partsOf(paths).slice(-parts).join('/');
  return paths.length === 1 ? shown : `${shown} and ${paths.length - 1} more`;
}

function partsOf([first = '']: readonly string[]): readonly string[] {
  return first.split(/[\\/]/);
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

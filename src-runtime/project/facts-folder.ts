/**
 * The folder with the facts of a project: `.entail` in the project's folder. Every host uses this rule, so that a project has the same
 * facts however it is opened.
 */

import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { access, constants, mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { FoundProject } from './find-project.js';

const FACTS_FOLDER = '.entail';

/** The module that was loaded last with the facts in a folder. */
interface StoredNames {
  /** Paths of its files, relative to the parent of the data folder. Empty for an artifact. */
  readonly files: readonly string[];
  readonly modules: readonly string[];
}

/**
 * Links are resolved, and a parent folder that was opened with the same files counts. If another module of the same folder has its
 * facts there already, the project gets a folder inside, named after its module.
 */
export async function factsFolderOf({ folder, files }: Pick<FoundProject, 'folder' | 'files'>): Promise<string> {
  const own = realPath(folder);
  const real = files.map((file) => realPath(file));
  const stored = await storedNames(join(own, FACTS_FOLDER));
  if (stored !== undefined) {
    const modules = await modulesIn(files);
    if (isOfModule(stored, real, modules)) return join(own, FACTS_FOLDER);
    return join(own, FACTS_FOLDER, nameOf(modules, real));
  }
  for (let above = dirname(own), below = own; above !== below; below = above, above = dirname(above)) {
    const there = await storedNames(join(above, FACTS_FOLDER));
    const isSame = there?.files.length === real.length && there.files.every((file) => real.includes(join(above, file)));
    if (isSame) return join(above, FACTS_FOLDER);
  }
  return join(own, FACTS_FOLDER);
}

/** Tells projects apart, by their facts or in memory by their name. */
export function projectId(facts: string | undefined, name = ''): string {
  const text = facts ?? `memory:${name}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** False for a folder in which nothing can be stored. Creates the folder if it is missing. */
export async function canStoreFacts(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a data folder contains facts. The journal of a folder whose module was only opened has no transaction. */
export async function holdsFacts(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  if (names.some((name) => /^events-.*\.sqlite$/.test(name))) return true;
  const journals = names.filter((name) => name.endsWith('.journal'));
  const texts = await Promise.all(journals.map((name) => readFile(join(folder, name)).catch(() => Buffer.alloc(0))));
  return texts.some((text) => text.includes('"kind":"append"'));
}

/** The part of `last-module.json` that is read here. Earlier versions stored no `folder`. */
interface StoredTexts {
  readonly folder: string;
  readonly files: readonly { readonly file: string; readonly text: string }[];
}

/** Undefined if no module was loaded with facts there. */
export async function storedNames(folder: string): Promise<StoredNames | undefined> {
  const text = await readFile(join(folder, 'last-module.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const stored = (parsed(text) ?? {}) as Partial<StoredTexts>;
  const files = Array.isArray(stored.files) ? stored.files : [];
  return {
    files: files.map(({ file }) => join(stored.folder ?? '', file)),
    modules: files.flatMap((file) => moduleIn(file.text)),
  };
}

/** The names of the modules in sources, or in an artifact. */
export async function modulesIn(files: readonly string[]): Promise<readonly string[]> {
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

/** A module that shares neither a name nor a file with the stored one is another. */
function isOfModule(stored: StoredNames, files: readonly string[], modules: readonly string[]): boolean {
  if (stored.modules.length === 0) return true;
  const names = stored.files.map((name) => basename(name));
  return (
    modules.some((module) => stored.modules.includes(module)) || files.some((file) => names.includes(basename(file)))
  );
}

function nameOf(modules: readonly string[], files: readonly string[]): string {
  const name = modules[0]?.replaceAll('::', '.') ?? basename(files[0] ?? 'module').replace(/\.entail(\.json)?$/, '');
  return name.replace(/[^\w.-]/g, '_');
}

/**
 * Resolves links as far as the path exists, so that a deleted file stays the same file. Where the file system ignores case, names are
 * spelt as they are stored.
 */
export function realPath(path: string, stored: (path: string) => string = realpathSync.native): string {
  try {
    return stored(path);
  } catch {
    const full = resolve(path);
    return dirname(full) === full ? full : join(realPath(dirname(full), stored), basename(full));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

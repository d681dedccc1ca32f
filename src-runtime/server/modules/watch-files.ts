/**
 * Watches files through links. Watching a file itself would follow a link only once. This watches every directory in which a part of
 * the path is looked up, so that it sees a replaced link or folder, as by `ln -sfn` or a new version of a mounted ConfigMap.
 */

import { type FSWatcher, watch } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, sep } from 'node:path';

/** The most links that Linux follows for a path. */
const LINKS_MAX = 40;

export interface FileWatcher {
  close(): void;
}

/**
 * Resolves once changes are seen. Debounced: calls back when nothing has changed for `settledMs`, so that a file that is written in
 * steps is complete. Resolves the paths again before each call.
 */
export async function watchFiles(
  paths: readonly string[],
  settledMs: number,
  onChange: () => void,
): Promise<FileWatcher> {
  let watchers: readonly FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const changed = (): void => {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => void settle(), settledMs);
    timer.unref();
  };
  const settle = async (): Promise<void> => {
    await watchAnew();
    if (!isClosed) onChange();
  };
  /** All of them: a folder that was deleted and made again has the name of the one that is watched, and may have its number. */
  const watchAnew = async (): Promise<void> => {
    const looked = await lookupsOf(paths);
    if (isClosed) return;
    const former = watchers;
    watchers = [...looked].flatMap(([directory, names]) => watchDirectory(directory, names, changed));
    for (const watcher of former) watcher.close();
    // Looks again for replacements between the look-up and the start of the watch.
    if (!isSame(looked, await lookupsOf(paths))) await watchAnew();
  };
  await watchAnew();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Undefined if the directory is missing or unreadable. Its parent is watched too. */
function watchDirectory(directory: string, names: ReadonlySet<string>, onChange: () => void): readonly FSWatcher[] {
  try {
    const watcher = watch(directory, { persistent: false }, (_, name) => {
      // Some systems do not report the name.
      if (name === null || names.has(name)) onChange();
    });
    watcher.on('error', onChange);
    return [watcher];
  } catch {
    return [];
  }
}

/** By directory, the names that are looked up in it for the files. */
type Lookups = ReadonlyMap<string, ReadonlySet<string>>;

async function lookupsOf(paths: readonly string[]): Promise<Lookups> {
  const lookups = new Map<string, Set<string>>();
  for (const path of paths) {
    for await (const [directory, name] of lookupsOn(path)) {
      lookups.set(directory, (lookups.get(directory) ?? new Set()).add(name));
    }
  }
  return lookups;
}

/** Resolves the path as the system does. Its target may be missing. */
async function* lookupsOn(path: string): AsyncGenerator<readonly [directory: string, name: string]> {
  let directory = parse(path).root;
  let names = namesIn(path);
  for (let links = 0; names.length > 0 && links <= LINKS_MAX; ) {
    const [name = '', ...rest] = names;
    names = rest;
    if (name === '..') {
      directory = dirname(directory);
      continue;
    }
    const entry = join(directory, name);
    const target = await readlink(entry).catch(({ code }: NodeJS.ErrnoException) =>
      code === 'ENOENT' ? null : undefined,
    );
    if (target !== undefined || names.length < NEAR || !WATCHES_BELOW) yield [directory, name];
    if (typeof target !== 'string') directory = entry;
    else {
      links += 1;
      names = [...namesIn(target), ...names];
      if (isAbsolute(target)) directory = parse(target).root;
    }
  }
}

/** macOS reports all changes below a directory. Near the root, that is everything on the disk. */
const WATCHES_BELOW = process.platform === 'darwin';
/** There, plain directories are watched for the file and its folder alone, beside links and what is missing. */
const NEAR = 2;

/** Without the root. */
function namesIn(path: string): readonly string[] {
  const separators = sep === '/' ? /\/+/ : /[\\/]+/;
  return path
    .slice(parse(path).root.length)
    .split(separators)
    .filter((name) => name !== '' && name !== '.');
}

function isSame(some: Lookups, others: Lookups): boolean {
  const text = (lookups: Lookups) => JSON.stringify([...lookups].map(([directory, names]) => [directory, ...names]));
  return text(some) === text(others);
}

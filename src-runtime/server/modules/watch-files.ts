/**
 * Watches what paths lead to, through links and whatever characters are in their names. Watching the files themselves would
 * follow a link once: it watches every directory in which a part of a path is looked up, so that a link or folder that is
 * replaced, as by `ln -sfn` or a new version of a mounted ConfigMap, is seen like a change of the file.
 */

import { type FSWatcher, watch } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, sep } from 'node:path';

/** As many as Linux follows on the way to a file. */
const LINKS_MAX = 40;

export interface FileWatcher {
  close(): void;
}

/**
 * Resolves once changes are being seen. Calls back once nothing has changed for `settledMs` after a change, so that a file that
 * is written in steps is written whole by then. What the paths lead to is found anew before each call.
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
    // Whatever was replaced between looking and watching has told nobody.
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

/** Nothing where there is no such directory, or it may not be read: the one that it is in is watched, too. */
function watchDirectory(directory: string, names: ReadonlySet<string>, onChange: () => void): readonly FSWatcher[] {
  try {
    const watcher = watch(directory, { persistent: false }, (_, name) => {
      // Some systems do not say which name it is.
      if (name === null || names.has(name)) onChange();
    });
    watcher.on('error', onChange);
    return [watcher];
  } catch {
    return [];
  }
}

/** By directory, the names that are looked up in it on the way to the files. */
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

/** As the system resolves the path, which need not lead to anything. */
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

/** macOS reports all that changes below a directory; near the root that is everything on the disk. */
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

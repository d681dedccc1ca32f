/**
 * The files and folders that a user opens in the system: arguments of a start, arguments of a second start (which then ends), or on macOS
 * events, the first of which arrive before the application is ready.
 */

import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from 'electron';

/** Files and folders to open, and a sentence for each path that cannot be opened. */
export interface OpenedFiles {
  readonly files: readonly string[];
  readonly refusals: readonly string[];
}

export interface FileQueue {
  /** Received but not yet taken. */
  take(): OpenedFiles;
  /** Calls back with everything received after this call; files that arrive together are one set. */
  follow(open: (more: OpenedFiles) => void): void;
}

/** The part of Electron's `app` that is used here. */
export type FileMessages = Pick<App, 'on' | 'getAppPath'>;

const NONE: OpenedFiles = { files: [], refusals: [] };

/** Listens at once; `args` are those of this start. */
export function openedFiles(application: FileMessages, args: readonly string[], workingDirectory: string): FileQueue {
  // If the application is not packed, the first argument is its path.
  const appPath = resolve(application.getAppPath());
  const filesIn = (some: readonly string[], directory: string): OpenedFiles =>
    together(some.filter((arg) => !arg.startsWith('-')).map((arg) => filesOf(arg, directory, appPath)));
  let waiting = filesIn(args, workingDirectory);
  let open: ((more: OpenedFiles) => void) | undefined;

  function take(): OpenedFiles {
    const taken = waiting;
    waiting = NONE;
    return taken;
  }

  function add(more: OpenedFiles): void {
    waiting = together([waiting, more]);
    // Files that are opened together arrive as separate events in one turn of the event loop.
    setImmediate(() => {
      if (open !== undefined && (waiting.files.length > 0 || waiting.refusals.length > 0)) open(take());
    });
  }

  application.on('open-file', (event, file) => {
    event.preventDefault();
    add(filesIn([file], workingDirectory));
  });
  application.on('second-instance', (_event, [_program, ...more], directory) => add(filesIn(more, directory)));
  return {
    take,
    follow(callback) {
      open = callback;
      add(NONE);
    },
  };
}

function together(some: readonly OpenedFiles[]): OpenedFiles {
  return {
    files: [...new Set(some.flatMap(({ files }) => files))],
    refusals: some.flatMap(({ refusals }) => refusals),
  };
}

/** `arg` is a path or a `file:` address. */
function filesOf(arg: string, directory: string, appPath: string): OpenedFiles {
  // An address with another scheme is not a file, even if it ends in `.entail`.
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(arg) && !/^file:/i.test(arg)) return NONE;
  const path = /^file:/i.test(arg) ? pathOf(arg) : resolve(directory, arg);
  if (path === undefined) return refusal(`${arg} is on another machine. Open a file on this one.`);
  if (path === appPath) return NONE;
  const found: Stats | undefined = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return { files: [path], refusals: [] };
  // A deleted file is opened too: the page reports that it does not exist.
  if (/\.(entail|json)$/i.test(path)) return { files: [path], refusals: [] };
  // Anything else that does not exist may be the value of an option of Chromium.
  if (found === undefined) return NONE;
  return refusal(`${path} is not a module (.entail), artifact (.entail.json) or repro bundle (.repro.json).`);
}

function refusal(sentence: string): OpenedFiles {
  return { files: [], refusals: [sentence] };
}

/** Undefined for an address of another machine. */
function pathOf(address: string): string | undefined {
  try {
    return fileURLToPath(address);
  } catch {
    return undefined;
  }
}

/**
 * The module files that the system hands over when a user opens them there: as arguments of a start, as those of a second
 * start, which ends at once, or on macOS as messages, the first of which come before the application is ready.
 */

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from 'electron';

export interface GivenFiles {
  /** What has come and was not yet taken. */
  take(): readonly string[];
  /** Calls back with what comes from now on, files that come together as one set. */
  follow(open: (files: readonly string[]) => void): void;
}

/** The part of Electron's `app` that is used here. */
export type FileMessages = Pick<App, 'on'>;

/** Listens at once; `args` are those of this start. */
export function givenFiles(application: FileMessages, args: readonly string[], workingDirectory: string): GivenFiles {
  let waiting = moduleFilesIn(args, workingDirectory);
  let open: ((files: readonly string[]) => void) | undefined;

  function take(): readonly string[] {
    const taken = waiting;
    waiting = [];
    return taken;
  }

  function give(files: readonly string[]): void {
    waiting = [...waiting, ...files];
    // Several files that are opened at once come one by one, in one go.
    setImmediate(() => {
      if (open !== undefined && waiting.length > 0) open(take());
    });
  }

  application.on('open-file', (event, file) => {
    event.preventDefault();
    give([file]);
  });
  application.on('second-instance', (_event, given, directory) => give(moduleFilesIn(given, directory)));
  return {
    take,
    follow(callback) {
      open = callback;
      give([]);
    },
  };
}

/** Paths and `file:` addresses of modules, artifacts and repro bundles among the arguments, as absolute paths. */
function moduleFilesIn(args: readonly string[], workingDirectory: string): readonly string[] {
  return args
    .filter((arg) => !arg.startsWith('-') && /\.(entail|entail\.json|repro\.json)$/.test(arg))
    .flatMap((arg) => (arg.startsWith('file:') ? pathOf(arg) : [resolve(workingDirectory, arg)]));
}

/** None for an address of another machine. */
function pathOf(address: string): string[] {
  try {
    return [fileURLToPath(address)];
  } catch {
    return [];
  }
}

/** Reloads the module when one of its files changes; a save of the workbench, which has loaded it, is nothing new. */

import { stat } from 'node:fs/promises';
import { setTimeout as passed } from 'node:timers/promises';
import { watch as watchFiles } from 'chokidar';
import { ApiError } from '../api/errors.js';
import { ModuleLoadError, type ModuleLoader } from './loader.js';
import type { Log } from './options.js';

/** A file that has not changed for so long is written whole. */
const SETTLED_MS = 100;

export interface Watcher {
  close(): Promise<void>;
}

/**
 * Resolves once changes are being seen. A load that fails is logged and noted; the prior module keeps serving. `onRefused`
 * is told of sources that have errors.
 */
export async function watchSource(
  loader: ModuleLoader,
  log: Log,
  onRefused: (error: ModuleLoadError) => void = () => {},
): Promise<Watcher> {
  const paths = loader.source?.paths ?? [];
  // An editor that writes in two steps is given the time to finish.
  const watcher = watchFiles([...paths], {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: SETTLED_MS, pollInterval: 20 },
  });
  const closing = new AbortController();
  const reload = () => {
    loader.loadChanged().then(
      (loaded) => loaded && log.info('a file of the module changed; it was loaded again'),
      (error: unknown) => {
        log.warn(loggedFailure(error), 'a file of the module changed; it was not loaded, the prior module stays');
        if (error instanceof ModuleLoadError) onRefused(error);
      },
    );
  };
  const awaitReturn = async (path: string) => {
    reload();
    try {
      await returned(path, closing.signal);
      watcher.add(path);
      // What was written while the watch began is not told by it.
      await passed(SETTLED_MS, undefined, { signal: closing.signal, ref: false });
    } catch (error) {
      if (closing.signal.aborted) return;
      throw error;
    }
    reload();
  };
  watcher
    .on('add', reload)
    .on('change', reload)
    .on('unlink', (path) => void awaitReturn(path));
  watcher.on('error', (error) => log.warn({ err: error }, 'the files of the module cannot be watched'));
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  return {
    close: () => {
      closing.abort();
      return watcher.close();
    },
  };
}

/**
 * Resolves when a deleted file is there again and written whole, as after a change of branches; the watcher itself sees
 * nothing more of it. Rejects with the end of the watching.
 */
async function returned(path: string, signal: AbortSignal): Promise<void> {
  let seen: number | undefined;
  for (;;) {
    await passed(SETTLED_MS, undefined, { signal, ref: false });
    const written = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    if (written !== undefined && written === seen) return;
    seen = written;
  }
}

/**
 * Of a module with errors a line of the log says which and where. The texts that an excerpt is cut from would bury that, as
 * the place in the server would where stored facts are in the way.
 */
export function loggedFailure(error: unknown): object {
  if (error instanceof ApiError) {
    const { code, message, details } = error;
    return { failure: { code, message, details } };
  }
  if (!(error instanceof ModuleLoadError) || error.diagnostics.length === 0) return { err: error };
  const errors = error.diagnostics.filter(({ severity }) => severity === 'error');
  return {
    findings: errors.map(({ code, message, span: { file, start } }) => ({
      place: `${file}:${start.line}:${start.column}`,
      code,
      message,
    })),
  };
}

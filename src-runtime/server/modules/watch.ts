/** Reloads the module when one of its files changes; a save of the workbench, which has loaded it, is nothing new. */

import { ApiError } from '../../api/errors.js';
import type { Log } from '../options.js';
import { ModuleLoadError, type ModuleLoader } from './loader.js';
import { type FileWatcher, watchFiles } from './watch-files.js';

/** A file that has not changed for so long is written whole. */
const SETTLED_MS = 100;

/**
 * Resolves once changes are being seen. A load that fails is logged and noted; the prior module keeps serving. `onRefused`
 * is told of sources that have errors.
 */
export function watchSource(
  loader: ModuleLoader,
  log: Log,
  onRefused: (error: ModuleLoadError) => void = () => {},
): Promise<FileWatcher> {
  return watchFiles(loader.source?.paths ?? [], SETTLED_MS, () => {
    loader.loadChanged().then(
      (loaded) => loaded && log.info('a file of the module changed; it was loaded again'),
      (error: unknown) => {
        log.warn(loggedFailure(error), 'a file of the module changed; it was not loaded, the prior module stays');
        if (error instanceof ModuleLoadError) onRefused(error);
      },
    );
  });
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

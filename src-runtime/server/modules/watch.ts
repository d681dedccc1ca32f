/** Reloads the module when one of its files changes. Ignores saves of the workbench, which are loaded already. */

import { ApiError } from '../../api/errors.js';
import type { Log } from '../options.js';
import { ModuleLoadError, type ModuleLoader } from './loader.js';
import { type FileWatcher, watchFiles } from './watch-files.js';

/** Debounce: a file that is unchanged for this long is complete. */
const SETTLED_MS = 100;

/**
 * Resolves once changes are seen. A failed load is logged and noted, and the last good module keeps serving. `onRefused` is called for
 * sources with errors.
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
 * The log fields of a module with errors: which errors, and where. Sources and stacks would bury them.
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

/** Reloads the module when one of its files changes. */

import { watch as watchFiles } from 'chokidar';
import type { ModuleLoader } from './loader.js';
import type { Log } from './options.js';

export interface Watcher {
  close(): Promise<void>;
}

/** Resolves once changes are being seen. A load that fails is logged and noted; the prior module keeps serving. */
export async function watchSource(loader: ModuleLoader, log: Log): Promise<Watcher> {
  const paths = loader.source?.paths ?? [];
  // An editor that writes in two steps is given the time to finish.
  const watcher = watchFiles([...paths], {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: 100, pollInterval: 20 },
  });
  const reload = () => {
    loader.load().then(
      () => log.info('a file of the module changed; it was loaded again'),
      (error: unknown) =>
        log.warn({ err: error }, 'a file of the module changed; it was not loaded, the prior module stays'),
    );
  };
  watcher.on('add', reload).on('change', reload);
  watcher.on('error', (error) => log.warn({ err: error }, 'the files of the module cannot be watched'));
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  return watcher;
}

/** Where the servers of a run keep their facts: a folder for one server, or a PostgreSQL for several, with a proxy for each. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultyProxy } from './proxy.js';

export interface CheckedStore {
  readonly kind: string;
  /** Whether several servers share it, and the modules that are deployed. */
  readonly isShared: boolean;
  /** The options of `serve` for the n-th server. */
  options(server: number): readonly string[];
  readonly proxies: readonly FaultyProxy[];
  readonly restartDatabase?: () => Promise<void>;
  /** The folder, if `entail data check` can check it once the servers have stopped. */
  readonly folder?: string;
  remove(): Promise<void>;
}

export function folderStore(): CheckedStore {
  const folder = mkdtempSync(join(tmpdir(), 'entail-history-'));
  return {
    kind: 'sql.js',
    isShared: false,
    options: () => ['--data', folder],
    proxies: [],
    folder,
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

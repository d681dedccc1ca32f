/** A PostgreSQL cluster for one check, which may be restarted at any time, with a database and proxies for each run. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  NO_POSTGRES,
  programs,
  restartCluster,
  startCluster,
  stopCluster,
} from '../../src-runtime/storage/testing/postgres-cluster.js';
import { startProxy } from './proxy.js';
import type { CheckedStore } from './store.js';

export interface Postgres {
  /** An empty database for so many servers. */
  store(servers: number): Promise<CheckedStore>;
  remove(): Promise<void>;
}

export async function startPostgres(): Promise<Postgres> {
  if (programs === undefined) throw new Error(NO_POSTGRES);
  const folder = mkdtempSync(join(tmpdir(), 'entail-history-postgres-'));
  const port = await startCluster(folder, ['max_connections=200']);
  return {
    store: async (servers) => {
      const database = `history_${randomUUID().replaceAll('-', '')}`;
      await createDatabase(port, database);
      const proxies = await Promise.all(Array.from({ length: servers }, () => startProxy({ host: '127.0.0.1', port })));
      return {
        kind: 'PostgreSQL',
        isShared: true,
        options: (server) => ['--store', `postgres://entail@127.0.0.1:${proxies[server]?.port}/${database}`],
        proxies,
        restartDatabase: () => restartCluster(folder),
        remove: async () => {
          await Promise.all(proxies.map((proxy) => proxy.close()));
        },
      };
    },
    remove: async () => {
      await stopCluster(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function createDatabase(port: number, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: `postgres://entail@127.0.0.1:${port}/postgres` });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
}

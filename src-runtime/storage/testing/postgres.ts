/**
 * A real PostgreSQL for tests, where one is installed: one cluster for the whole test run, with a database for each file that asks for
 * one. The first that asks starts it, and `postgres-setup.ts` stops it.
 */

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { startCluster, TESTER } from './postgres-cluster.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the cluster. */
    readonly postgres: string;
  }
}

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  /** Its address with another user, a password or a port. */
  address(change: { readonly user?: string; readonly password?: string; readonly port?: number }): string;
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
}

/** An empty database. */
export async function testDatabase(): Promise<TestDatabase> {
  const port = await startedCluster(inject('postgres'));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const address: TestDatabase['address'] = ({ user = 'entail', password, ...to }) => {
    const login = password === undefined ? user : `${user}:${encodeURIComponent(password)}`;
    return `postgres://${login}@127.0.0.1:${to.port ?? port}/${name}`;
  };
  await withClient(`postgres://entail@127.0.0.1:${port}/postgres`, (client) => client.query(`CREATE DATABASE ${name}`));
  const query = (sql: string) => withClient(address({}), async (client) => (await client.query(sql)).rows);
  return { name, url: address({}), address, query };
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Starts the cluster unless another worker does, and returns its port. */
async function startedCluster(folder: string): Promise<number> {
  const ready = join(folder, 'ready');
  try {
    mkdirSync(join(folder, 'starting'));
  } catch {
    while (!existsSync(ready)) await pause(20);
    return portIn(ready);
  }
  const port = await startCluster(folder);
  await withClient(`postgres://entail@127.0.0.1:${port}/postgres`, (client) =>
    client.query(`CREATE ROLE ${TESTER.user} LOGIN PASSWORD '${TESTER.password}'`),
  );
  writeFileSync(`${ready}.new`, String(port));
  execFileSync('mv', [`${ready}.new`, ready]);
  return port;
}

const portIn = (file: string) => Number(readFileSync(file, 'utf8'));

/**
 * A real PostgreSQL for tests, where one is installed: one cluster for the whole test run, with a database for each file that asks for
 * one. The first that asks starts it, and `postgres-setup.ts` stops it.
 */

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the cluster. */
    readonly postgres: string;
  }
}

/** Everyone is trusted but this user, who has a password. */
export const TESTER = { user: 'tester', password: 'top#secret' } as const;

const isRoot = userInfo().uid === 0;

/** The folder of the newest programs of PostgreSQL; undefined if it is not installed. */
export const programs = ((): string | undefined => {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((one, other) => Number(other) - Number(one)) : [];
  const folders = [
    ...versions.map((version) => join(root, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) => ['initdb', 'postgres', 'pg_ctl'].every((name) => existsSync(join(folder, name))));
})();

/** Why tests with PostgreSQL are left out. */
export const NO_POSTGRES = 'PostgreSQL is not installed (apt-get install postgresql)';

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
  const port = await freePort();
  startCluster(folder, port);
  // The login that import tests use, and the extension of benchmarks.
  await withClient(`postgres://entail@127.0.0.1:${port}/postgres`, (client) =>
    client.query(`CREATE ROLE ${TESTER.user} LOGIN PASSWORD '${TESTER.password}'`),
  );
  writeFileSync(`${ready}.new`, String(port));
  execFileSync('mv', [`${ready}.new`, ready]);
  return port;
}

const portIn = (file: string) => Number(readFileSync(file, 'utf8'));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A cluster that a kill of the machine would not harm: only its creation is not synced. */
function startCluster(folder: string, port: number, settings: readonly string[] = []): void {
  const data = join(folder, 'data');
  if (isRoot) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, owner()], { encoding: 'utf8' })));
    chownSync(folder, uid ?? 0, gid ?? 0);
  }
  run(folder, 'initdb', ['--no-sync', '--encoding=UTF8', '--locale=C', '--auth=trust', '--username=entail', data]);
  const rules = [`host all ${TESTER.user} all scram-sha-256`, 'local all all trust', 'host all all all trust'];
  writeFileSync(join(data, 'pg_hba.conf'), `${rules.join('\n')}\n`);
  const options = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`, ...settings];
  controlCluster(folder, 'start', ['-o', options.map((option) => `-c ${option}`).join(' '), '-l', join(folder, 'log')]);
}

export function stopCluster(folder: string): void {
  if (existsSync(join(folder, 'data', 'postmaster.pid'))) controlCluster(folder, 'stop', ['--mode=immediate']);
}

function controlCluster(folder: string, command: 'start' | 'stop' | 'restart', args: readonly string[]): void {
  run(folder, 'pg_ctl', [command, '--wait', '-D', join(folder, 'data'), ...args]);
}

/** PostgreSQL refuses to run as root. */
function run(folder: string, name: string, args: readonly string[]): void {
  const program = [join(programs ?? '', name), ...args];
  const [file = '', ...rest] = isRoot ? ['runuser', '-u', owner(), '--', ...program] : program;
  execFileSync(file, rest, { cwd: folder, stdio: 'ignore' });
}

function owner(): string {
  return /^postgres:/m.test(readFileSync('/etc/passwd', 'utf8')) ? 'postgres' : 'nobody';
}

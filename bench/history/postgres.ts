/** A PostgreSQL cluster of a run's own, which may be restarted at any time, with a database and proxies for each run. */

import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startProxy } from './proxy.js';
import type { CheckedStore } from './store.js';

const INSTALLED = '/usr/lib/postgresql';
const USER = 'entail';

/** The folder of the newest programs of PostgreSQL; undefined if it is not installed. */
export const postgresPrograms: string | undefined = existsSync(INSTALLED)
  ? readdirSync(INSTALLED)
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => join(INSTALLED, version, 'bin'))
      .find((folder) => ['initdb', 'pg_ctl', 'psql'].every((name) => existsSync(join(folder, name))))
  : undefined;

export interface Postgres {
  /** An empty database for so many servers. */
  store(servers: number): Promise<CheckedStore>;
  remove(): Promise<void>;
}

export async function startPostgres(): Promise<Postgres> {
  if (postgresPrograms === undefined) throw new Error('PostgreSQL is not installed (apt-get install postgresql)');
  const folder = mkdtempSync(join(tmpdir(), 'entail-history-postgres-'));
  const data = join(folder, 'data');
  const port = await freePort();
  giveToOwner(folder);
  const run = (name: string, args: readonly string[]) => promisify(execFile)(...command(name, args), { cwd: folder });
  /** Its output goes to a file: the server would keep a pipe open. */
  const control = (...args: readonly string[]) =>
    run('pg_ctl', [...args, '--wait', '--silent', '-D', data, '-l', join(folder, 'log')]);
  const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c max_connections=200`;
  await run('initdb', ['--no-sync', '--encoding=UTF8', '--locale=C', '--auth=trust', `--username=${USER}`, data]);
  await control('start', '-o', options);
  return {
    store: async (servers) => {
      const database = `history_${randomUUID().replaceAll('-', '')}`;
      await run('psql', [
        '-h',
        folder,
        '-p',
        String(port),
        '-U',
        USER,
        '-c',
        `CREATE DATABASE ${database}`,
        'postgres',
      ]);
      const proxies = await Promise.all(Array.from({ length: servers }, () => startProxy({ host: '127.0.0.1', port })));
      return {
        kind: 'PostgreSQL',
        options: (server) => ['--store', `postgres://${USER}@127.0.0.1:${proxies[server]?.port}/${database}`],
        proxies,
        restartDatabase: async () => {
          await control('restart', '-m', 'immediate');
        },
        remove: async () => {
          await Promise.all(proxies.map((proxy) => proxy.close()));
        },
      };
    },
    remove: async () => {
      await control('stop', '-m', 'immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
function command(name: string, args: readonly string[]): [file: string, args: readonly string[]] {
  const program = join(postgresPrograms ?? '', name);
  return isRoot() ? ['runuser', ['-u', owner(), '--', program, ...args]] : [program, args];
}

function giveToOwner(folder: string): void {
  if (!isRoot()) return;
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, owner()], { encoding: 'utf8' })));
  chownSync(folder, uid ?? 0, gid ?? 0);
}

function owner(): string {
  return /^postgres:/m.test(readFileSync('/etc/passwd', 'utf8')) ? 'postgres' : 'nobody';
}

function isRoot(): boolean {
  return userInfo().uid === 0;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

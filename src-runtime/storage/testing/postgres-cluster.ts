/** Starts and stops PostgreSQL clusters for tests and benchmarks, if PostgreSQL is installed. */

import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Everyone is trusted but this user, who has a password. */
export const TESTER = { user: 'tester', password: 'top#secret' } as const;

const isRoot = userInfo().uid === 0;

/** The folder of PostgreSQL's programs: the one in `ENTAIL_POSTGRES`, or the newest. Undefined if it is not installed. */
export const programs = ((): string | undefined => {
  const named = process.env['ENTAIL_POSTGRES'];
  if (named) return named;
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((one, other) => Number(other) - Number(one)) : [];
  const folders = [
    ...versions.map((version) => join(root, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) => ['initdb', 'postgres', 'pg_ctl'].every((name) => existsSync(join(folder, name))));
})();

/** Why tests with PostgreSQL are left out. */
export const NO_POSTGRES =
  'PostgreSQL is not installed (apt-get install postgresql), and ENTAIL_POSTGRES names no folder of its programs';

/** Starts a new cluster on a free port, which it returns. Only its creation is not synced. */
export async function startCluster(folder: string, settings: readonly string[] = []): Promise<number> {
  const port = await freePort();
  const data = join(folder, 'data');
  if (isRoot) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, owner()], { encoding: 'utf8' })));
    chownSync(folder, uid ?? 0, gid ?? 0);
  }
  await run(folder, 'initdb', [
    '--no-sync',
    '--encoding=UTF8',
    '--locale=C',
    '--auth=trust',
    '--username=entail',
    data,
  ]);
  const rules = [`host all ${TESTER.user} all scram-sha-256`, 'local all all trust', 'host all all all trust'];
  writeFileSync(join(data, 'pg_hba.conf'), `${rules.join('\n')}\n`);
  const options = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`, ...settings];
  await controlCluster(folder, 'start', ['-o', options.map((option) => `-c ${option}`).join(' ')]);
  return port;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function stopCluster(folder: string): Promise<void> {
  if (existsSync(join(folder, 'data', 'postmaster.pid'))) await controlCluster(folder, 'stop', ['--mode=immediate']);
}

/** As after a crash: connections break, and the log is replayed. */
export function restartCluster(folder: string): Promise<void> {
  return controlCluster(folder, 'restart', ['--mode=immediate']);
}

/** The log of the server goes to a file, because the server would keep a pipe open. */
function controlCluster(folder: string, command: 'start' | 'stop' | 'restart', args: readonly string[]): Promise<void> {
  const data = ['-D', join(folder, 'data'), '-l', join(folder, 'log')];
  return run(folder, 'pg_ctl', [command, '--wait', '--silent', ...data, ...args]);
}

/** PostgreSQL refuses to run as root. */
async function run(folder: string, name: string, args: readonly string[]): Promise<void> {
  const program = [join(programs ?? '', name), ...args];
  const [file = '', ...rest] = isRoot ? ['runuser', '-u', owner(), '--', ...program] : program;
  await promisify(execFile)(file, rest, { cwd: folder });
}

function owner(): string {
  return /^postgres:/m.test(readFileSync('/etc/passwd', 'utf8')) ? 'postgres' : 'nobody';
}

/** Server processes of the history check: started, killed, paused and restarted at the same address. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

export const TOKEN = 'history';
/** A request that takes longer fails, so that clients learn its outcome. */
const TIMEOUT_MS = 4_000;
const RECOVERY_MS = 30_000;
const ERROR_LINES = 20;

export interface Server {
  readonly index: number;
  readonly port: number;
  /** Of the process that runs now. */
  readonly pid: number;
  kill(): Promise<void>;
  /** SIGTERM. Resolves to the exit code. */
  stop(): Promise<number | null>;
  start(): Promise<void>;
  pause(): void;
  resume(): void;
  /** Resolves once `/readyz` answers 200. Throws with the last lines of its log if that takes too long. */
  recover(): Promise<void>;
}

/** `program` is the built command line, `options` those of `serve`. */
export async function startServer(index: number, program: string, options: readonly string[]): Promise<Server> {
  let child: ChildProcess | undefined;
  let port = 0;
  const log: string[] = [];
  const note = (line: string) => {
    log.push(line);
    if (log.length > ERROR_LINES) log.shift();
  };
  const start = async () => {
    const args = [
      program,
      'serve',
      ...options,
      '--port',
      String(port),
      '--token',
      TOKEN,
      '--grant',
      'fork,forget,reload',
    ];
    const limits = ['--timeout-ms', String(TIMEOUT_MS), '--log-level', 'warn'];
    const started = spawn(process.execPath, [...args, ...limits], { stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    createInterface(started.stderr).on('line', note);
    const ended = once(started, 'close').then(([code]) => {
      throw new Error(`Server ${index} ended with ${code} instead of starting:\n${log.join('\n')}`);
    });
    const [line] = (await Promise.race([once(createInterface(started.stdout), 'line'), ended])) as [string];
    // A later end is expected by whoever causes it.
    ended.catch(() => undefined);
    port = Number(new URL((JSON.parse(line) as { url: string }).url).port);
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const ending = child;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return ending?.exitCode ?? null;
    const closed = once(ending, 'close');
    ending.kill(signal);
    const [code] = (await closed) as [number | null];
    return code;
  };
  await start();
  return {
    index,
    port,
    get pid() {
      return child?.pid ?? 0;
    },
    start,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
    pause: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    recover: async () => {
      const untilMs = performance.now() + RECOVERY_MS;
      while (!(await isReady(port))) {
        if (performance.now() > untilMs) throw new Error(`Server ${index} does not recover:\n${log.join('\n')}`);
        await pause(50);
      }
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}

/** Runs a command of `entail` to its end. Resolves to what it printed; rejects if it fails. */
export async function runEntail(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { maxBuffer: 2 ** 30 });
  return stdout;
}

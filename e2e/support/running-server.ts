/** Runs the servers of journeys: one after another in a shared process, or in a separate one that can be killed. */

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repository } from './temporary-folder.js';

export interface RunningServer {
  /** The line printed when the server was ready. */
  readonly ready: string;
  /** Shuts it down gracefully. */
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

/** Starts `entail serve` with these arguments, and appends its stderr to `errors`. Rejects if it ends before it is ready. */
export type StartServer = (args: readonly string[], errors: string[]) => Promise<RunningServer>;

export interface ServerHost {
  readonly start: StartServer;
  end(): Promise<void>;
}

/** A message to the host: start a run with these arguments, or end it if there are no arguments. */
export interface HostOrder {
  readonly run: number;
  readonly args?: readonly string[];
}

/** A message from the host about a run: its ready line, text of its stderr, or its end with the exit code. */
export interface HostReport {
  readonly run: number;
  readonly what: 'ready' | 'errors' | 'end';
  readonly text: string;
}

/** Starts a process that several servers share, because most of a server's start is loading JavaScript modules. */
export function startServerHost(): ServerHost {
  const child = fork(join(repository, 'e2e/support/server-host.mjs'), { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const errorOutput: string[] = [];
  listen(child, errorOutput);
  const exited = once(child, 'close').then(([code, signal]): never => {
    throw new Error(
      `The process that hosts the servers of the journeys has ended (${code ?? signal}).\n${errorOutput.join('')}`,
    );
  });
  // Callers that wait for a server get the error. This handler prevents an unhandled rejection.
  exited.catch(() => undefined);
  const reports = new EventEmitter();
  child.on('message', (message) => {
    const { run, what, text } = message as HostReport;
    reports.emit(`${what} ${run}`, text);
  });
  // Sending to an ended process does nothing, because `gone` already reports the end.
  const order = (what: HostOrder): void => void child.send(what, () => undefined);
  let runs = 0;
  return {
    async start(args, errors) {
      runs += 1;
      const run = runs;
      const ended = once(reports, `end ${run}`);
      const ready = once(reports, `ready ${run}`);
      reports.on(`errors ${run}`, (text: string) => errors.push(text));
      order({ run, args });
      const [line] = await Promise.race([ready, ended.then(() => []), exited]);
      return {
        ready: lineOf(line, errors),
        async stop() {
          order({ run });
          await Promise.race([ended, exited]);
        },
        async kill() {
          throw new Error('To kill the server, a journey needs test.use({ ownProcess: true }).');
        },
      };
    },
    async end() {
      child.kill();
      await exited.catch(() => undefined);
    },
  };
}

export const startInOwnProcess: StartServer = async (args, errors) => {
  const child = spawn(process.execPath, [join(repository, 'out/main/entail.js'), 'serve', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  listen(child, errors);
  const ended = once(child, 'close');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended.then(() => [])]);
  return { ready: lineOf(line, errors), stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
};

function listen({ stderr }: Pick<ChildProcess, 'stderr'>, errors: string[]): void {
  stderr?.setEncoding('utf8').on('data', (text: string) => errors.push(text));
}

function lineOf(line: string | undefined, errors: readonly string[]): string {
  if (line === undefined) throw new Error(`entail serve ended before it was ready:\n${errors.join('')}`);
  return line;
}

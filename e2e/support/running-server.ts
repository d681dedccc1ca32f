/** The servers of journeys: one after the other in a process that they share, or each in its own, where it may be killed. */

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repository } from './temporary-folder.js';

export interface RunningServer {
  /** The line that it printed when it was ready. */
  readonly ready: string;
  /** Shuts it down gracefully. */
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

/** Starts `entail serve` with these arguments; what it prints on stderr is added to `said`. Rejects where it ends too early. */
export type StartServer = (args: readonly string[], said: string[]) => Promise<RunningServer>;

export interface ServerHost {
  readonly start: StartServer;
  end(): Promise<void>;
}

/** A message to the host: start a run with these arguments, or end it if there are no arguments. */
export interface HostOrder {
  readonly run: number;
  readonly args?: readonly string[];
}

/** What the host says of a run: its line when it is ready, what it prints as errors, and that it has ended. */
export interface HostReport {
  readonly run: number;
  readonly what: 'ready' | 'errors' | 'end';
  readonly text: string;
}

/** A process whose servers find their modules loaded: to load them is most of what it takes to start one. */
export function startServerHost(): ServerHost {
  const child = fork(join(repository, 'e2e/support/server-host.mjs'), { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const lastWords: string[] = [];
  listen(child, lastWords);
  const gone = once(child, 'close').then(([code, signal]): never => {
    throw new Error(
      `The process that hosts the servers of the journeys has ended (${code ?? signal}).\n${lastWords.join('')}`,
    );
  });
  // Callers that wait for a server get the error. This handler prevents an unhandled rejection.
  gone.catch(() => undefined);
  const reports = new EventEmitter();
  child.on('message', (message) => {
    const { run, what, text } = message as HostReport;
    reports.emit(`${what} ${run}`, text);
  });
  // Sending to an ended process does nothing, because `gone` already reports the end.
  const order = (what: HostOrder): void => void child.send(what, () => undefined);
  let runs = 0;
  return {
    async start(args, said) {
      runs += 1;
      const run = runs;
      const ended = once(reports, `end ${run}`);
      const ready = once(reports, `ready ${run}`);
      reports.on(`errors ${run}`, (errors: string) => said.push(errors));
      order({ run, args });
      const [line] = await Promise.race([ready, ended.then(() => []), gone]);
      return {
        ready: lineOf(line, said),
        async stop() {
          order({ run });
          await Promise.race([ended, gone]);
        },
        async kill() {
          throw new Error('A journey that kills its server says so: test.use({ ownProcess: true }).');
        },
      };
    },
    async end() {
      child.kill();
      await gone.catch(() => undefined);
    },
  };
}

export const startInOwnProcess: StartServer = async (args, said) => {
  const child = spawn(process.execPath, [join(repository, 'out/main/entail.js'), 'serve', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  listen(child, said);
  const ended = once(child, 'close');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended.then(() => [])]);
  return { ready: lineOf(line, said), stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
};

function listen({ stderr }: Pick<ChildProcess, 'stderr'>, said: string[]): void {
  stderr?.setEncoding('utf8').on('data', (errors: string) => said.push(errors));
}

function lineOf(line: string | undefined, said: readonly string[]): string {
  if (line === undefined) throw new Error(`entail serve ended before it was ready:\n${said.join('')}`);
  return line;
}

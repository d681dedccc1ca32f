/** A journey's own server: the built `entail serve` on a copy of the sample module, and the page that it offers. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test as base, expect } from '@playwright/test';
import { copySample, repository, withTemporaryFolder } from './temporary-folder.js';

export interface ServedWorkbench {
  /** Bare origin of the server. */
  readonly url: string;
  readonly token: string;
  /** What a user opens: the page's address with the token in it. */
  readonly address: string;
  /** The module file that is served, for journeys that look at what was saved. */
  readonly moduleFile: string;
  /** Ends the server in good order. */
  stop(): Promise<void>;
  /** Ends the server as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again at the same address, on the same module and data. */
  start(): Promise<void>;
}

/** Texts by file name, of a journey that brings modules of its own. */
export type ModuleTexts = Readonly<Record<string, string>>;

export const test = base.extend<{
  modules: ModuleTexts | undefined;
  /** Wall-clock budget of a request; that of `entail serve` unless given. */
  timeoutMs: number | undefined;
  /** Rows of a read that is not paged, and of a page at most; those of `entail serve` unless given. */
  rowCap: number | undefined;
  /** Listens for other machines too, under a token of its choice. */
  allowRemote: boolean;
  workbench: ServedWorkbench;
}>({
  modules: [undefined, { option: true }],
  timeoutMs: [undefined, { option: true }],
  rowCap: [undefined, { option: true }],
  allowRemote: [false, { option: true }],
  workbench: async ({ modules, timeoutMs, rowCap, allowRemote }, use) => {
    const options = [
      ...(timeoutMs === undefined ? [] : ['--timeout-ms', String(timeoutMs)]),
      ...(rowCap === undefined ? [] : ['--row-cap', String(rowCap)]),
      ...(allowRemote ? ['--host', '0.0.0.0', '--allow-remote', '--token', 'chosen'] : []),
    ];
    await withTemporaryFolder(async (folder) => {
      const server = await serve(folder, modules, options);
      try {
        await use(server);
      } finally {
        await server.kill();
      }
    });
  },
});

export { expect };

interface ReadyLine {
  readonly url: string;
  readonly token: string;
}

async function serve(
  folder: string,
  modules: ModuleTexts | undefined,
  options: readonly string[],
): Promise<ServedWorkbench> {
  const files = modules === undefined ? [copySample('lease', folder)] : writeModules(folder, modules);
  const [moduleFile = ''] = files;
  const args = [...files, '--data', join(folder, 'data'), '--watch', ...options];
  let { child, ready } = await startServer(args);
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return {
    url: ready.url,
    token: ready.token,
    address: `${ready.url}/#token=${ready.token}`,
    moduleFile,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async start() {
      ({ child, ready } = await startServer([...args, '--port', new URL(ready.url).port, '--token', ready.token]));
    },
  };
}

function writeModules(folder: string, modules: ModuleTexts): string[] {
  return Object.entries(modules).map(([file, text]) => {
    writeFileSync(join(folder, file), text);
    return join(folder, file);
  });
}

async function startServer(args: readonly string[]): Promise<{ child: ChildProcess; ready: ReadyLine }> {
  const child = spawn(process.execPath, [join(repository, 'out/main/entail.js'), 'serve', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [undefined])])) as [
    string | undefined,
  ];
  if (line === undefined) throw new Error(`entail serve ended before it was ready:\n${errors}`);
  return { child, ready: JSON.parse(line) as ReadyLine };
}

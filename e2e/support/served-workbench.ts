/**
 * A journey's own server: the built `entail serve` on a copy of the sample module, and the page that it offers. The servers of a
 * worker share a process, one after the other, but for those that a journey kills.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { type ServerHost, startInOwnProcess, startServerHost } from './running-server.js';
import { copySample, withTemporaryFolder } from './temporary-folder.js';

export interface ServedWorkbench {
  /** Bare origin of the server. */
  readonly url: string;
  readonly token: string;
  /** What a user opens: the page's address with the token in it. */
  readonly address: string;
  /** The module file that is served, for journeys that look at what was saved. */
  readonly moduleFile: string;
  /** Shuts the server down gracefully. */
  stop(): Promise<void>;
  /** Kills the server as a power cut would, if it has a separate process. */
  kill(): Promise<void>;
  /** Starts it again at the same address, on the same module and data. */
  start(): Promise<void>;
}

/** Texts by file name, for a journey with its own modules. */
export type ModuleTexts = Readonly<Record<string, string>>;

export interface ServedOptions {
  modules: ModuleTexts | undefined;
  /** Wall-clock budget of a request; that of `entail serve` unless given. */
  timeoutMs: number | undefined;
  /** Rows of a read that is not paged, and of a page at most; those of `entail serve` unless given. */
  rowCap: number | undefined;
  /** Listens for other machines too, under a token of its choice. */
  allowRemote: boolean;
  /** Shares its process with no other server, so that it can be killed, or measured. */
  ownProcess: boolean;
}

export const test = base.extend<ServedOptions & { workbench: ServedWorkbench }, { host: ServerHost }>({
  modules: [undefined, { option: true }],
  timeoutMs: [undefined, { option: true }],
  rowCap: [undefined, { option: true }],
  allowRemote: [false, { option: true }],
  ownProcess: [false, { option: true }],
  host: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use) => {
      const host = startServerHost();
      await use(host);
      await host.end();
    },
    { scope: 'worker' },
  ],
  workbench: async ({ modules, timeoutMs, rowCap, allowRemote, ownProcess, host }, use, testInfo) => {
    const options = [
      ...(timeoutMs === undefined ? [] : ['--timeout-ms', String(timeoutMs)]),
      ...(rowCap === undefined ? [] : ['--row-cap', String(rowCap)]),
      ...(allowRemote ? ['--host', '0.0.0.0', '--allow-remote', '--token', 'chosen'] : []),
    ];
    await withTemporaryFolder(async (folder) => {
      const files = modules === undefined ? [copySample('lease', folder)] : writeModules(folder, modules);
      const [moduleFile = ''] = files;
      const args = [...files, '--data', join(folder, 'data'), '--watch', '--log-level', 'warn', ...options];
      const said: string[] = [];
      const start = (more: readonly string[] = []) =>
        (ownProcess ? startInOwnProcess : host.start)([...args, ...more], said);
      let server = await start();
      const { url, token } = JSON.parse(server.ready) as ReadyLine;
      try {
        await use({
          url,
          token,
          address: `${url}/#token=${token}`,
          moduleFile,
          stop: () => server.stop(),
          kill: () => server.kill(),
          async start() {
            server = await start(['--port', new URL(url).port, '--token', token]);
          },
        });
      } finally {
        await (ownProcess ? server.kill() : server.stop()).finally(() => {
          // A failure includes the server's output.
          if (testInfo.status !== testInfo.expectedStatus) process.stderr.write(said.join(''));
        });
      }
    });
  },
});

export { expect };

interface ReadyLine {
  readonly url: string;
  readonly token: string;
}

function writeModules(folder: string, modules: ModuleTexts): string[] {
  return Object.entries(modules).map(([file, text]) => {
    writeFileSync(join(folder, file), text);
    return join(folder, file);
  });
}

/**
 * Starts the built `entail serve` for a journey, on a copy of the sample module. The servers of a worker share a process,
 * one after another, except those with `ownProcess`.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { type ServerHost, startInOwnProcess, startServerHost } from './running-server.js';
import { copySample, withTemporaryFolder } from './temporary-folder.js';

export interface ServedWorkbench {
  /** Origin of the server. */
  readonly url: string;
  readonly token: string;
  /** Address of the page, including the token. */
  readonly address: string;
  /** The served module file. */
  readonly moduleFile: string;
  /** Shuts the server down gracefully. */
  stop(): Promise<void>;
  /** Kills the server as a power cut would, if it has a separate process. */
  kill(): Promise<void>;
  /** Starts it again at the same address, on the same module and data. */
  start(): Promise<void>;
}

/** Module texts by file name. */
export type ModuleTexts = Readonly<Record<string, string>>;

export interface ServedOptions {
  modules: ModuleTexts | undefined;
  /** Time limit of a request. Default: that of `entail serve`. */
  timeoutMs: number | undefined;
  /** Maximum rows of a page and of a read without paging. Default: that of `entail serve`. */
  rowCap: number | undefined;
  /** Also listens for other machines, with the token `chosen`. */
  allowRemote: boolean;
  /** Runs in a separate process, which can be killed or measured. */
  ownProcess: boolean;
  /** Panels are loaded before they are opened. Default: false, because that is a third of the work of opening the page. */
  prefetch: boolean;
}

export const test = base.extend<ServedOptions & { workbench: ServedWorkbench }, { host: ServerHost }>({
  modules: [undefined, { option: true }],
  timeoutMs: [undefined, { option: true }],
  rowCap: [undefined, { option: true }],
  allowRemote: [false, { option: true }],
  ownProcess: [false, { option: true }],
  prefetch: [false, { option: true }],
  context: async ({ context, prefetch }, use) => {
    if (!prefetch) await context.addInitScript(neverIdle);
    await use(context);
  },
  host: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from the pattern.
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
      const errors: string[] = [];
      const start = (more: readonly string[] = []) =>
        (ownProcess ? startInOwnProcess : host.start)([...args, ...more], errors);
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
          // Shows the stderr of the server if the test failed.
          if (testInfo.status !== testInfo.expectedStatus) process.stderr.write(errors.join(''));
        });
      }
    });
  },
});

export { expect };

/** As in a browser that is always busy: only idle work with a timeout runs. */
function neverIdle(): void {
  const request = window.requestIdleCallback.bind(window);
  window.requestIdleCallback = (run, options) => (options?.timeout === undefined ? 0 : request(run, options));
}

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

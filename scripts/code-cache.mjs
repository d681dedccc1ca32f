/**
 * Starts the built application once, so that it writes V8's compiled code beside its scripts (`src-main/cached-script.ts`). The package
 * contains this code: an installed application loads no code from a folder that other programs can write to.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { electronArguments, hasDisplay } from './electron-binary.mjs';

/** @type {Partial<Record<NodeJS.Platform, string>>} */
const EXECUTABLES = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };

const TIMEOUT_MS = 60_000;

/**
 * @param {string} distribution the folder of the Electron that will run the application
 * @param {string} root the folder of the built project
 * @returns {boolean} false if the application could not be started, as without a display and `xvfb-run`
 */
export function writeCodeCache(distribution, root) {
  const folder = mkdtempSync(join(tmpdir(), 'entail-code-cache-'));
  const scripts = ['electron-entry-first.cjs', 'code-cache-run.cjs'].map((name) => join(root, 'scripts', name));
  const executable = join(distribution, EXECUTABLES[process.platform] ?? 'electron');
  try {
    const start = [executable, ...electronArguments(), root];
    const [command = '', ...args] = hasDisplay() ? start : ['xvfb-run', '-a', ...start];
    const { status } = spawnSync(command, args, {
      stdio: 'ignore',
      timeout: TIMEOUT_MS,
      env: {
        ...process.env,
        NODE_OPTIONS: scripts.map((script) => `--require ${JSON.stringify(script)}`).join(' '),
        ENTAIL_CODE_CACHE: 'write',
        ENTAIL_USER_DATA: join(folder, 'data'),
        XDG_CONFIG_HOME: join(folder, 'config'),
      },
    });
    return status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

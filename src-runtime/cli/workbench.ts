/** `entail workbench`: serves the workbench on the user's copy of the sample, and prints the address to open. */

import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { serveCommand } from './serve.js';
import type { ServeOptions } from './serve-options.js';
import { CommandFailure, type Installation, type Terminal } from './terminal.js';

export async function workbenchCommand(
  options: ServeOptions,
  installation: Installation,
  terminal: Terminal,
): Promise<number> {
  if (installation.page === undefined || installation.sample === undefined) {
    throw new CommandFailure('The workbench is not built. Run npm run build.');
  }
  const home = userFolder(process.platform, terminal.environment, homedir());
  const module = join(home, 'modules/lease.entail');
  await copyOnce(installation.sample, module);
  const workbench = { watch: true, projects: join(home, 'projects'), ...options };
  return await serveCommand([module], workbench, installation, terminal, ({ url, token }) =>
    terminal.out(`Open ${url}/#token=${token}\nYour copy of the sample is ${module}.\nCtrl+C stops it.\n`),
  );
}

/** Where systems keep the data of a program. The desktop application has another folder, because a project's facts have one owner. */
export function userFolder(platform: NodeJS.Platform, environment: Terminal['environment'], home: string): string {
  const folder = 'entail-workbench';
  if (platform === 'darwin') return join(home, 'Library/Application Support', folder);
  if (platform === 'win32') return join(environment['LOCALAPPDATA'] || join(home, 'AppData/Local'), folder);
  return join(environment['XDG_DATA_HOME'] || join(home, '.local/share'), folder);
}

/** Keeps a copy that the user has changed. */
async function copyOnce(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

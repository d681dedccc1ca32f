/**
 * Installs the `entail` command of a packed application: a small script in a folder of the user's path that runs the application
 * with `--cli`. It never replaces a file that it did not write.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, posix, win32 } from 'node:path';
import { app } from 'electron';
import { ask } from './dialogs.js';

/** The menu's command: installs, and says where. On macOS the folder is everybody's, so it asks first. */
export async function offerCommand(): Promise<void> {
  const { platform, env: environment, execPath: program } = process;
  const system = { platform, home: homedir(), environment, program };
  const box = { title: 'Entail', noLink: true };
  if (!app.isPackaged) {
    const detail = 'In a checkout, run npm run -s entail -- COMMAND.';
    await ask({ ...box, type: 'info', message: 'Only an installed application has the command.', detail });
    return;
  }
  if (platform === 'darwin') {
    const message = `Install the command entail as ${commandFile(system)}?`;
    const buttons = ['Install', 'Cancel'];
    if ((await ask({ ...box, type: 'question', message, buttons, cancelId: 1 })) !== 0) return;
  }
  const result = await installCommand(system);
  if (!result.installed) {
    await ask({ ...box, type: 'warning', message: 'The command entail was not installed.', detail: result.reason });
    return;
  }
  const detail = result.isOnPath
    ? 'Run entail --help in a new terminal.'
    : `${dirname(result.file)} is not on your path. Add it to PATH.\n\nThen run entail --help in a new terminal.`;
  await ask({ ...box, type: 'info', message: `The command entail is ${result.file}.`, detail });
}

/** What the script depends on. */
export interface CommandSystem {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The application's program. An AppImage is mounted at another place each time, and names its own file in `APPIMAGE`. */
  readonly program: string;
}

export type InstalledCommand =
  | { readonly installed: true; readonly file: string; readonly isOnPath: boolean }
  | { readonly installed: false; readonly file: string; readonly reason: string };

const MARK = 'Installed by Entail.';

export async function installCommand(system: CommandSystem): Promise<InstalledCommand> {
  const file = commandFile(system);
  const existing = await readFile(file, 'utf8').catch(() => undefined);
  if (existing !== undefined && !existing.includes(MARK)) {
    return { installed: false, file, reason: `${file} is another program. Remove or rename it first.` };
  }
  try {
    await mkdir(dirname(file), { recursive: true });
    // A file that appeared meanwhile is not replaced either.
    await writeFile(file, commandScript(system), { mode: 0o755, flag: existing === undefined ? 'wx' : 'w' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
        ? `You may not write to ${dirname(file)}. Ask an administrator, or make the folder yours.`
        : message;
    return { installed: false, file, reason };
  }
  return { installed: true, file, isOnPath: isOnPath(system, file) };
}

/** Where the command goes: a folder that is on the path of most installations of the system. */
export function commandFile({ platform, home, environment }: CommandSystem): string {
  if (platform === 'darwin') return '/usr/local/bin/entail';
  if (platform === 'win32') {
    return win32.join(
      environment['LOCALAPPDATA'] || win32.join(home, 'AppData\\Local'),
      'Microsoft\\WindowsApps\\entail.cmd',
    );
  }
  return posix.join(home, '.local/bin/entail');
}

export function commandScript({ platform, environment, program }: CommandSystem): string {
  if (platform === 'win32') return `@rem ${MARK}\r\n@"${program.replaceAll('%', '%%')}" --log-level=3 --cli -- %*\r\n`;
  const file = (platform === 'linux' && environment['APPIMAGE']) || program;
  // The command shows no pages, so that it needs no sandbox for them, and no display.
  const headless = platform === 'linux' ? ' --no-sandbox --no-zygote --ozone-platform=headless' : '';
  return `#!/bin/sh\n# ${MARK}\nexec '${file.replaceAll("'", "'\\''")}'${headless} --log-level=3 --cli -- "$@"\n`;
}

function isOnPath({ platform, environment }: CommandSystem, file: string): boolean {
  const windows = platform === 'win32';
  const path = environment['PATH'] ?? environment['Path'] ?? '';
  const folder = windows ? win32.dirname(file).toLowerCase() : posix.dirname(file);
  return path.split(windows ? ';' : ':').some((each) => (windows ? each.toLowerCase() : each) === folder);
}

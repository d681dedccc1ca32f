/** When a process started, which tells it from a later one with the same id. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** In the unit of `/proc`, which no change of the clock affects; undefined without `/proc`. */
export async function startOf(pid: number): Promise<string | undefined> {
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const ticks = (await statusOf(pid))?.[19];
    return ticks === undefined ? undefined : `${boot}/${ticks}`;
  } catch {
    return undefined;
  }
}

/** The fields of a process in /proc from its state on (field 3), or undefined without `/proc`. The start time is field 22. */
export async function statusOf(pid: number): Promise<readonly string[] | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The command's name comes second, in parentheses, and may hold spaces.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

interface ProcessSystem {
  readonly platform: NodeJS.Platform;
  /** The standard output of a program. Rejects if it fails. */
  run(file: string, args: readonly string[]): Promise<string>;
}

const nodeSystem: ProcessSystem = { platform: process.platform, run };

/** By asking a program of the system, which takes up to a second on Windows; undefined if there is no answer. */
export async function startTimeOf(pid: number, system = nodeSystem): Promise<Date | undefined> {
  try {
    const text =
      system.platform === 'win32'
        ? await system.run('powershell.exe', [
            '-NoProfile',
            '-NonInteractive',
            '-Command',
            `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString('o')`,
          ])
        : await system.run('ps', ['-o', 'lstart=', '-p', String(pid)]);
    const time = new Date(text.trim());
    return Number.isNaN(time.getTime()) ? undefined : time;
  } catch {
    return undefined;
  }
}

const ANSWER_MAX_MS = 5_000;

/** The C locale makes `ps` print English dates. */
function run(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      file,
      [...args],
      { timeout: ANSWER_MAX_MS, windowsHide: true, env: { ...process.env, LC_ALL: 'C' } },
      (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
    );
  });
}

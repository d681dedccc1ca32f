/** Start times of processes, from the programs of each system. */

import { expect, it } from 'vitest';
import { startTimeOf } from './process-start.js';

/** Runs no program, and records which it was asked to run. */
function system(platform: NodeJS.Platform, output: string) {
  const asked: string[] = [];
  return {
    platform,
    asked,
    async run(file: string, args: readonly string[]) {
      asked.push([file, ...args].join(' '));
      return output;
    },
  };
}

it('asks ps on macOS', async () => {
  const mac = system('darwin', 'Sat Nov 28 15:51:03 2026    \n');
  expect(await startTimeOf(42, mac)).toEqual(new Date(2026, 10, 28, 15, 51, 3));
  expect(mac.asked).toEqual(['ps -o lstart= -p 42']);
});

it('asks PowerShell on Windows', async () => {
  const windows = system('win32', '2026-11-28T15:51:03.1234567Z\r\n');
  expect((await startTimeOf(42, windows))?.toISOString()).toBe('2026-11-28T15:51:03.123Z');
  expect(windows.asked[0]).toMatch(/^powershell\.exe .*Get-Process -Id 42/);
});

it('is undefined without an answer', async () => {
  expect(await startTimeOf(42, system('win32', ''))).toBeUndefined();
  const failing = { platform: 'darwin' as const, run: () => Promise.reject(new Error('no ps')) };
  expect(await startTimeOf(42, failing)).toBeUndefined();
});

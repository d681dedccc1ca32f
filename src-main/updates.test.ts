/** Updates: the questions, and that nothing is downloaded or installed without a yes. */

import type { MessageBoxOptions } from 'electron';
import { expect, it, vi } from 'vitest';
import { offerUpdate, type Updater } from './updates.js';

vi.mock('electron', () => ({ app: { isPackaged: false } }));

/** Records the calls, and presses the buttons in order. */
function updater(available: boolean, buttons: readonly number[], failure?: string) {
  const calls: string[] = [];
  const fake: Updater = {
    autoDownload: true,
    autoInstallOnAppQuit: true,
    setFeedURL: (address) => void calls.push(`feed ${address}`),
    checkForUpdates: async () => {
      calls.push('check');
      return { isUpdateAvailable: available, updateInfo: { version: '2.0.0' } };
    },
    downloadUpdate: async () => {
      calls.push('download');
      if (failure !== undefined) throw new Error(failure);
    },
    quitAndInstall: () => void calls.push('restart'),
  };
  const pressed = [...buttons];
  const choose = async ({ message }: MessageBoxOptions): Promise<number> => {
    calls.push(message);
    return pressed.shift() ?? 1;
  };
  return { fake, calls, choose };
}

const AVAILABLE = 'Entail 2.0.0 is available.';
const DOWNLOADED = 'Entail 2.0.0 was downloaded.';

it.each([
  ['no update', false, [], ['check']],
  ['Later', true, [1], ['check', AVAILABLE]],
  ['Download, then Later', true, [0, 1], ['check', AVAILABLE, 'download', DOWNLOADED]],
  ['Download, then Restart', true, [0, 0], ['check', AVAILABLE, 'download', DOWNLOADED, 'restart']],
] as const)('asks before each step: %s', async (_what, available, buttons, expected) => {
  const { fake, calls, choose } = updater(available, buttons);
  await offerUpdate(fake, undefined, choose);
  expect(calls).toEqual(expected);
  expect([fake.autoDownload, fake.autoInstallOnAppQuit]).toEqual([false, false]);
});

it('says why a download failed', async () => {
  const { fake, calls, choose } = updater(true, [0], 'no space left');
  await offerUpdate(fake, undefined, choose);
  expect(calls).toEqual(['check', AVAILABLE, 'download', 'Entail 2.0.0 was not downloaded.']);
});

it.each([
  ['https://example.org/entail', true],
  ['http://127.0.0.1:8000/', true],
  ['http://example.org/entail', false],
  ['file:///feed', false],
  ['feed', false],
])('uses the feed %s: %s', async (feed, isUsed) => {
  const { fake, calls, choose } = updater(false, []);
  await offerUpdate(fake, feed, choose);
  expect(calls).toEqual(isUsed ? [`feed ${feed}`, 'check'] : []);
});

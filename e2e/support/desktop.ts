/** Runs the built desktop application for one journey, with separate user data, in this machine's Electron. */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, test as base, type ElectronApplication, expect, type Page } from '@playwright/test';
import { electronArguments, electronBinary, electronDistribution, hasDisplay } from '../../scripts/electron-binary.mjs';
import { repository, withTemporaryFolder } from './temporary-folder.js';

export interface Desktop {
  readonly application: ElectronApplication;
  /** The page in the only window. */
  readonly page: Page;
  /** Where the application keeps module files, data and settings. */
  readonly userData: string;
}

interface Fixtures {
  userData: string;
  desktop: Desktop;
  /** Folder of the Electron that runs the journeys, to pack it. */
  distribution: string;
  /** A disk of 4 MB. */
  smallDisk: string;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from the pattern.
  userData: async ({}, use) => {
    await withTemporaryFolder(use);
  },
  desktop: async ({ userData }, use) => {
    const reason = skipReason();
    test.skip(reason !== undefined, reason);
    const desktop = await openDesktop(userData);
    try {
      await use(desktop);
    } finally {
      await desktop.application.close();
    }
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  smallDisk: async ({}, use) => {
    await withTemporaryFolder(async (folder) => {
      test.skip(!mounted(folder), 'Mounting a small disk needs root on Linux.');
      try {
        await use(folder);
      } finally {
        // The desktop may still have its journal open.
        execFileSync('umount', ['--lazy', folder]);
      }
    });
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  distribution: async ({}, use) => {
    const folder = distributionHere();
    const reason = skipReason() ?? (folder === undefined ? 'The folder of this Electron cannot be packed.' : undefined);
    test.skip(reason !== undefined, reason);
    await use(folder ?? '');
  },
});

export { expect };

function mounted(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The executable and arguments to start: by default the built application in the Electron of this machine. */
interface Program {
  readonly executable: string;
  readonly args: readonly string[];
}

export async function openDesktop(
  userData: string,
  { executable, args }: Program = { executable: electronBinary() ?? '', args: [repository] },
): Promise<Desktop> {
  const application = await _electron.launch({
    executablePath: executable,
    args: [...electronArguments(), ...args],
    cwd: repository,
    env: { ...(process.env as Record<string, string>), ENTAIL_USER_DATA: userData },
  });
  return { application, page: await application.firstWindow(), userData };
}

/**
 * Chooses an item of the menus by its id or label. It runs after the evaluation has answered, because V8 may drop an answer that waits
 * ("Resulting promise was garbage collected").
 */
export async function chooseItem({ application }: Desktop, idOrLabel: string): Promise<void> {
  const isFound = await application.evaluate(({ Menu }, wanted) => {
    const itemsOf = (menu: Electron.Menu | null | undefined): Electron.MenuItem[] =>
      menu?.items.flatMap((item) => [item, ...itemsOf(item.submenu)]) ?? [];
    const item = itemsOf(Menu.getApplicationMenu()).find(
      ({ id, label }) => id === wanted || label.replace('&', '') === wanted,
    );
    if (item !== undefined) setImmediate(() => item.click());
    return item !== undefined;
  }, idOrLabel);
  expect(isFound, `${idOrLabel} is in the menus`).toBe(true);
}

/** The reason why the desktop cannot run on this machine, or undefined if it can. */
function skipReason(): string | undefined {
  if (electronBinary() === undefined) {
    return 'No Electron binary found. Run `npm start` on a machine with a display to download it, or set ENTAIL_ELECTRON.';
  }
  return hasDisplay() ? undefined : 'No display found. Run the tests under `xvfb-run -a`.';
}

function distributionHere(): string | undefined {
  const folder = electronDistribution();
  return folder !== undefined && existsSync(join(folder, 'version')) ? folder : undefined;
}

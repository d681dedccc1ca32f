/**
 * Offers updates of a packed application, if it has a feed: the one that the package was built with, or the one of the settings.
 * Without a feed it makes no request. It asks before it downloads, and again before it restarts.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, type MessageBoxOptions } from 'electron';
import { ask } from './dialogs.js';

/** The part of electron-updater's `AppUpdater` that is used here. */
export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  setFeedURL(address: string): void;
  checkForUpdates(): Promise<{
    readonly isUpdateAvailable: boolean;
    readonly updateInfo: { readonly version: string };
  } | null>;
  downloadUpdate(): Promise<unknown>;
  quitAndInstall(): void;
}

/** Once a start, after the window is open. A feed that cannot be reached must not disturb anyone. */
export async function startUpdates(ownFeed: string | undefined): Promise<void> {
  if (!app.isPackaged || (ownFeed === undefined && !hasBuiltInFeed())) return;
  // Loaded only where there is a feed.
  const { autoUpdater } = (await import('electron-updater')).default;
  await offerUpdate(autoUpdater, ownFeed, ask).catch(() => undefined);
}

/** electron-updater reads this file. It has no address in a package without a feed (scripts/dist.mjs). */
function hasBuiltInFeed(): boolean {
  const file = join(process.resourcesPath, 'app-update.yml');
  return existsSync(file) && /^url:/m.test(readFileSync(file, 'utf8'));
}

export async function offerUpdate(
  updater: Updater,
  ownFeed: string | undefined,
  choose: (question: MessageBoxOptions) => Promise<number>,
): Promise<void> {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  if (ownFeed !== undefined) {
    if (!isTrustworthy(ownFeed)) return;
    updater.setFeedURL(ownFeed);
  }
  const found = await updater.checkForUpdates();
  if (found?.isUpdateAvailable !== true) return;
  const { version } = found.updateInfo;
  if ((await choose(question(`Entail ${version} is available.`, 'Download it now?', 'Download'))) !== 0) return;
  try {
    await updater.downloadUpdate();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await choose({
      type: 'warning',
      title: 'Entail',
      message: `Entail ${version} was not downloaded.`,
      detail: `${reason}\n\nEntail offers it again at the next start.`,
    });
    return;
  }
  const restart = question(
    `Entail ${version} was downloaded.`,
    'Restart now to use it? Drafts are kept.',
    'Restart Now',
  );
  if ((await choose(restart)) === 0) updater.quitAndInstall();
}

/** A feed that others can change on its way could replace the application. */
function isTrustworthy(feed: string): boolean {
  if (!URL.canParse(feed)) return false;
  const { protocol, hostname } = new URL(feed);
  return protocol === 'https:' || (protocol === 'http:' && (hostname === '127.0.0.1' || hostname === 'localhost'));
}

function question(message: string, detail: string, button: string): MessageBoxOptions {
  return {
    ...{ type: 'question', title: 'Entail', message, detail, noLink: true },
    ...{ buttons: [button, 'Later'], defaultId: 0, cancelId: 1 },
  };
}

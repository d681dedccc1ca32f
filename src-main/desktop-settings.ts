/**
 * The settings that the page shows on the desktop: port, token, limits, grants and folders. The page never has the token: dialogs of
 * the system show it, and commands are copied here.
 */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { app, clipboard, shell } from 'electron';
import { z } from 'zod';
import {
  CHANGE_SETTINGS,
  COPY_COMMAND,
  COPY_TOKEN,
  DELETE_OLD_FACTS,
  GET_OLD_FACTS,
  GET_PROJECTS_FOLDER,
  GET_SETTINGS,
  REPLACE_TOKEN,
  SELECT_PROJECTS_FOLDER,
  SHOW_FOLDER,
  SHOW_TOKEN,
} from './bridge-channels.js';
import { confirm, selectProjectsFolder } from './dialogs.js';
import { handlePageMessages, type PageMessages } from './ipc.js';
import { allOldFacts } from './projects/old-facts.js';
import type { ProjectWindows } from './projects/project-windows.js';
import type { WorkerOptions } from './runtime/worker-messages.js';
import { type Settings, type SettingsFile, serverChoicesSchema } from './settings.js';

/** A command may contain the body of a request. */
const COMMAND_LENGTH_MAX = 16 * 1024 * 1024;

interface DesktopSettingsOptions {
  readonly settings: SettingsFile;
  readonly userData: string;
  readonly windows: ProjectWindows;
}

export function handleDesktopSettings(
  messages: PageMessages,
  { settings, userData, windows }: DesktopSettingsOptions,
): void {
  const reload = async () => {
    await Promise.all(windows.all.map(({ runtime }) => runtime.reload()));
  };
  const none = z.tuple([]);
  handlePageMessages(messages, GET_SETTINGS, none, () => settings.current.server ?? {});
  const selected = new Set<string | undefined>([undefined]);
  handlePageMessages(messages, CHANGE_SETTINGS, z.tuple([serverChoicesSchema]), async (_page, server) => {
    // The application writes to this folder and opens it, so only the user may name it.
    const isKnown = server.projects === settings.current.server?.projects || selected.has(server.projects);
    if (!isKnown) throw new Error('Select the folder for new projects in the dialog.');
    settings.change((current) => ({ ...current, server }));
    await reload();
  });
  handlePageMessages(messages, COPY_TOKEN, none, () => copyToken(settings));
  handlePageMessages(messages, COPY_COMMAND, z.tuple([z.string().max(COMMAND_LENGTH_MAX)]), (page, command) => {
    const url = windows.of(page)?.runtime.address?.url ?? '';
    clipboard.writeText(`export ENTAIL_URL=${url} ENTAIL_TOKEN=${outsideToken(settings)}\n${command}`);
  });
  handlePageMessages(messages, SHOW_TOKEN, none, async () => {
    const isToCopy = await confirm({
      message: 'Token for other programs',
      detail: `${outsideToken(settings)}\n\nOther programs send it with each request to the API. It stays the same until you replace it.`,
      button: 'Copy',
      cancel: 'Close',
    });
    if (isToCopy) copyToken(settings);
  });
  handlePageMessages(messages, REPLACE_TOKEN, none, async () => {
    const isSure = await confirm({
      message: 'Replace the token?',
      detail: 'Programs with the current token are refused from now on. The server restarts, and keeps the facts.',
      button: 'Replace',
    });
    if (!isSure) return false;
    settings.change((current) => ({ ...current, token: newToken() }));
    await reload();
    return true;
  });
  handlePageMessages(messages, GET_PROJECTS_FOLDER, none, () => projectsFolder(settings.current, userData));
  handlePageMessages(messages, SELECT_PROJECTS_FOLDER, none, async () => {
    const folder = await selectProjectsFolder();
    selected.add(folder);
    return folder;
  });
  handlePageMessages(messages, SHOW_FOLDER, z.tuple([z.enum(['logs', 'projects', 'facts'])]), async (page, folder) => {
    const facts = windows.of(page)?.facts;
    const folders = { logs: app.getPath('logs'), projects: projectsFolder(settings.current, userData), facts };
    const path = folders[folder];
    // Facts may be in memory.
    if (path !== undefined && path !== 'memory') await shell.openPath(path);
  });
  handlePageMessages(messages, GET_OLD_FACTS, none, () => allOldFacts(userData));
  handlePageMessages(messages, DELETE_OLD_FACTS, z.tuple([z.string()]), async (_page, wanted) => {
    const found = (await allOldFacts(userData)).find(({ folder }) => folder === wanted);
    if (found === undefined) return false;
    const isSure = await confirm({
      message: `Move these facts${found.modules.length > 0 ? ` of ${found.modules.join(', ')}` : ''} to the trash?`,
      detail: found.folder,
      button: 'Move to Trash',
    });
    if (!isSure) return false;
    await shell.trashItem(found.folder);
    return true;
  });
}

/** What the workers of all windows take from the settings. */
export function workerChoices(
  settings: SettingsFile,
  userData: string,
): Pick<WorkerOptions, 'home' | 'outsideToken' | 'choices'> & Record<'port' | 'memoryMb', number | undefined> {
  const { port, memoryMb, projects: _, updateFeed: __, ...choices } = settings.current.server ?? {};
  const home = projectsFolder(settings.current, userData);
  return { home, outsideToken: outsideToken(settings), choices, port, memoryMb };
}

/** Copies the token of other programs. */
function copyToken(settings: SettingsFile): boolean {
  clipboard.writeText(outsideToken(settings));
  return true;
}

/** The same after each start, until the user replaces it. */
function outsideToken(settings: SettingsFile): string {
  const { token = newToken() } = settings.current;
  if (settings.current.token === undefined) settings.change((current) => ({ ...current, token }));
  return token;
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function projectsFolder({ server }: Settings, userData: string): string {
  return server?.projects ?? join(userData, 'projects');
}

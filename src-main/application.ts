/** The desktop application: one window on the workbench, and one supervised runtime that it talks to. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { app, BrowserWindow, clipboard, ipcMain, protocol, session } from 'electron';
import { z } from 'zod';
import type { Edit, MenuCommand, RecentProject } from '../src-renderer/host/host.js';
import { ProjectError } from '../src-runtime/project/find-project.js';
import {
  COMMAND,
  COPY_TOKEN,
  EDIT,
  GET_RECENT,
  GET_RUNTIME_PLACE,
  GET_RUNTIME_STATE,
  OPEN_DROPPED_FILES,
  OPEN_FILES,
  OPEN_FOLDER,
  OPEN_RECENT,
  SAVE_AS,
} from './bridge-channels.js';
import { fail, refuse, selectFiles, selectFolder } from './dialogs.js';
import { handlePageMessages } from './ipc.js';
import { openedLinks, showPlace } from './links.js';
import { lockDownPages, lockDownPermissions } from './lock-down.js';
import { showMenu } from './menu.js';
import { type FileQueue, openedFiles } from './opened-files.js';
import { provePage } from './page-proof.js';
import { createProjectWindow, type ProjectWindow } from './project-window.js';
import { keyOf, lastOpened, recentNames } from './recent-projects.js';
import type { RuntimeSupervisor } from './runtime-supervisor.js';
import { type SettingsFile, settingsFile } from './settings.js';
import { startUpdates } from './updates.js';
import { WORKBENCH_SCHEME } from './workbench-address.js';
import { handleWorkbenchRequests } from './workbench-protocol.js';

/** The paths of the application's parts. */
export interface ApplicationPaths {
  /** Script of the worker thread that hosts the runtime. */
  readonly workerFile: string;
  readonly preload: string;
  /** Folder of the built page. */
  readonly page: string;
  /** The installed sample module; never changed. */
  readonly sample: string;
  /** The names of the samples that the menu offers. */
  readonly samples: readonly string[];
  /** The window's icon, if the system shows one. */
  readonly icon: string;
  /** The user's folder of the application. */
  readonly userData: string;
}

export function runApplication(paths: ApplicationPaths): void {
  lockDownPages();
  const queue = openedFiles(app, process.argv.slice(1), process.cwd());
  const links = openedLinks(app, process.argv.slice(1));
  app
    .whenReady()
    .then(async () => {
      const project = await run(paths, queue);
      links.follow((place) => showPlace(project.show(), place));
    }, fail)
    .catch(fail);
}

async function run(paths: ApplicationPaths, queue: FileQueue): Promise<ProjectWindow> {
  const settings = settingsFile(join(paths.userData, 'settings.json'));
  const project = createProjectWindow({
    settings,
    userData: paths.userData,
    runtime: {
      workerFile: paths.workerFile,
      common: {
        home: join(paths.userData, 'projects'),
        logFile: join(paths.userData, 'logs/runtime.log'),
        version: app.getVersion(),
        token: randomBytes(32).toString('base64url'),
      },
    },
    window: { preload: paths.preload, icon: paths.icon },
    onProject: () => updateMenu(project, settings, paths.samples),
  });

  lockDownPermissions(session.defaultSession);
  const proof = randomBytes(32).toString('base64url');
  provePage(session.defaultSession, proof);
  const workbench = { page: paths.page, proof, project: () => project.id, runtime: () => project.runtime.reached() };
  protocol.handle(WORKBENCH_SCHEME, (request) => handleWorkbenchRequests(request, workbench));
  handleMessages(project, settings);
  followApplication(project);

  const { files, ...taken } = queue.take();
  const refusals = [...taken.refusals];
  await project
    .open(files.length > 0 ? files : await lastOpened(settings.current, paths))
    .catch(async (error: unknown) => {
      if (!(error instanceof ProjectError)) throw error;
      refusals.push(error.message);
      await project.serve({});
    });
  project.show();
  refuse(refusals);
  queue.follow((more) => {
    refuse(more.refusals);
    if (more.files.length > 0) project.open(more.files).catch(fail);
  });
  void startUpdates(settings.current.updateFeed);
  return project;
}

/** Listens to the page of the window. */
function handleMessages(project: ProjectWindow, settings: SettingsFile): void {
  const { runtime } = project;
  handlePageMessages(ipcMain, OPEN_FILES, z.tuple([]), () => openSelected(project, selectFiles));
  handlePageMessages(ipcMain, OPEN_FOLDER, z.tuple([]), () => openSelected(project, selectFolder));
  handlePageMessages(ipcMain, SAVE_AS, z.tuple([]), project.saveAs);
  handlePageMessages(ipcMain, GET_RECENT, z.tuple([]), () => recentProjects(settings));
  handlePageMessages(ipcMain, OPEN_RECENT, z.tuple([z.array(z.string())]), async (wanted) => {
    const recent = settings.current.recent.find((each) => keyOf(each) === keyOf(wanted));
    if (recent !== undefined) await project.open(recent).catch(fail);
  });
  handlePageMessages(ipcMain, OPEN_DROPPED_FILES, z.tuple([z.array(z.string()).min(1)]), project.open);
  handlePageMessages(ipcMain, COPY_TOKEN, z.tuple([]), () => copyToken(runtime));
  // Everything except the token.
  handlePageMessages(ipcMain, GET_RUNTIME_PLACE, z.tuple([]), () => ({ address: runtime.address?.url }));
  handlePageMessages(ipcMain, GET_RUNTIME_STATE, z.tuple([]), () => runtime.state);
}

function updateMenu(project: ProjectWindow, settings: SettingsFile, samples: readonly string[]): void {
  const actions = {
    openFiles: () => void openSelected(project, selectFiles),
    openFolder: () => void openSelected(project, selectFolder),
    saveAs: () => void project.saveAs(),
    openRecent: (recent: readonly string[]) => void project.open(recent).catch(fail),
    run: (command: MenuCommand) => project.send(COMMAND, command),
    copyToken: () => copyToken(project.runtime),
    restartRuntime: () => project.runtime.restart(),
    edit: (edit: Edit) => project.send(EDIT, edit),
    show: (place: string) => showPlace(project.show(), place),
  };
  showMenu(actions, settings.current.recent, samples);
}

/** Opens what a dialog asks for; false if it was cancelled. */
async function openSelected(project: ProjectWindow, select: () => Promise<readonly string[]>): Promise<boolean> {
  const selected = await select();
  if (selected.length > 0) await project.open(selected).catch(fail);
  return selected.length > 0;
}

function recentProjects({ current }: SettingsFile): readonly RecentProject[] {
  const names = recentNames(current.recent);
  return current.recent.map((paths, at) => ({ paths, name: names[at] ?? '' }));
}

/** Copies the token to the clipboard; the page never has it. Returns false without a token. */
function copyToken(runtime: RuntimeSupervisor): boolean {
  if (runtime.address === undefined) return false;
  clipboard.writeText(runtime.address.token);
  return true;
}

/** Events of the system and the user that concern the whole application. */
function followApplication(project: ProjectWindow): void {
  app.on('second-instance', () => project.show());
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) project.show();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  let closed = false;
  app.on('will-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    const end = (): void => {
      closed = true;
      // Electron ignores a request to quit while its question about quitting is still open.
      setImmediate(() => app.quit());
    };
    project.runtime.close().then(end, end);
  });
}

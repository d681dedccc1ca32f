/** The desktop application: its windows, settings and menus, and the messages of its pages. */

import { randomBytes } from 'node:crypto';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { app, ipcMain, Menu, protocol, session } from 'electron';
import { z } from 'zod';
import type { OpenWindow, RecentProject } from '../src-renderer/host/host.js';
import { isHostCommand } from '../src-renderer/host/menus.js';
import { ProjectError } from '../src-runtime/project/find-project.js';
import {
  COMMAND,
  GET_RECENT,
  GET_RUNTIME_PLACE,
  GET_RUNTIME_STATE,
  GET_WINDOWS,
  OPEN_DROPPED_FILES,
  OPEN_FILES,
  OPEN_FOLDER,
  OPEN_RECENT,
  REPORT_MENU,
  RUN_HOST_COMMAND,
  SAVE_AS,
  SHOW_WINDOW,
} from './bridge-channels.js';
import { handleDesktopSettings, workerChoices } from './desktop-settings.js';
import { fail, refuse, selectFiles, selectFolder } from './dialogs.js';
import { hasNoGraphics, keepOpenGlFromToolkit } from './graphics-device.js';
import { hostCommands, type RunHostCommand } from './host-commands.js';
import { handlePageMessages } from './ipc.js';
import { openedLinks, showPlace } from './links.js';
import { lockDownPages, lockDownPermissions } from './lock-down.js';
import { startMainLog } from './main-log.js';
import { createMenus } from './menu.js';
import { provePage } from './page-proof.js';
import { type FileQueue, openedFiles } from './projects/opened-files.js';
import type { ProjectWindow } from './projects/project-window.js';
import { type ProjectWindows, projectWindows } from './projects/project-windows.js';
import { keyOf, lastOpened, recentNames } from './projects/recent-projects.js';
import { prepareWorker } from './runtime/running-worker.js';
import { memoryLimits } from './runtime/runtime-supervisor.js';
import { type SettingsFile, settingsFile } from './settings.js';
import { startUpdates } from './updates.js';
import { WORKBENCH_SCHEME } from './workbench-address.js';
import { handleWorkbenchRequests, type ServedProject } from './workbench-protocol.js';

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
  /** The folder of the logs. */
  readonly logs: string;
}

export function runApplication(paths: ApplicationPaths): void {
  if (hasNoGraphics(process.platform)) {
    app.disableHardwareAcceleration();
    // The page uses no WebGL. Without its emulation the graphics process takes 28 MB instead of 38 (bench:desktop).
    app.commandLine.appendSwitch('disable-software-rasterizer');
  }
  const unsetGtkVariable = keepOpenGlFromToolkit(process.platform, process.env);
  void app.whenReady().then(unsetGtkVariable);
  startMainLog();
  lockDownPages();
  // Keeps Electron from making its default menus first.
  Menu.setApplicationMenu(null);
  const settings = settingsFile(join(paths.userData, 'settings.json'));
  const prepared = prepareWorker(paths.workerFile, memoryLimits(totalmem(), settings.current.server?.memoryMb));
  const queue = openedFiles(app, process.argv.slice(1), process.cwd());
  const links = openedLinks(app, process.argv.slice(1));
  const ready = app.whenReady().then(() => serveWindows(windows, settings, paths));
  const windows = projectWindows(windowOptions(paths, settings, prepared, ready), settings, () => {
    if (app.isReady()) updateMenus();
  });
  const updateMenus = followMenus(windows, settings, paths);
  openFirst(windows, settings, paths, queue, ready)
    .then(() => {
      const current = async () => windows.current ?? (await windows.openEmpty());
      links.follow((place) => void current().then((window) => showPlace(window.show(), place), fail));
      void startUpdates(settings.current.server?.updateFeed);
    })
    .catch(fail);
}

function windowOptions(
  paths: ApplicationPaths,
  settings: SettingsFile,
  prepared: ReturnType<typeof prepareWorker>,
  ready: Promise<void>,
) {
  const token = randomBytes(32).toString('base64url');
  return {
    settings,
    userData: paths.userData,
    ready,
    runtime: {
      workerFile: paths.workerFile,
      prepared,
      common: () => ({
        ...workerChoices(settings, paths.userData),
        logFile: join(paths.logs, 'runtime.log'),
        version: app.getVersion(),
        token,
      }),
    },
    window: { preload: paths.preload, icon: paths.icon },
  };
}

/** Serves the pages of the windows. Call it once Electron is ready, and before a window is shown. */
function serveWindows(windows: ProjectWindows, settings: SettingsFile, paths: ApplicationPaths): void {
  lockDownPermissions(session.defaultSession);
  const proof = randomBytes(32).toString('base64url');
  provePage(session.defaultSession, proof);
  const project = (window: string): ServedProject | undefined => {
    const found = windows.of(window);
    return found && { id: found.id, requests: found.requests, reached: () => found.runtime.reached() };
  };
  protocol.handle(WORKBENCH_SCHEME, (request) =>
    handleWorkbenchRequests(request, { page: paths.page, proof, project }),
  );
  handleMessages(windows, settings, hostCommands(windows, paths.workerFile));
  handleDesktopSettings(ipcMain, { settings, userData: paths.userData, windows });
  followApplication(windows, settings, async () => await openLast(windows, await lastOpened(settings.current, paths)));
}

/**
 * Opens the files of this start, or the last projects. Reads them while Electron still starts, so that the runtime starts early; the
 * windows wait until Electron is ready.
 */
async function openFirst(
  windows: ProjectWindows,
  settings: SettingsFile,
  paths: ApplicationPaths,
  queue: FileQueue,
  ready: Promise<void>,
): Promise<void> {
  // Until then, macOS sends the files to open.
  if (process.platform === 'darwin') await ready;
  const { files, refusals } = queue.take();
  await openLast(windows, files.length > 0 ? [files] : await lastOpened(settings.current, paths), refusals);
  queue.follow((more) => {
    refuse(more.refusals);
    if (more.files.length > 0) windows.open(more.files).catch(fail);
  });
}

/** Opens each project in a window, or else an empty window, and reports which could not be opened. */
async function openLast(
  windows: ProjectWindows,
  projects: readonly (readonly string[])[],
  refusals: readonly string[] = [],
): Promise<void> {
  const refused = [...refusals];
  // The last used is the first, and is opened last, in front of the others.
  for (const paths of projects.toReversed()) {
    await windows.open(paths).catch((error: unknown) => {
      if (!(error instanceof ProjectError)) throw error;
      refused.push(error.message);
    });
  }
  if (windows.current === undefined) await windows.openEmpty();
  refuse(refused);
}

const menuStateSchema = z.object({
  enabled: z.array(z.string()),
  checked: z.array(z.string()),
  keys: z.record(z.string(), z.string()),
  edited: z.boolean(),
});

/** Listens to the pages; each is about its own window. */
function handleMessages(windows: ProjectWindows, settings: SettingsFile, runHostCommand: RunHostCommand): void {
  const on = <Payload extends z.ZodTuple, Result>(
    channel: string,
    payload: Payload,
    handler: (window: ProjectWindow, ...payload: z.output<Payload>) => Result | Promise<Result>,
  ): void =>
    handlePageMessages(ipcMain, channel, payload, (page, ...sent) => {
      const window = windows.of(page);
      if (window === undefined) throw new Error(`${channel} came from a window that is closed.`);
      return handler(window, ...sent);
    });
  on(OPEN_FILES, z.tuple([]), (window) => openSelected(windows, window, selectFiles));
  on(OPEN_FOLDER, z.tuple([]), (window) => openSelected(windows, window, selectFolder));
  on(SAVE_AS, z.tuple([]), (window) => window.saveAs());
  on(GET_RECENT, z.tuple([]), () => recentProjects(settings));
  on(OPEN_RECENT, z.tuple([z.array(z.string())]), async (window, wanted) => {
    const recent = settings.current.recent.find((each) => keyOf(each) === keyOf(wanted));
    if (recent !== undefined) await windows.open(recent, window).catch(fail);
  });
  on(OPEN_DROPPED_FILES, z.tuple([z.array(z.string()).min(1)]), (window, files) => windows.open(files, window));
  on(RUN_HOST_COMMAND, z.tuple([z.string().refine(isHostCommand)]), async (window, command) => {
    if (isHostCommand(command)) await runHostCommand(command, window);
  });
  on(REPORT_MENU, z.tuple([menuStateSchema]), (window, state) => window.reportMenu(state));
  on(GET_WINDOWS, z.tuple([]), (window) => windows.all.filter((each) => each !== window).flatMap(openWindowOf));
  on(SHOW_WINDOW, z.tuple([z.int()]), (_window, id) => void windows.of(String(id))?.show());
  // Everything except the token.
  on(GET_RUNTIME_PLACE, z.tuple([]), ({ runtime }) => ({ address: runtime.address?.url }));
  on(GET_RUNTIME_STATE, z.tuple([]), ({ runtime }) => runtime.state);
}

/** Shows the menus for the window in front, now and when it is called again. */
function followMenus(windows: ProjectWindows, settings: SettingsFile, paths: ApplicationPaths): () => void {
  const current = async (): Promise<ProjectWindow> => windows.current ?? (await windows.openEmpty());
  const runHostCommand = hostCommands(windows, paths.workerFile);
  const run = async (command: string): Promise<unknown> => {
    if (isHostCommand(command)) return runHostCommand(command, windows.current);
    const window = await current();
    if (command === 'open-files') return await openSelected(windows, window, selectFiles);
    if (command === 'open-folder') return await openSelected(windows, window, selectFolder);
    window.show();
    return window.send(COMMAND, command);
  };
  const show = createMenus(Menu, {
    run: (command) => void run(command).catch(fail),
    openRecent: (recent) => void windows.open(recent, windows.current).catch(fail),
    showWindow: (id) => void windows.of(String(id))?.show(),
  });
  return () => {
    const front = windows.current;
    show({
      system: process.platform === 'darwin' ? 'mac' : 'others',
      recent: settings.current.recent,
      samples: paths.samples,
      windows: windows.all.flatMap(openWindowOf).toSorted((a, b) => a.id - b.id),
      front: front?.window && { id: front.window.webContents.id, state: front.menuState },
    });
  };
}

function openWindowOf({ window }: ProjectWindow): OpenWindow[] {
  return window === undefined ? [] : [{ id: window.webContents.id, title: window.webContents.getTitle() }];
}

/** Opens what a dialog asks for; false if it was cancelled. */
async function openSelected(
  windows: ProjectWindows,
  window: ProjectWindow,
  select: () => Promise<readonly string[]>,
): Promise<boolean> {
  const selected = await select();
  if (selected.length > 0) await windows.open(selected, window).catch(fail);
  return selected.length > 0;
}

function recentProjects({ current }: SettingsFile): readonly RecentProject[] {
  const names = recentNames(current.recent);
  return current.recent.map((paths, at) => ({ paths, name: names[at] ?? '' }));
}

/** Events of the system and the user that concern the whole application. */
function followApplication(
  windows: ProjectWindows,
  settings: SettingsFile,
  openLastProjects: () => Promise<void>,
): void {
  const showCurrent = (): void => {
    if (windows.current === undefined) openLastProjects().catch(fail);
    else windows.current.show();
  };
  // Files of a second start are opened in a window, which then is in front.
  app.on('second-instance', showCurrent);
  app.on('activate', showCurrent);
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('before-quit', () => windows.quit());
  let closed = false;
  app.on('will-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    const end = (): void => {
      closed = true;
      // Electron ignores a request to quit while its question about quitting is still open.
      setImmediate(() => app.quit());
    };
    windows
      .close()
      .then(() => settings.saved())
      .then(end, end);
  });
}

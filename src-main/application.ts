/** The desktop application: one window on the workbench, and one supervised runtime that it talks to. */

import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { app, BrowserWindow, clipboard, dialog, ipcMain, protocol, session } from 'electron';
import { z } from 'zod';
import type { Edit, RuntimePlace } from '../src-renderer/host/host.js';
import {
  COPY_TOKEN,
  EDIT,
  GET_RUNTIME_PLACE,
  GET_RUNTIME_STATE,
  GO_TO,
  OPEN_DROPPED_FILES,
  OPEN_MODULE_FILES,
  RUNTIME_STATE,
} from './bridge-channels.js';
import { digestOf, factsQuestion, holdsFacts, storedFactsOf } from './data-folders.js';
import { handlePageMessages } from './ipc.js';
import { lockDownPages, lockDownPermissions } from './lock-down.js';
import { showMenu } from './menu.js';
import { lastOpened, remembered, sampleCopy, sourceOf } from './module-files.js';
import { type FileQueue, openedFiles } from './opened-files.js';
import { provePage } from './page-proof.js';
import { type RuntimeSupervisor, superviseRuntime } from './runtime-supervisor.js';
import { type Settings, type SettingsFile, settingsFile } from './settings.js';
import { openWindow } from './window.js';
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
  /** The window's icon, if the system shows one. */
  readonly icon: string;
  /** The user's folder of the application. */
  readonly userData: string;
}

export function runApplication(paths: ApplicationPaths): void {
  lockDownPages();
  const queue = openedFiles(app, process.argv.slice(1), process.cwd());
  app
    .whenReady()
    .then(() => run(paths, queue), fail)
    .catch(fail);
}

async function run(paths: ApplicationPaths, queue: FileQueue): Promise<void> {
  const settings = settingsFile(join(paths.userData, 'settings.json'));
  const runtime = startSupervisor(paths);
  const modules = moduleCommands(paths, settings, runtime);
  const showWindow = (): BrowserWindow =>
    openWindow({
      preload: paths.preload,
      icon: paths.icon,
      place: settings.current.window,
      onPlace: (place) => settings.change((current) => ({ ...current, window: place })),
    });

  lockDownPermissions(session.defaultSession);
  const proof = randomBytes(32).toString('base64url');
  provePage(session.defaultSession, proof);
  const workbench = { page: paths.page, proof, runtime: () => runtime.reached() };
  protocol.handle(WORKBENCH_SCHEME, (request) => handleWorkbenchRequests(request, workbench));
  handlePageMessages(ipcMain, OPEN_MODULE_FILES, z.tuple([]), modules.choose);
  handlePageMessages(ipcMain, OPEN_DROPPED_FILES, z.tuple([z.array(z.string()).min(1)]), modules.open);
  handlePageMessages(ipcMain, COPY_TOKEN, z.tuple([]), () => copyToken(runtime));
  handlePageMessages(ipcMain, GET_RUNTIME_PLACE, z.tuple([]), () => placeOf(runtime, modules));
  handlePageMessages(ipcMain, GET_RUNTIME_STATE, z.tuple([]), () => runtime.state);
  followApplication(showWindow, () => runtime.close());

  const { files, refusals } = queue.take();
  await (files.length > 0 ? modules.open(files) : modules.reopen(await lastOpened(settings.current, paths)));
  showWindow();
  refuse(refusals);
  queue.follow((more) => {
    refuse(more.refusals);
    if (more.files.length > 0) modules.open(more.files).catch(fail);
  });
}

function startSupervisor({ userData, workerFile }: ApplicationPaths): RuntimeSupervisor {
  return superviseRuntime({
    workerFile,
    common: {
      logFile: join(userData, 'logs/runtime.log'),
      version: app.getVersion(),
      token: randomBytes(32).toString('base64url'),
    },
    onState: (state) => sendToPage(RUNTIME_STATE, state),
  });
}

interface ModuleCommands {
  /** The data folder of the open files; undefined before files are open. */
  readonly dataDirectory: string | undefined;
  /** If these files have no facts yet, asks whether to use the stored facts of the same module. */
  open(files: readonly string[]): Promise<void>;
  /** Opens without asking. */
  reopen(files: readonly string[]): Promise<void>;
  /** Asks for files and opens them; false if none were chosen. */
  choose(): Promise<boolean>;
}

/** Opens module files, from the menu or the page, and updates the menu's list of recent files. */
function moduleCommands(paths: ApplicationPaths, settings: SettingsFile, runtime: RuntimeSupervisor): ModuleCommands {
  let dataDirectory: string | undefined;

  async function open(files: readonly string[]): Promise<void> {
    const folder = await chooseFacts(files, paths.userData, settings.current);
    if (folder !== undefined) {
      const chosen = { [digestOf(files)]: basename(folder) };
      settings.change((current) => ({ ...current, sharedFolders: { ...current.sharedFolders, ...chosen } }));
    }
    await reopen(files);
  }

  async function reopen(files: readonly string[]): Promise<void> {
    settings.change((current) => remembered(current, files));
    const actions = {
      openModule: () => void choose().catch(fail),
      openSample: () => void sampleCopy(paths).then(reopen).catch(fail),
      openFiles: (recent: readonly string[]) => void open(recent).catch(fail),
      copyToken: () => copyToken(runtime),
      restartRuntime: () => runtime.restart(),
      edit: (edit: Edit) => sendToPage(EDIT, edit),
      show: showPlace,
    };
    showMenu(actions, settings.current.recent);
    const source = sourceOf(files, paths.userData, settings.current.sharedFolders);
    ({ dataDirectory } = source);
    await runtime.open(source);
  }

  async function choose(): Promise<boolean> {
    const { filePaths } = await dialog.showOpenDialog({
      title: 'Open module files',
      properties: ['openFile', 'multiSelections'],
      filters: [
        { name: 'Entail modules', extensions: ['entail'] },
        { name: 'Artifacts and repro bundles', extensions: ['json'] },
      ],
    });
    if (filePaths.length === 0) return false;
    await open(filePaths);
    return true;
  }

  return {
    get dataDirectory() {
      return dataDirectory;
    },
    open,
    reopen,
    choose,
  };
}

/** The folder that the user chose; undefined to start with the files' own folder, or if there is nothing to choose. */
async function chooseFacts(
  files: readonly string[],
  userData: string,
  { recent, sharedFolders }: Settings,
): Promise<string | undefined> {
  const { dataDirectory } = sourceOf(files, userData, sharedFolders);
  if (dataDirectory === undefined || holdsFacts(dataDirectory)) return undefined;
  const found = await storedFactsOf(files, userData, recent);
  if (found.length === 0) return undefined;
  const { response } = await dialog.showMessageBox(factsQuestion(files, found));
  return found[response]?.folder;
}

/** In the open window; there is at most one. */
function sendToPage(channel: string, message: unknown): void {
  for (const window of BrowserWindow.getAllWindows()) window.webContents.send(channel, message);
}

function showPlace(place: string): void {
  sendToPage(GO_TO, place);
  for (const window of BrowserWindow.getAllWindows()) window.show();
}

/** What the page may know about the runtime: everything except the token. */
function placeOf(runtime: RuntimeSupervisor, { dataDirectory }: ModuleCommands): RuntimePlace {
  return { address: runtime.address?.url, dataDirectory };
}

/** Copies the token to the clipboard; the page never has it. Returns false without a token. */
function copyToken(runtime: RuntimeSupervisor): boolean {
  if (runtime.address === undefined) return false;
  clipboard.writeText(runtime.address.token);
  return true;
}

/** Events of the system and the user that concern the whole application. */
function followApplication(showWindow: () => BrowserWindow, close: () => Promise<void>): void {
  app.on('second-instance', () => {
    const window = BrowserWindow.getAllWindows()[0] ?? showWindow();
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) showWindow();
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
    close().then(end, end);
  });
}

/** Reports files that cannot be opened. */
function refuse(sentences: readonly string[]): void {
  if (sentences.length === 0) return;
  void dialog.showMessageBox({ type: 'warning', title: 'Entail', message: sentences.join('\n') });
}

function fail(error: unknown): void {
  dialog.showErrorBox('Entail', error instanceof Error ? error.message : String(error));
  if (BrowserWindow.getAllWindows().length === 0) app.exit(1);
}

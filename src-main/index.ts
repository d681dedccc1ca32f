/** The desktop application: one window on the workbench, and one supervised runtime that it talks to. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { app, BrowserWindow, clipboard, dialog, ipcMain, protocol, session } from 'electron';
import { z } from 'zod';
import { COPY_TOKEN, GET_RUNTIME_STATE, OPEN_MODULE_FILES, RUNTIME_STATE } from './bridge-channels.js';
import { answerPage } from './ipc.js';
import { lockDownPages, lockDownPermissions } from './lock-down.js';
import { showMenu } from './menu.js';
import { lastOpened, type ModuleFolders, remembered, sampleCopy, sourceOf } from './module-files.js';
import { superviseRuntime } from './runtime-supervisor.js';
import { settingsFile } from './settings.js';
import { openWindow } from './window.js';
import { WORKBENCH_SCHEME } from './workbench-address.js';
import { answerWorkbench } from './workbench-protocol.js';

const built = join(import.meta.dirname, '..');
const resources = join(built, '../resources');

const ownUserData = process.env['ENTAIL_USER_DATA'];
if (ownUserData !== undefined && ownUserData !== '') app.setPath('userData', ownUserData);

protocol.registerSchemesAsPrivileged([
  { scheme: WORKBENCH_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
]);
lockDownPages();

if (app.requestSingleInstanceLock()) {
  app.whenReady().then(run, fail);
} else {
  app.quit();
}

async function run(): Promise<void> {
  const userData = app.getPath('userData');
  const folders: ModuleFolders = { sample: join(resources, 'modules/lease.entail'), userData };
  const settings = settingsFile(join(userData, 'settings.json'));
  const runtime = superviseRuntime({
    workerFile: join(import.meta.dirname, 'runtime-worker.js'),
    common: {
      logFile: join(userData, 'logs/runtime.log'),
      version: app.getVersion(),
      token: randomBytes(32).toString('base64url'),
    },
    onState: (state) => {
      for (const window of BrowserWindow.getAllWindows()) window.webContents.send(RUNTIME_STATE, state);
    },
  });

  async function openFiles(files: readonly string[]): Promise<void> {
    settings.change((current) => remembered(current, files));
    updateMenu();
    await runtime.open(sourceOf(files, userData));
  }

  async function chooseFiles(): Promise<boolean> {
    const { filePaths } = await dialog.showOpenDialog({
      title: 'Open module files',
      properties: ['openFile', 'multiSelections'],
      filters: [
        { name: 'Entail modules', extensions: ['entail'] },
        { name: 'Entail artifacts', extensions: ['json'] },
      ],
    });
    if (filePaths.length === 0) return false;
    await openFiles(filePaths);
    return true;
  }

  function copyToken(): void {
    if (runtime.address !== undefined) clipboard.writeText(runtime.address.token);
  }

  function updateMenu(): void {
    const actions = {
      openModule: () => void chooseFiles().catch(fail),
      openSample: () => void sampleCopy(folders).then(openFiles).catch(fail),
      openFiles: (files: readonly string[]) => void openFiles(files).catch(fail),
      copyToken,
      restartRuntime: () => runtime.restart(),
    };
    showMenu(actions, settings.current.recent);
  }

  function showWindow(): void {
    openWindow({
      preload: join(built, 'preload/index.cjs'),
      place: settings.current.window,
      onPlace: (place) => settings.change((current) => ({ ...current, window: place })),
    });
  }

  lockDownPermissions(session.defaultSession);
  const workbench = { page: join(built, 'renderer'), runtime: () => runtime.address };
  protocol.handle(WORKBENCH_SCHEME, (request) => answerWorkbench(request, workbench));
  answerPage(ipcMain, OPEN_MODULE_FILES, z.tuple([]), chooseFiles);
  answerPage(ipcMain, COPY_TOKEN, z.tuple([]), copyToken);
  answerPage(ipcMain, GET_RUNTIME_STATE, z.tuple([]), () => runtime.state);

  app.on('second-instance', () => {
    const [window] = BrowserWindow.getAllWindows();
    if (window?.isMinimized() === true) window.restore();
    window?.focus();
  });
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) showWindow();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  closeBeforeQuit(() => runtime.close());

  await openFiles(await lastOpened(settings.current, folders));
  showWindow();
}

/** Holds the end of the application up until `close` has run. */
function closeBeforeQuit(close: () => Promise<void>): void {
  let closed = false;
  app.on('will-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    const end = (): void => {
      closed = true;
      app.quit();
    };
    close().then(end, end);
  });
}

function fail(error: unknown): void {
  dialog.showErrorBox('Entail', error instanceof Error ? error.message : String(error));
  if (BrowserWindow.getAllWindows().length === 0) app.exit(1);
}

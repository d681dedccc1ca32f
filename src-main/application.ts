/** The desktop application: one window on the workbench, and one supervised runtime that it talks to. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { app, BrowserWindow, clipboard, dialog, ipcMain, type OpenDialogOptions, protocol, session } from 'electron';
import { z } from 'zod';
import type { Edit, MenuCommand, RecentProject } from '../src-renderer/host/host.js';
import { canStoreFacts, factsFolderOf, holdsFacts, projectId } from '../src-runtime/project/facts-folder.js';
import { type FoundProject, findProject, ProjectError } from '../src-runtime/project/find-project.js';
import type { NextProject } from '../src-runtime/server/index.js';
import {
  COMMAND,
  COPY_TOKEN,
  EDIT,
  GET_RECENT,
  GET_RUNTIME_PLACE,
  GET_RUNTIME_STATE,
  GO_TO,
  OPEN_DROPPED_FILES,
  OPEN_FILES,
  OPEN_FOLDER,
  OPEN_RECENT,
  RUNTIME_STATE,
  SAVE_AS,
} from './bridge-channels.js';
import { handlePageMessages } from './ipc.js';
import { lockDownPages, lockDownPermissions } from './lock-down.js';
import { showMenu } from './menu.js';
import { copyFacts, factsQuestion, oldFactsOf } from './old-facts.js';
import { type FileQueue, openedFiles } from './opened-files.js';
import { provePage } from './page-proof.js';
import { keyOf, lastOpened, recentNames, remembered } from './recent-projects.js';
import { type RuntimeSupervisor, superviseRuntime } from './runtime-supervisor.js';
import { type SettingsFile, settingsFile } from './settings.js';
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
  app
    .whenReady()
    .then(() => run(paths, queue), fail)
    .catch(fail);
}

async function run(paths: ApplicationPaths, queue: FileQueue): Promise<void> {
  const settings = settingsFile(join(paths.userData, 'settings.json'));
  const runtime = startSupervisor(paths, (project) => projects.serve(project).catch(fail));
  const projects = projectCommands(paths, settings, runtime);
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
  const workbench = { page: paths.page, proof, project: () => projects.id, runtime: () => runtime.reached() };
  protocol.handle(WORKBENCH_SCHEME, (request) => handleWorkbenchRequests(request, workbench));
  handlePageMessages(ipcMain, OPEN_FILES, z.tuple([]), projects.openFiles);
  handlePageMessages(ipcMain, OPEN_FOLDER, z.tuple([]), projects.openFolder);
  handlePageMessages(ipcMain, SAVE_AS, z.tuple([]), projects.saveAs);
  handlePageMessages(ipcMain, GET_RECENT, z.tuple([]), () => recentProjects(settings));
  handlePageMessages(ipcMain, OPEN_RECENT, z.tuple([z.array(z.string())]), async (wanted) => {
    const recent = settings.current.recent.find((each) => keyOf(each) === keyOf(wanted));
    if (recent !== undefined) await projects.open(recent).catch(fail);
  });
  handlePageMessages(ipcMain, OPEN_DROPPED_FILES, z.tuple([z.array(z.string()).min(1)]), projects.open);
  handlePageMessages(ipcMain, COPY_TOKEN, z.tuple([]), () => copyToken(runtime));
  // Everything except the token.
  handlePageMessages(ipcMain, GET_RUNTIME_PLACE, z.tuple([]), () => ({ address: runtime.address?.url }));
  handlePageMessages(ipcMain, GET_RUNTIME_STATE, z.tuple([]), () => runtime.state);
  followApplication(showWindow, () => runtime.close());

  const { files, ...taken } = queue.take();
  const refusals = [...taken.refusals];
  await projects.open(files.length > 0 ? files : await lastOpened(settings.current, paths)).catch((error: unknown) => {
    if (!(error instanceof ProjectError)) throw error;
    refusals.push(error.message);
    return projects.serve({});
  });
  showWindow();
  refuse(refusals);
  queue.follow((more) => {
    refuse(more.refusals);
    if (more.files.length > 0) projects.open(more.files).catch(fail);
  });
}

function recentProjects({ current }: SettingsFile): readonly RecentProject[] {
  const names = recentNames(current.recent);
  return current.recent.map((paths, at) => ({ paths, name: names[at] ?? '' }));
}

function startSupervisor(
  { userData, workerFile }: ApplicationPaths,
  onOpen: (project: NextProject) => void,
): RuntimeSupervisor {
  return superviseRuntime({
    workerFile,
    common: {
      home: join(userData, 'projects'),
      logFile: join(userData, 'logs/runtime.log'),
      version: app.getVersion(),
      token: randomBytes(32).toString('base64url'),
    },
    onOpen,
    onState: (state) => sendToPage(RUNTIME_STATE, state),
  });
}

interface Projects {
  /** Of the open project. */
  readonly id: string;
  /** Opens files or a folder; asks where the facts are if that is not clear. */
  open(paths: readonly string[]): Promise<void>;
  /** Opens what a request of the page asks for, or nothing. */
  serve(project: NextProject): Promise<void>;
  /** Each asks with a dialog; false if it was cancelled. */
  openFiles(): Promise<boolean>;
  openFolder(): Promise<boolean>;
  saveAs(): Promise<boolean>;
}

/** Opens projects, from the menu or the page, and updates the menu's list of recent ones. */
function projectCommands(paths: ApplicationPaths, settings: SettingsFile, runtime: RuntimeSupervisor): Projects {
  const { userData } = paths;
  let id = '';

  async function open(opened: readonly string[]): Promise<void> {
    const found = await findProject(opened);
    const facts = await chooseFacts(found, settings);
    if (facts === undefined) return;
    if (!found.isBundle && !(await holdsFacts(facts))) {
      const old = await oldFactsOf(found.files, userData);
      const response = old.length === 0 ? 0 : (await dialog.showMessageBox(factsQuestion(found.files, old))).response;
      const chosen = old[response];
      if (chosen !== undefined) await copyFacts(chosen.folder, facts);
    }
    await serve({ paths: found.paths, facts });
  }

  async function serve({ facts, ...project }: NextProject): Promise<void> {
    const opened = project.paths;
    const found = opened && (await findProject(opened));
    if (opened !== undefined) settings.change((current) => remembered(current, opened));
    // A repro bundle contains its facts.
    const isStored = found !== undefined && !found.isBundle;
    const folder = isStored ? (facts ?? (await factsFolderOf(found))) : 'memory';
    id = projectId(folder === 'memory' ? undefined : folder, project.name);
    update();
    await runtime.open({ ...project, facts: folder });
  }

  function update(): void {
    const actions = {
      ...{ openFiles, openFolder, saveAs },
      openRecent: (recent: readonly string[]) => void open(recent).catch(fail),
      run: (command: MenuCommand) => sendToPage(COMMAND, command),
      copyToken: () => copyToken(runtime),
      restartRuntime: () => runtime.restart(),
      edit: (edit: Edit) => sendToPage(EDIT, edit),
      show: showPlace,
    };
    showMenu(actions, settings.current.recent, paths.samples);
  }

  async function openFiles(): Promise<boolean> {
    return await openChosen({
      title: 'Open files',
      properties: ['openFile', 'multiSelections'],
      filters: [
        { name: 'Entail modules', extensions: ['entail'] },
        { name: 'Artifacts and repro bundles', extensions: ['json'] },
      ],
    });
  }

  async function openFolder(): Promise<boolean> {
    return await openChosen({ title: 'Open folder', properties: ['openDirectory'] });
  }

  async function openChosen(options: OpenDialogOptions): Promise<boolean> {
    const { filePaths } = await dialog.showOpenDialog(options);
    if (filePaths.length > 0) await open(filePaths).catch(fail);
    return filePaths.length > 0;
  }

  async function saveAs(): Promise<boolean> {
    const { filePath } = await dialog.showSaveDialog({
      title: 'Save project as a new folder',
      nameFieldLabel: 'Folder:',
      buttonLabel: 'Save',
      properties: ['createDirectory'],
    });
    const address = await runtime.reached();
    if (filePath === '' || address === undefined) return false;
    // The runtime answers, and then asks to open the copy.
    const response = await fetch(`${address.url}/v1/project/save-as`, {
      method: 'POST',
      headers: { authorization: `Bearer ${address.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ folder: filePath }),
    });
    if (response.ok) return true;
    const { error } = (await response.json()) as { readonly error: { readonly message: string } };
    fail(error.message);
    return false;
  }

  return {
    get id() {
      return id;
    },
    ...{ open, serve, openFiles, openFolder, saveAs },
  };
}

/** The folder of the facts, or `memory`; undefined if the user opens nothing after all. */
async function chooseFacts(found: FoundProject, settings: SettingsFile): Promise<string | undefined> {
  const key = keyOf(found.paths);
  const facts = settings.current.factsFolders?.[key] ?? (await factsFolderOf(found));
  if (found.isBundle || facts === 'memory' || (await canStoreFacts(facts))) return facts;
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: 'Entail',
    message: 'Facts cannot be stored beside these files.',
    detail: `${facts} cannot be written. Choose another folder for the facts, or keep them in memory until Entail ends.`,
    buttons: ['Choose Folder…', 'Keep in Memory', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  });
  if (response === 2) return undefined;
  if (response === 1) return 'memory';
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Folder for the facts',
    properties: ['openDirectory', 'createDirectory'],
  });
  const [chosen] = filePaths;
  if (chosen === undefined) return undefined;
  settings.change((current) => ({ ...current, factsFolders: { ...current.factsFolders, [key]: chosen } }));
  return await chooseFacts(found, settings);
}

/** In the open window; there is at most one. */
function sendToPage(channel: string, message: unknown): void {
  for (const window of BrowserWindow.getAllWindows()) window.webContents.send(channel, message);
}

function showPlace(place: string): void {
  sendToPage(GO_TO, place);
  for (const window of BrowserWindow.getAllWindows()) window.show();
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
  if (error instanceof ProjectError) {
    refuse([error.message]);
    return;
  }
  dialog.showErrorBox('Entail', error instanceof Error ? error.message : String(error));
  if (BrowserWindow.getAllWindows().length === 0) app.exit(1);
}

/** The dialogs of the system: selecting files and folders, questions, and failures. */

import {
  app,
  BrowserWindow,
  dialog,
  type MessageBoxOptions,
  type OpenDialogOptions,
  type SaveDialogOptions,
} from 'electron';
import { ProjectError } from '../src-runtime/project/find-project.js';

/** Empty if it was cancelled, like the next. */
export async function selectFiles(): Promise<readonly string[]> {
  return await selected({
    title: 'Open files',
    properties: ['openFile', 'multiSelections'],
    filters: [
      // The first is shown, and hides files of the others.
      { name: 'Modules, artifacts and repro bundles', extensions: ['entail', 'json'] },
      { name: 'Entail modules', extensions: ['entail'] },
      { name: 'Artifacts and repro bundles', extensions: ['json'] },
    ],
  });
}

export async function selectFolder(): Promise<readonly string[]> {
  return await selected({ title: 'Open folder', properties: ['openDirectory'] });
}

/** A folder that may not exist yet; undefined if it was cancelled. */
export async function selectNewFolder(title: string, buttonLabel = 'Save'): Promise<string | undefined> {
  return await selectedToSave({
    ...{ title, buttonLabel },
    nameFieldLabel: 'Folder:',
    properties: ['createDirectory'],
  });
}

/** Where a backup is saved; undefined if it was cancelled. */
export async function selectBackupTarget(name: string): Promise<string | undefined> {
  return await selectedToSave({
    title: 'Back up',
    defaultPath: name,
    buttonLabel: 'Back Up',
    filters: BACKUPS,
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  });
}

/** Undefined if it was cancelled. */
export async function selectBackup(): Promise<string | undefined> {
  const [chosen] = await selected({ title: 'Restore a backup', properties: ['openFile'], filters: BACKUPS });
  return chosen;
}

const BACKUPS = [
  { name: 'Entail backups', extensions: ['backup'] },
  { name: 'All files', extensions: ['*'] },
];

/** Another folder for facts than one that cannot be written, or `memory`; undefined if it was cancelled. */
export async function selectFactsFolder(refused: string): Promise<string | undefined> {
  const button = await ask({
    type: 'question',
    title: 'Entail',
    message: 'Facts cannot be stored beside these files.',
    detail: `${refused} cannot be written. Choose another folder for the facts, or keep them in memory until Entail ends.`,
    buttons: ['Choose Folder…', 'Keep in Memory', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  });
  if (button === 2) return undefined;
  if (button === 1) return 'memory';
  const [chosen] = await selected({
    title: 'Folder for the facts',
    buttonLabel: 'Select',
    properties: ['openDirectory', 'createDirectory'],
  });
  return chosen;
}

/** A folder that has facts already; undefined if it was cancelled. */
export async function selectOtherFacts(): Promise<string | undefined> {
  const [chosen] = await selected({ title: 'Folder of the facts', properties: ['openDirectory'] });
  return chosen;
}

/** Undefined if it was cancelled. */
export async function selectProjectsFolder(): Promise<string | undefined> {
  const [chosen] = await selected({
    title: 'Folder for new projects',
    buttonLabel: 'Select',
    properties: ['openDirectory', 'createDirectory'],
  });
  return chosen;
}

async function selected(options: OpenDialogOptions): Promise<readonly string[]> {
  await app.whenReady();
  const window = windowInFront();
  return (await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))).filePaths;
}

async function selectedToSave(options: SaveDialogOptions): Promise<string | undefined> {
  const window = windowInFront();
  const { filePath } = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options));
  return filePath === '' ? undefined : filePath;
}

/**
 * Resolves with the index of the button. The first projects are opened, and may ask, before Electron is ready. The dialog stays in front
 * of its window.
 */
export async function ask(question: MessageBoxOptions, about?: BrowserWindow): Promise<number> {
  await app.whenReady();
  await firstWindowShown();
  const window = about !== undefined && isShown(about) ? about : windowInFront();
  return (await (window ? dialog.showMessageBox(window, question) : dialog.showMessageBox(question))).response;
}

/** Waits for the first window of a start, which would cover a dialog that was shown before it. */
async function firstWindowShown(): Promise<void> {
  const all = BrowserWindow.getAllWindows();
  const [first] = all;
  const isHidden = process.platform === 'darwin' && app.isHidden();
  if (first === undefined || isHidden || all.some((window) => window.isVisible() || window.isMinimized())) return;
  await new Promise<void>((resolve) => {
    first.once('show', () => resolve());
    first.once('closed', () => resolve());
  });
}

function windowInFront(): BrowserWindow | undefined {
  return BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows().find(isShown);
}

/** A dialog of a hidden window would be hidden too. */
function isShown(window: BrowserWindow): boolean {
  return window.isVisible() && !window.isMinimized();
}

interface Confirmation {
  readonly message: string;
  readonly detail: string;
  /** The label of the button that goes on. */
  readonly button: string;
  readonly cancel?: string;
}

/** Asks before an action; the default is not to go on. */
export async function confirm({ message, detail, button, cancel = 'Cancel' }: Confirmation): Promise<boolean> {
  const buttons = [button, cancel];
  const pressed = await ask({
    ...{ type: 'question', title: 'Entail', message, detail, buttons },
    ...{ defaultId: 1, cancelId: 1, noLink: true },
  });
  return pressed === 0;
}

/** Reports files that cannot be opened. */
export function refuse(sentences: readonly string[]): void {
  const [sentence = '', ...others] = sentences;
  if (sentence === '') return;
  const box = { type: 'warning', title: 'Entail' } as const;
  if (others.length === 0) void ask({ ...box, message: sentence });
  else void ask({ ...box, message: 'Some files were not opened.', detail: sentences.join('\n\n') });
}

/** Reports a failure. Without a window, the user could not go on. */
export function fail(error: unknown): void {
  if (error instanceof ProjectError) {
    refuse([error.message]);
    return;
  }
  const isOpen = BrowserWindow.getAllWindows().length > 0;
  const message = error instanceof Error ? error.message : String(error);
  dialog.showErrorBox(isOpen ? 'The last action failed.' : 'Entail cannot start.', message);
  if (!isOpen) app.exit(1);
}

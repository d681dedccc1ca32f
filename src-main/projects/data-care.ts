/** Back up, restore and check: the commands that look after the facts of a window's project. Nothing is ever overwritten. */

import { stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { basename, extname, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type MessageBoxOptions, shell } from 'electron';
import { saveBackup } from '../../src-runtime/project/save-backup.js';
import type { NextProject } from '../../src-runtime/server/index.js';
import { ask, refuse, selectBackup, selectBackupTarget, selectNewFolder } from '../dialogs.js';
import { memoryLimits } from '../runtime/runtime-supervisor.js';
import type { DataReply, DataResults, DataTask } from '../runtime/worker-messages.js';
import type { ProjectWindow } from './project-window.js';
import type { ProjectWindows } from './project-windows.js';

/** Each shows dialogs, and reports its outcome or failure in one. */
export interface DataCare {
  /** Saves all facts, with their history, as one file. */
  backUp(window: ProjectWindow): Promise<void>;
  /** Opens a backup as a new project with the sources of this one. */
  restore(window: ProjectWindow): Promise<void>;
  /** Verifies the folder of the facts, and offers to repair it into a new one. */
  check(window: ProjectWindow): Promise<void>;
}

export function dataCare(windows: ProjectWindows, workerFile: string): DataCare {
  const run: Run = (task) => inWorker(workerFile, task);
  return {
    backUp: (window) => reported(() => backUp(window)),
    restore: (window) => reported(() => restore(window, windows, run)),
    check: (window) => reported(() => check(window, run)),
  };
}

type Run = <Task extends DataTask>(task: Task) => Promise<DataResults[Task['task']]>;

/** Runs the task in a new thread. Throws an Error with one sentence for the user. */
function inWorker<Task extends DataTask>(workerFile: string, task: Task): Promise<DataResults[Task['task']]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { resourceLimits: memoryLimits(totalmem(), undefined) });
    worker.once('message', (reply: DataReply) => {
      if (reply.kind === 'done') resolve(reply.result as DataResults[Task['task']]);
      else reject(new Error(reply.message));
    });
    worker.once('error', reject);
    // Only the first of these calls counts.
    worker.once('exit', () => reject(new Error('The work on the folder ended early.')));
    worker.postMessage(task);
  });
}

async function reported(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    refuse([error instanceof Error ? error.message : String(error)]);
  }
}

async function backUp(window: ProjectWindow): Promise<void> {
  const project = window.facts === undefined ? undefined : window.project;
  const address = project && (await window.runtime.reached());
  if (project === undefined || address === undefined) throw new Error('No project is open. Open the one to back up.');
  const file = await selectBackupTarget(`${nameOf(project)}-${new Date().toISOString().slice(0, 10)}.backup`);
  if (file === undefined) return;
  await saveBackup({ baseUrl: address.url, token: address.token }, file, new AbortController().signal);
  const { size } = await stat(file);
  const pressed = await ask({
    ...{ type: 'info', title: 'Entail', message: 'The backup was saved.' },
    detail: `${file} (${sizeText(size)}) has all facts and their history. File, Restore opens it as a new project.`,
    buttons: ['OK', 'Show in Folder'],
    cancelId: 0,
    noLink: true,
  });
  if (pressed === 1) shell.showItemInFolder(file);
}

async function restore({ project, facts }: ProjectWindow, windows: ProjectWindows, run: Run): Promise<void> {
  if (project === undefined || facts === undefined) {
    throw new Error('No project is open. Open the module of the backup first: the restored project gets a copy of it.');
  }
  const backup = await selectBackup();
  const folder = backup && (await selectNewFolder('New folder for the restored project', 'Restore'));
  if (backup === undefined || folder === undefined) return;
  await run({ task: 'restore', backup, folder, sources: project });
  await windows.open([folder]);
}

async function check(window: ProjectWindow, run: Run): Promise<void> {
  const { project, facts } = window;
  if (project === undefined || facts === undefined || facts === 'memory') {
    throw new Error('The facts are in memory, so there are no files to check.');
  }
  await window.runtime.hold('Checking the data. Requests wait until it is done.');
  let repaired: string | undefined;
  try {
    repaired = await reportCheck(facts, await run({ task: 'check', folder: facts }), run);
  } finally {
    // The window may be closed by now, or have another project.
    if (window.window !== undefined && window.project === project) {
      await (repaired === undefined ? window.runtime.open(project) : window.serveWith(project, repaired));
    }
  }
}

/** Returns the folder of repaired facts that the user wants to use instead. */
async function reportCheck(folder: string, found: DataResults['check'], run: Run): Promise<string | undefined> {
  if (found.findings.length === 0) {
    await ask({ type: 'info', title: 'Entail', message: 'No damage found.', detail: soundText(found) });
    return undefined;
  }
  const question = damageQuestion(folder, found);
  const button = question.buttons[await ask(question)];
  if (button === SHOW) shell.showItemInFolder(folder);
  const into = button === REPAIR ? await selectNewFolder('New folder for the repaired facts', 'Repair') : undefined;
  if (into === undefined) return undefined;
  const pressed = await ask(repairedQuestion(folder, into, await run({ task: 'repair', folder, into })));
  return pressed === 0 ? into : undefined;
}

const REPAIR = 'Repair into a New Folder…';
const SHOW = 'Show in Folder';

function soundText({ files, facts }: DataResults['check']): string {
  return facts === undefined
    ? `Checked ${counted(files, 'file')}. The facts were not checked, because the module does not compile.`
    : `Checked ${counted(files, 'file')} and ${counted(facts, 'fact')}, also against a fresh evaluation.`;
}

function damageQuestion(folder: string, { findings, isDamaged }: DataResults['check']) {
  return {
    ...{ type: 'warning', title: 'Entail' },
    message: isDamaged ? 'The stored facts are damaged.' : 'The stored facts do not fit the module.',
    detail: `${listText(findings, folder)}\n\nFolder of the facts: ${folder}`,
    buttons: [...(isDamaged ? [REPAIR] : []), SHOW, 'Close'],
    defaultId: 0,
    cancelId: isDamaged ? 2 : 1,
    noLink: true,
  } satisfies MessageBoxOptions;
}

function repairedQuestion(
  folder: string,
  into: string,
  { transactions, events, lost }: DataResults['repair'],
): MessageBoxOptions {
  const copied = `The new folder ${into} has ${counted(transactions, 'transaction')} with ${counted(events, 'change')}.`;
  return {
    ...{ type: 'info', title: 'Entail', message: 'The readable facts were copied.' },
    detail: `${copied}\n\n${lost.length === 0 ? 'Nothing is missing.' : `Not copied:\n${listText(lost, folder)}`}\n\nThe damaged folder is unchanged.`,
    buttons: ['Use the New Folder', 'Keep the Damaged One'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  };
}

/** A dialog has no room for more. */
const LISTED_MAX = 6;

/** The files are named without their folder. */
function listText(sentences: readonly string[], folder: string): string {
  const more = sentences.length - LISTED_MAX;
  const listed = sentences.slice(0, LISTED_MAX).map((each) => `• ${each.replaceAll(`${folder}${sep}`, '')}`);
  return [...listed, ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : [])].join('\n');
}

function counted(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

function sizeText(bytes: number): string {
  return bytes < 2 ** 20 ? `${Math.ceil(bytes / 2 ** 10)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** `lease` of `…/lease.entail` and of a folder. */
function nameOf({ paths, name = 'entail' }: NextProject): string {
  const [path] = paths ?? [];
  return path === undefined ? name : basename(path, extname(path));
}

/** One project in one window: its files, the window, and the supervised runtime that only this window talks to. */

import type { BrowserWindow } from 'electron';
import { canStoreFacts, factsFolderOf, holdsFacts, projectId } from '../src-runtime/project/facts-folder.js';
import { type FoundProject, findProject } from '../src-runtime/project/find-project.js';
import type { NextProject } from '../src-runtime/server/index.js';
import { RUNTIME_STATE } from './bridge-channels.js';
import { ask, fail, selectFactsFolder, selectNewFolder } from './dialogs.js';
import { copyFacts, factsQuestion, oldFactsOf } from './old-facts.js';
import { keyOf, placed, remembered } from './recent-projects.js';
import { type RuntimeSupervisor, type SupervisorOptions, superviseRuntime } from './runtime-supervisor.js';
import type { SettingsFile } from './settings.js';
import { openWindow, type WindowOptions } from './window.js';

export interface ProjectWindowOptions {
  readonly settings: SettingsFile;
  readonly userData: string;
  readonly runtime: Pick<SupervisorOptions, 'workerFile' | 'common'>;
  readonly window: Pick<WindowOptions, 'preload' | 'icon'>;
  /** The window has opened another project, got the focus, or is closed. */
  onChange(change: 'project' | 'focus' | 'closed'): void;
}

export interface ProjectWindow {
  readonly runtime: RuntimeSupervisor;
  /** Of the open project. */
  readonly id: string;
  /** Of the open project; undefined if it has no files on disk. */
  readonly paths: readonly string[] | undefined;
  /** Where the facts of the open project are: a folder or `memory`; undefined while nothing is open. */
  readonly facts: string | undefined;
  /** Undefined until `show`, and once it is closed. */
  readonly window: BrowserWindow | undefined;
  /** Opens files or a folder in place of the open project. Asks where the facts are if that is not clear; false if cancelled. */
  open(paths: readonly string[]): Promise<boolean>;
  /** Opens what a request of the page asks for, or nothing. */
  serve(project: NextProject): Promise<void>;
  /** Copies the project to a folder that a dialog asks for; false if it was cancelled. */
  saveAs(): Promise<boolean>;
  /** Shows the window, at first a new one, in front of others. */
  show(): BrowserWindow;
  send(channel: string, message: unknown): void;
}

export function createProjectWindow(options: ProjectWindowOptions): ProjectWindow {
  const { settings, userData } = options;
  const runtime = superviseRuntime({
    ...options.runtime,
    onOpen: (project) => serve(project).catch(fail),
    onState: (state) => send(RUNTIME_STATE, state),
  });
  let id = '';
  let served: NextProject | undefined;
  let window: BrowserWindow | undefined;

  async function open(opened: readonly string[]): Promise<boolean> {
    const found = await findProject(opened);
    const facts = await chooseFacts(found, settings);
    if (facts === undefined) return false;
    if (!found.isBundle && !(await holdsFacts(facts))) {
      const old = await oldFactsOf(found.files, userData);
      const response = old.length === 0 ? 0 : await ask(factsQuestion(found.files, old));
      const chosen = old[response];
      if (chosen !== undefined) await copyFacts(chosen.folder, facts);
    }
    await serve({ paths: found.paths, facts });
    return true;
  }

  async function serve({ facts, ...project }: NextProject): Promise<void> {
    const opened = project.paths;
    const found = opened && (await findProject(opened));
    if (opened !== undefined) settings.change((current) => remembered(current, opened));
    // A repro bundle contains its facts.
    const isStored = found !== undefined && !found.isBundle;
    const folder = isStored ? (facts ?? (await factsFolderOf(found))) : 'memory';
    id = projectId(folder === 'memory' ? undefined : folder, project.name);
    served = { ...project, facts: folder };
    options.onChange('project');
    await runtime.open(served);
  }

  function show(): BrowserWindow {
    if (window === undefined) {
      window = openWindow({
        ...options.window,
        place: settings.current.windows?.[keyOf(served?.paths ?? [])] ?? settings.current.window,
        onPlace: (place) => settings.change((current) => placed(current, served?.paths, place)),
      });
      window.on('focus', () => options.onChange('focus'));
      window.once('closed', () => {
        window = undefined;
        options.onChange('closed');
      });
      return window;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    // Some systems keep the focus where it is.
    options.onChange('focus');
    return window;
  }

  function send(channel: string, message: unknown): void {
    window?.webContents.send(channel, message);
  }

  return {
    runtime,
    get id() {
      return id;
    },
    get paths() {
      return served?.paths;
    },
    get facts() {
      const isOpen = served?.paths !== undefined || served?.texts !== undefined;
      return isOpen ? served?.facts : undefined;
    },
    get window() {
      return window;
    },
    ...{ open, serve, show, send },
    saveAs: () => saveAs(runtime),
  };
}

async function saveAs(runtime: RuntimeSupervisor): Promise<boolean> {
  const folder = await selectNewFolder();
  const address = await runtime.reached();
  if (folder === undefined || address === undefined) return false;
  // The runtime answers, and then asks to open the copy.
  const response = await fetch(`${address.url}/v1/project/save-as`, {
    method: 'POST',
    headers: { authorization: `Bearer ${address.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ folder }),
  });
  if (response.ok) return true;
  const { error } = (await response.json()) as { readonly error: { readonly message: string } };
  fail(error.message);
  return false;
}

/** The folder of the facts, or `memory`; undefined if the user opens nothing after all. */
async function chooseFacts(found: FoundProject, settings: SettingsFile): Promise<string | undefined> {
  const key = keyOf(found.paths);
  const facts = settings.current.factsFolders?.[key] ?? (await factsFolderOf(found));
  if (found.isBundle || facts === 'memory' || (await canStoreFacts(facts))) return facts;
  const chosen = await selectFactsFolder(facts);
  if (chosen === undefined || chosen === 'memory') return chosen;
  settings.change((current) => ({ ...current, factsFolders: { ...current.factsFolders, [key]: chosen } }));
  return await chooseFacts(found, settings);
}

/** One project in one window: its files, the window, and the supervised runtime that only this window talks to. */

import { app, type BrowserWindow, type MessageBoxOptions } from 'electron';
import type { MenuState } from '../../src-renderer/host/menus.js';
import { canStoreFacts, factsFolderOf, holdsFacts, projectId } from '../../src-runtime/project/facts-folder.js';
import { type FoundProject, findProject } from '../../src-runtime/project/find-project.js';
import type { NextProject } from '../../src-runtime/server/index.js';
import { COMMAND, RUNTIME_STATE } from '../bridge-channels.js';
import { ask, fail, selectFactsFolder, selectNewFolder } from '../dialogs.js';
import { type RunningRequests, runningRequests } from '../runtime/running-requests.js';
import { type RuntimeSupervisor, type SupervisorOptions, superviseRuntime } from '../runtime/runtime-supervisor.js';
import type { Settings, SettingsFile } from '../settings.js';
import { openWindow, type WindowOptions } from '../windows/window.js';
import { copyFacts, factsQuestion, oldFactsOf } from './old-facts.js';
import { keyOf, placed, remembered } from './recent-projects.js';
import { followRefusals } from './refused-facts.js';

export interface ProjectWindowOptions {
  readonly settings: SettingsFile;
  readonly userData: string;
  readonly runtime: Pick<SupervisorOptions, 'workerFile' | 'prepared' | 'common'>;
  readonly window: Pick<WindowOptions, 'preload' | 'icon'>;
  /** The window has another project, title or state of the menus, got the focus, or is closed. */
  onChange(change: 'content' | 'focus' | 'closed'): void;
  /** Whether to ask about unsaved texts: not while the application ends, whose next start shows them again. */
  asksBeforeClosing(): boolean;
}

export interface ProjectWindow {
  readonly runtime: RuntimeSupervisor;
  readonly requests: RunningRequests;
  /** Of the open project. */
  readonly id: string;
  /** Of the open project; undefined if it has no files on disk. */
  readonly paths: readonly string[] | undefined;
  /** Where the facts of the open project are: a folder or `memory`; undefined while nothing is open. */
  readonly facts: string | undefined;
  /** The open project. */
  readonly project: NextProject | undefined;
  /** Serves the project with the facts in another folder, now and later. */
  serveWith(project: NextProject, facts: string): Promise<void>;
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
  /** What the page reported for the menus. */
  readonly menuState: MenuState | undefined;
  reportMenu(state: MenuState): void;
  /** Sends a message to the page. One that still loads gets it then. */
  send(channel: string, message: unknown): void;
}

export function createProjectWindow(options: ProjectWindowOptions): ProjectWindow {
  const { settings } = options;
  const requests = runningRequests();
  const leaveRefused = followRefusals({
    served: () => served,
    serveWith,
    ask: (question) => ask(question, window),
  });
  const runtime = superviseRuntime({
    ...options.runtime,
    onOpen: (project) => serve(project).catch(fail),
    onState: (state) => {
      send(RUNTIME_STATE, state);
      leaveRefused(state).catch(fail);
    },
    blame: requests.blame,
  });
  let id = '';
  let served: NextProject | undefined;
  const menus = menuReports();
  let window: BrowserWindow | undefined;

  async function open(opened: readonly string[]): Promise<boolean> {
    const project = await chooseProject(opened, options);
    if (project !== undefined) await serve(project);
    return project !== undefined;
  }

  async function serve({ facts, ...project }: NextProject): Promise<void> {
    const opened = project.paths;
    const found = opened && (await findProject(opened));
    if (opened !== undefined) remember(opened, settings);
    // A repro bundle contains its facts.
    const folder = found === undefined || found.isBundle ? 'memory' : (facts ?? (await factsFolderOf(found)));
    id = projectId(folder === 'memory' ? undefined : folder, project.name);
    served = { ...project, facts: folder };
    window?.setRepresentedFilename(opened?.[0] ?? '');
    options.onChange('content');
    await runtime.open(served);
  }

  function serveWith(project: NextProject, facts: string): Promise<void> {
    settings.change((current) => withFacts(current, keyOf(project.paths ?? []), facts));
    return serve({ ...project, facts });
  }

  function show(): BrowserWindow {
    if (window === undefined) {
      window = openAtLastPlace(options, () => served?.paths);
      follow(window, options.onChange, () => {
        window = undefined;
      });
      askBeforeClosing(window, options, menus, () => send(COMMAND, 'save'));
      return window;
    }
    bringToFront(window);
    // Some systems keep the focus where it is.
    options.onChange('focus');
    return window;
  }

  function reportMenu(state: MenuState): void {
    window?.setDocumentEdited(state.edited);
    menus.report(state);
    options.onChange('content');
  }

  function send(channel: string, message: unknown): void {
    const contents = window?.webContents;
    if (contents?.isLoadingMainFrame() === true) contents.once('dom-ready', () => contents.send(channel, message));
    else contents?.send(channel, message);
  }

  return {
    runtime,
    requests,
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
    get project() {
      return served;
    },
    get window() {
      return window;
    },
    get menuState() {
      return menus.state;
    },
    ...{ open, serve, serveWith, show, send, reportMenu },
    saveAs: () => saveAs(runtime),
  };
}

/** What the page last reported for the menus, and what waits until it has saved. */
function menuReports() {
  let state: MenuState | undefined;
  const waiting: (() => void)[] = [];
  return {
    get state() {
      return state;
    },
    report(next: MenuState): void {
      state = next;
      if (!next.edited) for (const done of waiting.splice(0)) done();
    },
    onceSaved: (done: () => void) => void waiting.push(done),
  };
}

/** `paths` are those of the open project, which may change while the window is open. */
function openAtLastPlace(options: ProjectWindowOptions, paths: () => readonly string[] | undefined): BrowserWindow {
  const { settings } = options;
  const opened = paths() ?? [];
  const window = openWindow({
    ...options.window,
    place: settings.current.windows?.[keyOf(opened)] ?? settings.current.window,
    onPlace: (place) => settings.change((current) => placed(current, paths(), place)),
  });
  window.setRepresentedFilename(opened[0] ?? '');
  return window;
}

function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

function follow(window: BrowserWindow, onChange: ProjectWindowOptions['onChange'], onClosed: () => void): void {
  window.on('focus', () => onChange('focus'));
  window.on('page-title-updated', () => onChange('content'));
  window.once('closed', () => {
    onClosed();
    onChange('closed');
  });
}

function askBeforeClosing(
  window: BrowserWindow,
  options: ProjectWindowOptions,
  menus: ReturnType<typeof menuReports>,
  save: () => void,
): void {
  let isConfirmed = false;
  const close = (): void => {
    isConfirmed = true;
    if (!window.isDestroyed()) window.close();
  };
  window.on('close', (event) => {
    if (isConfirmed || !options.asksBeforeClosing() || menus.state?.edited !== true) return;
    event.preventDefault();
    void ask(UNSAVED_QUESTION, window).then((button) => {
      if (button === 0) {
        menus.onceSaved(close);
        save();
      } else if (button === 1) close();
    });
  });
}

const UNSAVED_QUESTION: MessageBoxOptions = {
  type: 'question',
  title: 'Entail',
  message: 'Save the changes before the window closes?',
  detail: 'Otherwise they stay a draft, and appear again when you open the project in Entail.',
  buttons: ['Save', 'Keep Draft', 'Cancel'],
  defaultId: 0,
  cancelId: 2,
  noLink: true,
};

async function saveAs(runtime: RuntimeSupervisor): Promise<boolean> {
  const folder = await selectNewFolder('Save project as a new folder');
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

/** Asks where the facts are if that is not clear; undefined if the user opens nothing after all. */
async function chooseProject(
  opened: readonly string[],
  { settings, userData }: ProjectWindowOptions,
): Promise<NextProject | undefined> {
  const found = await findProject(opened);
  const facts = await chooseFacts(found, settings);
  if (facts === undefined) return undefined;
  await adoptOldFacts(found, facts, userData);
  return { paths: found.paths, facts };
}

function remember(paths: readonly string[], settings: SettingsFile): void {
  settings.change((current) => remembered(current, paths));
  app.addRecentDocument(paths[0] ?? '');
}

/** Copies facts that an earlier version stored elsewhere, if the project has none and the user wants it. */
async function adoptOldFacts(found: FoundProject, facts: string, userData: string): Promise<void> {
  if (found.isBundle || (await holdsFacts(facts))) return;
  const old = await oldFactsOf(found.files, userData);
  const chosen = old.length === 0 ? undefined : old[await ask(factsQuestion(found.files, old))];
  if (chosen !== undefined) await copyFacts(chosen.folder, facts);
}

/** The folder of the facts, or `memory`; undefined if the user opens nothing after all. */
async function chooseFacts(found: FoundProject, settings: SettingsFile): Promise<string | undefined> {
  const key = keyOf(found.paths);
  const facts = settings.current.factsFolders?.[key] ?? (await factsFolderOf(found));
  if (found.isBundle || facts === 'memory' || (await canStoreFacts(facts))) return facts;
  const chosen = await selectFactsFolder(facts);
  if (chosen === undefined || chosen === 'memory') return chosen;
  settings.change((current) => withFacts(current, key, chosen));
  return await chooseFacts(found, settings);
}

function withFacts(settings: Settings, key: string, folder: string): Settings {
  return { ...settings, factsFolders: { ...settings.factsFolders, [key]: folder } };
}

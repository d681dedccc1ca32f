/** The open windows, each with one project, and which of them a page, a menu command or an opened file belongs to. */

import type { WebContents } from 'electron';
import { factsFolderOf, realPath } from '../../src-runtime/project/facts-folder.js';
import { type FoundProject, findProject } from '../../src-runtime/project/find-project.js';
import type { SettingsFile } from '../settings.js';
import { createProjectWindow, type ProjectWindow, type ProjectWindowOptions } from './project-window.js';
import { keyOf } from './recent-projects.js';

export interface ProjectWindows {
  /** The window that the user used last; undefined if none is open. */
  readonly current: ProjectWindow | undefined;
  readonly all: readonly ProjectWindow[];
  /** The window of a page, by the page or the id of its contents. */
  of(page: WebContents | string): ProjectWindow | undefined;
  /** Opens an empty window. */
  openEmpty(): Promise<ProjectWindow>;
  /**
   * Opens files or a folder: in the window that has them already, or in `target`, or in a new window, which also takes the place of an empty
   * one. Throws ProjectError.
   */
  open(paths: readonly string[], target?: ProjectWindow): Promise<void>;
  /** From now on windows close because the application ends, and are reopened at the next start. */
  quit(): void;
  /** Ends the runtimes of all windows. */
  close(): Promise<void>;
}

export function projectWindows(
  options: Omit<ProjectWindowOptions, 'onChange' | 'asksBeforeClosing'> & {
    /** Projects are opened at once, but windows are shown only after this. */
    readonly ready: Promise<void>;
  },
  settings: SettingsFile,
  /** Another window is in front, or one has other content. */
  onChange: () => void,
): ProjectWindows {
  /** The last used first. */
  let all: readonly ProjectWindow[] = [];
  const closing = new Set<Promise<void>>();
  let opening: Promise<unknown> = Promise.resolve();
  let isQuitting = false;

  function create(): ProjectWindow {
    const created = createProjectWindow({
      ...options,
      onChange: (change) => {
        if (change === 'closed') remove(created);
        else if (change === 'focus') all = [created, ...all.filter((each) => each !== created)];
        rememberOpen();
        onChange();
      },
      // The last window ends the application, except on a Mac.
      asksBeforeClosing: () => !isQuitting && (all.length > 1 || process.platform === 'darwin'),
    });
    return created;
  }

  async function show(created: ProjectWindow): Promise<void> {
    await options.ready;
    all = [created, ...all];
    created.show();
    rememberOpen();
    onChange();
  }

  function remove(closed: ProjectWindow): void {
    all = all.filter((each) => each !== closed);
    const ended = closed.runtime.close().finally(() => closing.delete(ended));
    closing.add(ended);
  }

  /** The last window that closes ends the application, or could be reopened by its icon. */
  function rememberOpen(): void {
    if (isQuitting || all.length === 0) return;
    const open = all.flatMap(({ paths }) => (paths === undefined ? [] : [[...paths]]));
    settings.change((current) => ({ ...current, open }));
  }

  async function openNow(paths: readonly string[], target: ProjectWindow | undefined): Promise<void> {
    const found = await findProject(paths);
    const facts = found.isBundle ? undefined : await factsFolderOf(found);
    const shown =
      all.find((each) => hasPaths(each, found)) ?? all.find((each) => facts !== undefined && each.facts === facts);
    if (shown !== undefined && shown !== target && hasPaths(shown, found)) {
      shown.show();
      return;
    }
    const window = shown ?? target ?? all.find((each) => each.facts === undefined);
    if (window !== undefined) {
      await window.open(paths);
      window.show();
      return;
    }
    // A window of this project that was just closed may still have its facts open.
    await Promise.all(closing);
    const created = create();
    if (await created.open(paths)) await show(created);
  }

  /** One at a time, so that the second of two starts with the same file finds the window of the first. */
  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = opening.then(work);
    opening = result.catch(() => undefined);
    return await result;
  }

  return {
    get current() {
      return all[0];
    },
    get all() {
      return all;
    },
    of: (page) => all.find(({ window }) => isOf(window?.webContents, page)),
    openEmpty: () =>
      inTurn(async () => {
        const created = create();
        await created.serve({});
        await show(created);
        return created;
      }),
    open: (paths, target) => inTurn(() => openNow(paths, target)),
    quit() {
      isQuitting = true;
    },
    async close() {
      await Promise.all([...closing, ...all.map(({ runtime }) => runtime.close())]);
    },
  };
}

function isOf(contents: WebContents | undefined, page: WebContents | string): boolean {
  return typeof page === 'string' ? String(contents?.id) === page : contents === page;
}

function hasPaths({ paths }: ProjectWindow, found: FoundProject): boolean {
  return (
    paths !== undefined &&
    keyOf(paths.map((path) => realPath(path))) === keyOf(found.paths.map((path) => realPath(path)))
  );
}

/** A window of the application: it opens at its last position, shows the workbench, and cannot navigate elsewhere. */

import { app, BrowserWindow, Menu, type Rectangle, screen } from 'electron';
import { EDIT } from '../bridge-channels.js';
import { ask } from '../dialogs.js';
import { openLogsFolder } from '../main-log.js';
import type { WindowPlace } from '../settings.js';
import { WORKBENCH_ORIGIN } from '../workbench-address.js';
import { contextMenuItems } from './context-menu.js';
import { recoverPage } from './page-recovery.js';
import { besides, placeOn } from './window-place.js';

const SIZE_MIN = { minWidth: 900, minHeight: 600 };

/** Debounce: dragging a window reports many positions. */
const PLACE_PAUSE_MS = 300;

/** A killed application loses at most this much of the page's storage. */
const WRITE_INTERVAL_MS = 1_000;

export interface WindowOptions {
  readonly preload: string;
  readonly icon: string;
  readonly place: WindowPlace | undefined;
  onPlace(place: WindowPlace): void;
}

export function openWindow(options: WindowOptions): BrowserWindow {
  const { place } = options;
  const otherBounds = BrowserWindow.getAllWindows().map((other) => other.getNormalBounds());
  const window = new BrowserWindow({
    ...besides(otherBounds, placeOn(workAreas(), place)),
    ...SIZE_MIN,
    show: false,
    title: 'Entail',
    icon: options.icon,
    backgroundColor: '#1c1d1f',
    webPreferences: {
      preload: options.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
      spellcheck: false,
    },
  });
  if (place?.maximized === true) window.maximize();
  window.once('ready-to-show', () => window.show());
  rememberPlace(window, options.onPlace);
  recoverPage(window.webContents, {
    ask: (question) => {
      // It is hidden if its page never loaded.
      window.show();
      return ask(question, window);
    },
    openLogs: openLogsFolder,
    quit: () => app.quit(),
    nowMs: () => performance.now(),
  });
  offerContextMenu(window);
  writeSoon(window);
  window.loadURL(`${WORKBENCH_ORIGIN}/`).catch(() => {
    // The window itself shows the error; View, Reload tries again.
  });
  return window;
}

/** Saves the position while the window is open too, because a killed application sends no `close`. */
function rememberPlace(window: BrowserWindow, onPlace: WindowOptions['onPlace']): void {
  let settled: NodeJS.Timeout | undefined;
  const remember = (): void => {
    clearTimeout(settled);
    onPlace({ ...window.getNormalBounds(), maximized: window.isMaximized() });
  };
  const rememberSoon = (): void => {
    clearTimeout(settled);
    settled = setTimeout(remember, PLACE_PAUSE_MS);
  };
  window.on('resize', rememberSoon);
  window.on('move', rememberSoon);
  window.on('close', remember);
}

/** Electron has no default context menu. */
function offerContextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, clicked) => {
    const items = contextMenuItems(clicked, (edit) => window.webContents.send(EDIT, edit));
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window });
  });
}

/** Chromium writes a page's storage only after many seconds, and a killed application would lose it. */
function writeSoon(window: BrowserWindow): void {
  const { session } = window.webContents;
  const writing = setInterval(() => session.flushStorageData(), WRITE_INTERVAL_MS);
  window.once('closed', () => clearInterval(writing));
}

/** The work area of each screen, the main one first. */
function workAreas(): readonly Rectangle[] {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  return [main, ...others].map(({ workArea }) => workArea);
}

/** The commands of the main process: those of the windows, of the native Edit menu, and of the whole application. */

import { app, BrowserWindow, clipboard, type WebContents } from 'electron';
import type { HostCommandId } from '../src-renderer/host/menus.js';
import { offerCommand } from './install-command.js';
import { openLogsFolder } from './main-log.js';
import type { ProjectWindow } from './projects/project-window.js';
import type { ProjectWindows } from './projects/project-windows.js';

/** As Electron's own items for zoom. */
const ZOOM_STEP = 0.5;

/** Runs a command for the window of a page or in front; undefined if none is open. */
export type RunHostCommand = (command: HostCommandId, target: ProjectWindow | undefined) => unknown;

export function hostCommands(windows: ProjectWindows, workerFile: string): RunHostCommand {
  const care = async () => (await import('./projects/data-care.js')).dataCare(windows, workerFile);
  const commands: Readonly<Record<HostCommandId, (target: ProjectWindow | undefined) => unknown>> = {
    'new-window': () => windows.openEmpty(),
    'close-window': (target) => target?.window?.close(),
    minimize: (target) => target?.window?.minimize(),
    'zoom-window': (target) => inWindow(target, toggleMaximized),
    front: () => BrowserWindow.getAllWindows().map((window) => window.moveTop()),
    'full-screen': (target) => inWindow(target, (window) => window.setFullScreen(!window.isFullScreen())),
    quit: () => app.quit(),
    'back-up': async (target) => target && (await care()).backUp(target),
    restore: async (target) => target && (await care()).restore(target),
    'check-data': async (target) => target && (await care()).check(target),
    cut: (target) => inPage(target, (page) => page.cut()),
    copy: (target) => inPage(target, (page) => page.copy()),
    delete: (target) => inPage(target, (page) => page.delete()),
    'zoom-in': (target) => inPage(target, (page) => page.setZoomLevel(page.getZoomLevel() + ZOOM_STEP)),
    'zoom-out': (target) => inPage(target, (page) => page.setZoomLevel(page.getZoomLevel() - ZOOM_STEP)),
    'zoom-reset': (target) => inPage(target, (page) => page.setZoomLevel(0)),
    'force-reload': (target) => inPage(target, (page) => page.reloadIgnoringCache()),
    'developer-tools': (target) => inPage(target, (page) => page.toggleDevTools()),
    'restart-runtime': (target) => target?.runtime.restart(),
    'install-command': () => offerCommand(),
    'open-logs': openLogsFolder,
    'copy-versions': () => clipboard.writeText(versions()),
  };
  return (command, target) => commands[command](target);
}

function inWindow(target: ProjectWindow | undefined, run: (window: BrowserWindow) => void): void {
  if (target?.window !== undefined) run(target.window);
}

function inPage(target: ProjectWindow | undefined, run: (page: WebContents) => void): void {
  inWindow(target, ({ webContents }) => run(webContents));
}

function toggleMaximized(window: BrowserWindow): void {
  if (window.isMaximized()) window.unmaximize();
  else window.maximize();
}

function versions(): string {
  const { electron, chrome, node } = process.versions;
  const system = `${process.platform} ${process.getSystemVersion()} ${process.arch}`;
  return `Entail ${app.getVersion()}, Electron ${electron}, Chromium ${chrome}, Node ${node}, ${system}`;
}

/** The application menu. */

import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { Edit, MenuCommand } from '../src-renderer/host/host.js';
import { offerCommand } from './install-command.js';
import { recentNames } from './recent-projects.js';

export interface MenuActions {
  newWindow(): void;
  openFiles(): void;
  openFolder(): void;
  saveAs(): void;
  openRecent(paths: readonly string[]): void;
  /** Runs a command of the page. */
  run(command: MenuCommand): void;
  copyToken(): void;
  restartRuntime(): void;
  /** Makes the page undo, redo or select all in the focused element. */
  edit(edit: Edit): void;
  /** Navigates the page to one of its addresses. */
  show(place: string): void;
}

export function showMenu(
  actions: MenuActions,
  recent: readonly (readonly string[])[],
  samples: readonly string[],
): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(template(actions, recent, samples)));
}

function template(
  actions: MenuActions,
  recent: readonly (readonly string[])[],
  samples: readonly string[],
): MenuItemConstructorOptions[] {
  const mac = process.platform === 'darwin';
  const names = recentNames(recent);
  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { id: 'new-window', label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: () => actions.newWindow() },
        { id: 'new', label: 'New Module', accelerator: 'CmdOrCtrl+N', click: () => actions.run('new') },
        { id: 'open-files', label: 'Open Files…', accelerator: 'CmdOrCtrl+O', click: () => actions.openFiles() },
        { id: 'open-folder', label: 'Open Folder…', click: () => actions.openFolder() },
        {
          label: 'Open Recent',
          submenu: recent.map((paths, at) => recentItem(actions, paths, names[at] ?? '')),
          enabled: recent.length > 0,
        },
        {
          label: 'Samples',
          submenu: samples.map((name) => ({
            id: `sample-${name}`,
            label: name,
            click: () => actions.run(`sample:${name}`),
          })),
        },
        { type: 'separator' },
        { id: 'add-file', label: 'Add File…', click: () => actions.run('addFile') },
        { id: 'rename', label: 'Rename…', click: () => actions.run('rename') },
        { id: 'save-as', label: 'Save As…', accelerator: 'CmdOrCtrl+Shift+S', click: () => actions.saveAs() },
        { id: 'close', label: 'Close Project', click: () => actions.run('close') },
        { type: 'separator' },
        mac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { label: '&Edit', submenu: editItems(actions, mac) },
    { label: '&View', submenu: viewItems },
    {
      label: '&Runtime',
      submenu: [
        { id: 'copy-token', label: 'Copy API Token', click: () => actions.copyToken() },
        { id: 'restart-runtime', label: 'Restart', click: () => actions.restartRuntime() },
      ],
    },
    // On other platforms this menu would have Close with Ctrl+W, which ends the application with its only window.
    ...(mac ? [{ role: 'windowMenu' } as const] : []),
    {
      role: 'help',
      submenu: [
        { id: 'docs', label: 'Docs', click: () => actions.show('/docs') },
        { id: 'tour', label: 'Tour', click: () => actions.run('tour') },
        { id: 'shortcuts', label: 'Keyboard Shortcuts', click: () => actions.show('/settings?section=keyboard') },
        { id: 'error-codes', label: 'Error Codes', click: () => actions.show('/log?codes=') },
        { id: 'install-command', label: 'Install the entail Command', click: () => void offerCommand() },
        { type: 'separator' },
        { id: 'about', label: 'About Entail', click: () => actions.show('/settings?section=about') },
      ],
    },
  ];
}

/** Electron's roles would use Chromium's history, which lacks the changes that an editor of the page makes in code. */
function editItems({ edit }: MenuActions, mac: boolean): MenuItemConstructorOptions[] {
  // On other platforms the keys reach the page without the menu, which only shows them.
  const registerAccelerator = mac;
  return [
    { id: 'undo', label: 'Undo', accelerator: 'CmdOrCtrl+Z', registerAccelerator, click: () => edit('undo') },
    { id: 'redo', label: 'Redo', accelerator: 'CmdOrCtrl+Shift+Z', registerAccelerator, click: () => edit('redo') },
    { type: 'separator' },
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'delete' },
    { type: 'separator' },
    {
      id: 'select-all',
      label: 'Select All',
      accelerator: 'CmdOrCtrl+A',
      registerAccelerator,
      click: () => edit('selectAll'),
    },
  ];
}

/** Like Electron's own menu, with more keys for zoom: `+` is Shift and `=` on many keyboards, and a key of the number pad. */
const viewItems: MenuItemConstructorOptions[] = [
  { role: 'reload' },
  { role: 'forceReload' },
  { role: 'toggleDevTools' },
  { type: 'separator' },
  { role: 'resetZoom' },
  { role: 'zoomIn' },
  { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false },
  { role: 'zoomIn', accelerator: 'CmdOrCtrl+numadd', visible: false },
  { role: 'zoomOut' },
  { role: 'zoomOut', accelerator: 'CmdOrCtrl+numsub', visible: false },
  { type: 'separator' },
  { role: 'togglefullscreen' },
];

function recentItem(actions: MenuActions, paths: readonly string[], name: string): MenuItemConstructorOptions {
  return {
    // A single `&` would underline the next character.
    label: name.replaceAll('&', '&&'),
    toolTip: paths.join('\n'),
    click: () => actions.openRecent(paths),
  };
}

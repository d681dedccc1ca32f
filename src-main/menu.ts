/** The application menu. */

import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { Edit } from '../src-renderer/host/host.js';
import { recentNames } from './module-files.js';

export interface MenuActions {
  openModule(): void;
  openSample(): void;
  openFiles(files: readonly string[]): void;
  copyToken(): void;
  restartRuntime(): void;
  /** Makes the page undo, redo or select all in the focused element. */
  edit(edit: Edit): void;
  /** Navigates the page to one of its addresses. */
  show(place: string): void;
}

export function showMenu(actions: MenuActions, recent: readonly (readonly string[])[]): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(template(actions, recent)));
}

function template(actions: MenuActions, recent: readonly (readonly string[])[]): MenuItemConstructorOptions[] {
  const mac = process.platform === 'darwin';
  const names = recentNames(recent);
  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { id: 'open-module', label: 'Open Module…', accelerator: 'CmdOrCtrl+O', click: () => actions.openModule() },
        {
          label: 'Open Recent',
          submenu: recent.map((files, at) => recentItem(actions, files, names[at] ?? '')),
          enabled: recent.length > 0,
        },
        { id: 'open-sample', label: 'Open the Sample Module', click: () => actions.openSample() },
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
    // Elsewhere this menu would have Close with Ctrl+W, which ends the application with its only window.
    ...(mac ? [{ role: 'windowMenu' } as const] : []),
    {
      role: 'help',
      submenu: [
        { id: 'shortcuts', label: 'Keyboard Shortcuts', click: () => actions.show('/settings?section=keyboard') },
        { id: 'error-codes', label: 'Error Codes', click: () => actions.show('/log?codes=') },
        { type: 'separator' },
        { id: 'about', label: 'About Entail', click: () => actions.show('/settings?section=about') },
      ],
    },
  ];
}

/** Electron's roles would use Chromium's history, which does not include changes that an editor of the page made by itself. */
function editItems({ edit }: MenuActions, mac: boolean): MenuItemConstructorOptions[] {
  // Elsewhere the keys reach the page without the menu, which only shows them.
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

/** As Electron's own, with further keys that zoom: `+` is on the shifted `=` of many keyboards, and on the number pad. */
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

function recentItem(actions: MenuActions, files: readonly string[], name: string): MenuItemConstructorOptions {
  return {
    // A single `&` would underline the next character.
    label: name.replaceAll('&', '&&'),
    toolTip: files.join('\n'),
    click: () => actions.openFiles(files),
  };
}

/** The application menu. */

import { Menu, type MenuItemConstructorOptions } from 'electron';
import { recentNames } from './module-files.js';

export interface MenuActions {
  openModule(): void;
  openSample(): void;
  openFiles(files: readonly string[]): void;
  copyToken(): void;
  restartRuntime(): void;
  /** Leads the page to an address of its own. */
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
    { role: 'editMenu' },
    { role: 'viewMenu' },
    {
      label: '&Runtime',
      submenu: [
        { id: 'copy-token', label: 'Copy API Token', click: () => actions.copyToken() },
        { id: 'restart-runtime', label: 'Restart', click: () => actions.restartRuntime() },
      ],
    },
    { role: 'windowMenu' },
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

function recentItem(actions: MenuActions, files: readonly string[], name: string): MenuItemConstructorOptions {
  return {
    // One `&` would underline what follows it.
    label: name.replaceAll('&', '&&'),
    toolTip: files.join('\n'),
    click: () => actions.openFiles(files),
  };
}

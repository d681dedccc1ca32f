/** The application menu. */

import { basename } from 'node:path';
import { Menu, type MenuItemConstructorOptions } from 'electron';

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
  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { id: 'open-module', label: 'Open Module…', accelerator: 'CmdOrCtrl+O', click: () => actions.openModule() },
        {
          label: 'Open Recent',
          submenu: recent.map((files) => recentItem(actions, files)),
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

function recentItem(actions: MenuActions, files: readonly string[]): MenuItemConstructorOptions {
  const more = files.length === 1 ? '' : ` and ${files.length - 1} more`;
  return {
    label: `${basename(files[0] ?? '')}${more}`,
    toolTip: files.join('\n'),
    click: () => actions.openFiles(files),
  };
}

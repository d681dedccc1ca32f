/** The native menus: the commands of the palette, nothing else, with keys and states of the window in front. */

import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { commandsOn, type MenuState } from '../src-renderer/host/menus.js';
import { type MenuContent, menuTemplate, withMnemonics } from './menu.js';

type Item = MenuItemConstructorOptions;

const run: string[] = [];
const actions = {
  run: (command: string) => run.push(command),
  openRecent: (paths: readonly string[]) => run.push(`recent ${paths.join()}`),
  showWindow: (id: number) => run.push(`window ${id}`),
};
const state: MenuState = {
  enabled: ['save', 'wrap', 'panel:Data'],
  checked: ['wrap'],
  keys: { save: 'Mod+S', 'panel:Data': 'Alt+4', wrap: 'Mod+é', 'close-tab': 'Alt+W' },
  edited: false,
};
const OPEN: MenuContent = {
  system: 'others',
  recent: [['/m/R&D.entail']],
  samples: ['lease', 'supply'],
  windows: [
    { id: 1, title: 'lease' },
    { id: 2, title: 'notes' },
  ],
  front: { id: 2, state },
};

function itemsOf(content: Partial<MenuContent> = {}): Item[] {
  const all = (items: readonly Item[]): Item[] =>
    items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? all(item.submenu) : [])]);
  return all(menuTemplate({ ...OPEN, ...content }, actions));
}

function itemOf(id: string, content?: Partial<MenuContent>): Item {
  return itemsOf(content).find((item) => item.id === id) ?? {};
}

/** Without the members of lists, which the palette lists too. */
function commandIds(items: readonly Item[]): string[] {
  return items.flatMap(({ id }) => (id === undefined || /^(sample|window)-\w+$/.test(id) ? [] : [id]));
}

describe.each(['mac', 'others'] as const)('the menus on %s', (system) => {
  it('have every command of the palette, and no other, each once', () => {
    const palette = commandsOn(system).filter(({ isOfBrowser }) => isOfBrowser !== true);
    const ids = palette.map(({ id }) => id);
    expect(commandIds(itemsOf({ system }))).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have no item without a command but the lists and those of the system', () => {
    const named = itemsOf({ system }).filter(({ id, visible }) => id === undefined && visible !== false);
    const others = named.filter(({ type, submenu }) => type !== 'separator' && submenu === undefined);
    const labels = others.map(({ role, label }) => role ?? label);
    expect(labels).toEqual([
      ...(system === 'mac' ? ['services', 'hide', 'hideOthers', 'unhide'] : []),
      'R&&D.entail',
      'paste',
    ]);
  });

  it('have a label, a role or a type in every item, as Electron demands', () => {
    expect(itemsOf({ system }).filter(({ label, role, type }) => !label && !role && !type)).toEqual([]);
  });

  it('have mnemonics that are unique in each menu', () => {
    const menus = [menuTemplate({ ...OPEN, system }, actions), ...submenusOf(system)];
    for (const menu of menus) {
      const letters = menu.flatMap(({ label = '' }) => /(?<!&)&(\p{L})/u.exec(label)?.[1]?.toLowerCase() ?? []);
      expect(letters).toEqual([...new Set(letters)]);
      const named = menu.filter(
        ({ id = '', label, visible }) => label && visible !== false && !id.startsWith('window-'),
      );
      expect(letters.length).toBeGreaterThanOrEqual(named.length - 2);
    }
  });

  it('show keys that no other item has', () => {
    const keys = itemsOf({ system }).flatMap(({ accelerator }) => accelerator ?? []);
    expect(keys).toEqual([...new Set(keys)]);
  });
});

function submenusOf(system: MenuContent['system']): Item[][] {
  return menuTemplate({ ...OPEN, system }, actions).map(({ submenu }) =>
    (submenu as Item[]).filter(({ type, role }) => type !== 'separator' && role !== 'services'),
  );
}

it('shows the keys that the page reports, without taking them from it', () => {
  expect(itemOf('save')).toMatchObject({
    label: expect.stringContaining('ave and Reload'),
    accelerator: 'CmdOrCtrl+S',
  });
  expect(itemOf('panel:Data').accelerator).toBe('Alt+4');
  expect(itemOf('close-tab')).toMatchObject({ accelerator: 'CmdOrCtrl+W', registerAccelerator: false });
  expect(itemOf('close-tab', { system: 'mac' }).registerAccelerator).toBe(true);
  expect(itemOf('add-cursor-above').accelerator).toBe('CmdOrCtrl+Alt+Up');
  expect(itemOf('new-window').registerAccelerator).toBe(true);
  // Electron would refuse a letter that it does not know.
  expect(itemOf('wrap').accelerator).toBeUndefined();
});

it('zooms with more keys than it shows', () => {
  const items = itemsOf();
  for (const key of ['=', 'numadd', 'numsub', 'num0', '0', '-', 'Plus'])
    items.find(({ accelerator }) => accelerator === `CmdOrCtrl+${key}`)?.click?.({} as never, undefined, {} as never);
  expect(run.splice(0)).toEqual([
    ...['zoom-in', 'zoom-in', 'zoom-out', 'zoom-reset', 'zoom-reset', 'zoom-out', 'zoom-in'],
  ]);
});

it('enables what the page in front can run, and everything while it loads', () => {
  expect(itemOf('save').enabled).toBe(true);
  expect(itemOf('promote').enabled).toBe(false);
  expect(itemOf('wrap').checked).toBe(true);
  expect(itemOf('promote', { front: { id: 2, state: undefined } }).enabled).toBe(true);
});

it('enables without a window only what opens one, and Quit', () => {
  const enabled = itemsOf({ front: undefined, windows: [] }).filter((item) => item.id && item.enabled !== false);
  expect(commandIds(enabled).sort()).toEqual(
    [
      ...[
        'about',
        'copy-versions',
        'docs',
        'error-codes',
        'install-command',
        'new',
        'new-window',
        'open-files',
        'open-folder',
        'open-logs',
      ],
      ...['panel:Settings', 'quit', 'shortcuts', 'tour'],
    ].sort(),
  );
});

it('has developer tools under Help only, and Settings with About in the menu of a Mac application', () => {
  const menu = (system: MenuContent['system'], label: string) =>
    menuTemplate({ ...OPEN, system }, actions).find((each) => each.label?.replace('&', '') === label)
      ?.submenu as Item[];
  expect(commandIds(menu('others', 'Help'))).toContain('developer-tools');
  expect(commandIds(menu('others', 'View'))).not.toContain('reload-page');
  expect(commandIds(menu('mac', 'Entail'))).toEqual(['about', 'panel:Settings', 'quit']);
  expect(itemOf('panel:Settings', { system: 'mac' }).accelerator).toBe('CmdOrCtrl+,');
  expect(commandIds(menu('mac', 'File'))).not.toContain('quit');
});

it('lists windows, recent projects and samples', () => {
  expect(itemOf('window-2')).toMatchObject({ label: 'notes', checked: true });
  const click = (item: Item | undefined) => item?.click?.({} as never, undefined, {} as never);
  click(itemOf('window-1'));
  click(itemOf('sample-supply'));
  click(itemsOf().find(({ label }) => label === 'R&&D.entail'));
  expect(run.splice(0)).toEqual(['window 1', 'sample:supply', 'recent /m/R&D.entail']);
});

it('marks the initial of a word if it is free, or else another letter', () => {
  expect(withMnemonics(['Open Files', 'Open Folder', 'Or', 'Foo'])).toEqual([
    '&Open Files',
    'Open &Folder',
    'O&r',
    'Foo',
  ]);
});

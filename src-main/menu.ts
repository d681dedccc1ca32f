/** The native menus, made from the table that the page makes its palette from. */

import type { Menu, MenuItem, MenuItemConstructorOptions } from 'electron';
import { type CommandEntry, type MenuState, menusOn, type OtherEntry } from '../src-renderer/host/menus.js';
import { recentNames } from './projects/recent-projects.js';

export interface MenuContent {
  readonly system: 'mac' | 'others';
  readonly recent: readonly (readonly string[])[];
  readonly samples: readonly string[];
  readonly windows: readonly { readonly id: number; readonly title: string }[];
  /** Of the window in front; undefined if none is open. */
  readonly front: { readonly id: number; readonly state: MenuState | undefined } | undefined;
}

export interface MenuActions {
  /** A command of the table, or `sample:` and its name. */
  run(command: string): void;
  openRecent(paths: readonly string[]): void;
  showWindow(id: number): void;
}

/** The part of Electron's `Menu` that is used here. */
type NativeMenus = Pick<typeof Menu, 'getApplicationMenu' | 'setApplicationMenu' | 'buildFromTemplate'>;

/** Replaces the native menus. If only states of items changed, changes those, since an open menu would close. */
export function createMenus(native: NativeMenus, actions: MenuActions): (content: MenuContent) => void {
  let shown = '';
  return (content) => {
    const { front, ...listed } = content;
    const wanted = JSON.stringify([listed, front?.state?.keys]);
    const menu = native.getApplicationMenu();
    if (menu === null || wanted !== shown) {
      native.setApplicationMenu(native.buildFromTemplate(menuTemplate(content, actions)));
      shown = wanted;
    } else {
      updateItems(menu, itemStates(menuTemplate(content, actions)));
    }
  };
}

export function menuTemplate(content: MenuContent, actions: MenuActions): MenuItemConstructorOptions[] {
  const menus = menusOn(content.system);
  const labels = withMnemonics(menus.map(({ label }) => label));
  return menus.map(({ label, entries }, at) => ({
    label: labels[at] ?? label,
    // macOS adds its own items to these two.
    ...(label === 'Help' && { role: 'help' }),
    ...(label === 'Window' && content.system === 'mac' && { role: 'window' }),
    submenu: named(entries.flatMap((entry) => ('id' in entry ? command(entry) : others(entry)))),
  }));

  function command(entry: CommandEntry): MenuItemConstructorOptions[] {
    if (entry.isOfBrowser === true) return [];
    const { id, label, role, isToggle } = entry;
    return [
      {
        ...{ id, label: titleCase(label), ...keysIn(content, entry) },
        enabled: isEnabled(content, entry),
        ...(isToggle === true && { type: 'checkbox', checked: content.front?.state?.checked.includes(id) === true }),
        // A native item with a role ignores its click.
        ...(role === undefined ? { click: () => actions.run(id) } : { role }),
      },
      // `+` is Shift and `=` on many keyboards, and the number pad has its own keys.
      ...(MORE_KEYS[id] ?? []).map((accelerator) => ({
        ...{ label, accelerator, visible: false },
        click: () => actions.run(id),
      })),
    ];
  }

  function others(entry: OtherEntry): MenuItemConstructorOptions[] {
    if (entry.kind === 'separator') return [{ type: 'separator' }];
    if (entry.kind === 'system') return [{ role: entry.role }];
    if (entry.list === 'windows') return windowItems(content, actions);
    const submenu = entry.list === 'recent' ? recentItems(content, actions) : sampleItems(content, actions);
    return [{ label: entry.label, submenu, enabled: submenu.length > 0 }];
  }
}

const MORE_KEYS: Readonly<Record<string, readonly string[]>> = {
  'zoom-in': ['CmdOrCtrl+=', 'CmdOrCtrl+numadd'],
  'zoom-out': ['CmdOrCtrl+numsub'],
  'zoom-reset': ['CmdOrCtrl+num0'],
};

function isEnabled({ front }: MenuContent, { id, isOfHost, opensWindow }: CommandEntry): boolean {
  if (front === undefined) return opensWindow === true || id === 'quit';
  // A page that still loads runs the command then.
  return isOfHost === true || front.state === undefined || front.state.enabled.includes(id);
}

function keysIn({ system, front }: MenuContent, entry: CommandEntry): MenuItemConstructorOptions {
  const fixed = system === 'mac' ? (entry.macKeys ?? entry.keys) : entry.keys;
  const accelerator = acceleratorOf(fixed ?? front?.state?.keys[entry.id] ?? '');
  if (accelerator === undefined) return {};
  // Keys of the page reach it without the menu, which only shows them. macOS sends keys to the menu that the page leaves.
  const isOfPage = entry.areOfPage === true || fixed === undefined;
  return { accelerator, registerAccelerator: system === 'mac' || !isOfPage };
}

/** Undefined for keys that Electron cannot show, such as a letter that only some keyboards have. */
function acceleratorOf(keys: string): string | undefined {
  const parts = keys.replaceAll('Mod', 'CmdOrCtrl').replaceAll('Arrow', '').split('+');
  const isKnown =
    /^([A-Z0-9,./;'[\]\\`=-]|F\d+|Plus|Up|Down|Left|Right|Page(Up|Down)|Home|End|Enter|Space|Tab|Delete)$/;
  return isKnown.test(parts.at(-1) ?? '') ? parts.join('+') : undefined;
}

function recentItems({ recent }: MenuContent, { openRecent }: MenuActions): MenuItemConstructorOptions[] {
  const names = recentNames(recent);
  return recent.map((paths, at) => ({
    label: escaped(names[at] ?? ''),
    toolTip: paths.join('\n'),
    click: () => openRecent(paths),
  }));
}

function sampleItems({ samples }: MenuContent, { run }: MenuActions): MenuItemConstructorOptions[] {
  return samples.map((name) => ({ id: `sample-${name}`, label: name, click: () => run(`sample:${name}`) }));
}

/** macOS lists the windows itself. */
function windowItems({ system, windows, front }: MenuContent, actions: MenuActions): MenuItemConstructorOptions[] {
  if (system === 'mac') return [];
  return windows.map(({ id, title }) => ({
    id: `window-${id}`,
    label: escaped(title),
    type: 'checkbox',
    checked: id === front?.id,
    click: () => actions.showWindow(id),
  }));
}

/** A single `&` would underline the next character. */
function escaped(label: string): string {
  return label.replaceAll('&', '&&');
}

/** `Open files…` as `Open Files…`. */
function titleCase(label: string): string {
  return label.replace(/ (\p{Ll}+)/gu, (text, word: string) => (SMALL_WORDS.has(word) ? text : ` ${capital(word)}`));
}

/** `entail` is the name of the command. */
const SMALL_WORDS = new Set(['a', 'and', 'at', 'entail', 'from', 'of', 'or', 'the', 'to']);

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function named(items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  const isNamed = ({ id, label, visible }: MenuItemConstructorOptions): boolean =>
    label !== undefined && visible !== false && id?.startsWith('window-') !== true;
  const labels = withMnemonics(items.filter(isNamed).map(({ label = '' }) => label));
  return items.map((item) => (isNamed(item) ? { ...item, label: labels.shift() ?? '' } : item));
}

/** Marks one letter of each label with `&`, which no other label of the menu has: an initial of a word if one is free. */
export function withMnemonics(labels: readonly string[]): string[] {
  const taken = new Set<string>();
  return labels.map((label) => {
    const letters = [...label.matchAll(/(?<=^| )\p{L}/gu), ...label.matchAll(/\p{L}/gu)];
    const found = letters.find(([letter]) => !taken.has(letter.toLowerCase()));
    if (found === undefined) return label;
    taken.add(found[0].toLowerCase());
    return `${label.slice(0, found.index)}&${label.slice(found.index)}`;
  });
}

type ItemState = Pick<MenuItem, 'enabled' | 'checked'>;

function itemStates(template: readonly MenuItemConstructorOptions[]): ReadonlyMap<string, ItemState> {
  const items = template.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
  return new Map(items.map(({ id = '', enabled = true, checked = false }) => [id, { enabled, checked }]));
}

function updateItems(menu: Menu, states: ReadonlyMap<string, ItemState>): void {
  for (const item of menu.items.flatMap(({ submenu }) => submenu?.items ?? [])) {
    const state = states.get(item.id);
    if (state === undefined) continue;
    item.enabled = state.enabled;
    if (item.type === 'checkbox') item.checked = state.checked;
  }
}

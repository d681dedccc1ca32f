/** Keyboard shortcuts: the table, the user's own bindings, and reading key presses. `Mod` is Cmd on a Mac, Ctrl elsewhere. */

import { type RefObject, useEffect, useRef } from 'react';
import { createPersistentStore, isRecordOf, useStore } from './store.js';

const PANEL_NAMES = [
  'Module',
  'Invoke',
  'Query',
  'Data',
  'Explain',
  'Forks',
  'Checks',
  'Tests',
  'Log',
  'Settings',
] as const;
export type PanelName = (typeof PANEL_NAMES)[number];

export type ShortcutId =
  | 'palette'
  | 'save'
  | 'run'
  | 'dryRun'
  | 'nextPane'
  | 'previousPane'
  | 'find'
  | 'newTab'
  | 'closeTab'
  | 'nextTab'
  | 'previousTab'
  | 'problems'
  | 'live'
  | 'softWrap'
  | 'forks'
  | 'back'
  | 'forward'
  | 'previousProof'
  | 'nextProof'
  | `panel:${PanelName}`;

export interface Shortcut {
  readonly id: ShortcutId;
  readonly name: string;
  /** As `Mod+Shift+K`: modifiers in the order Mod, Ctrl, Alt, Shift, then the key. */
  readonly keys: string;
  /** Also these keys, unless another command has them. */
  readonly also?: string;
}

export const SHORTCUTS: readonly Shortcut[] = [
  { id: 'palette', name: 'Go to or run', keys: 'Mod+K' },
  { id: 'save', name: 'Save and reload', keys: 'Mod+S' },
  { id: 'run', name: 'Run', keys: 'Mod+Enter' },
  { id: 'dryRun', name: 'Dry run', keys: 'Mod+Shift+Enter' },
  { id: 'find', name: 'Find in the result', keys: 'Mod+F' },
  { id: 'newTab', name: 'New tab', keys: 'Alt+T' },
  { id: 'closeTab', name: 'Close the tab', ...closeTabKeys() },
  { id: 'nextTab', name: 'Next tab', keys: 'Alt+PageDown' },
  { id: 'previousTab', name: 'Previous tab', keys: 'Alt+PageUp' },
  { id: 'nextPane', name: 'Next pane', keys: 'F6' },
  { id: 'previousPane', name: 'Previous pane', keys: 'Shift+F6' },
  // On a Mac Alt with an arrow moves the caret by words.
  { id: 'back', name: 'Back', keys: isMac() ? 'Ctrl+Alt+ArrowLeft' : 'Alt+ArrowLeft' },
  { id: 'forward', name: 'Forward', keys: isMac() ? 'Ctrl+Alt+ArrowRight' : 'Alt+ArrowRight' },
  { id: 'problems', name: 'Show or hide problems', keys: 'Mod+Shift+M' },
  { id: 'live', name: 'Show or hide live results', keys: 'Alt+J' },
  { id: 'softWrap', name: 'Wrap long lines, or not', keys: 'Alt+Z' },
  { id: 'forks', name: 'Switch the fork', keys: hasMenuBar() ? 'Alt+B' : 'Alt+F' },
  { id: 'previousProof', name: 'Previous proof', keys: 'Alt+P' },
  { id: 'nextProof', name: 'Next proof', keys: 'Alt+N' },
  // Browsers use Ctrl with a digit for their tabs.
  ...PANEL_NAMES.map(
    (panel, index): Shortcut => ({ id: `panel:${panel}`, name: `Go to ${panel}`, keys: `Alt+${(index + 1) % 10}` }),
  ),
];

/** A browser closes its tab with Ctrl+W before the page sees the key. On a Mac Cmd+W closes the window. */
function closeTabKeys(): Pick<Shortcut, 'keys' | 'also'> {
  if (hasMenuBar()) return { keys: 'Mod+W' };
  return isMac() ? { keys: 'Alt+W' } : { keys: 'Alt+W', also: 'Mod+W' };
}

/** The desktop opens the menus File and Window with Alt+F and Alt+W, if the page leaves them. */
function hasMenuBar(): boolean {
  return !isMac() && / Electron\//.test(globalThis.navigator?.userAgent ?? '');
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The user's own keys, by id; an empty text for none. */
export const reboundKeys = createPersistentStore<Readonly<Partial<Record<ShortcutId, string>>>>(
  'entail.shortcuts',
  {},
  (value): value is Partial<Record<ShortcutId, string>> => isRecordOf(value, isText),
  { isShared: true },
);

export function useKeysOf(id: ShortcutId): string {
  return keysOf(id, useStore(reboundKeys));
}

/**
 * Runs a command when its keys are pressed, instead of the browser's action, or when `runShortcut` asks for it. With `within` the focus
 * must be in that element. Of several parts of the page that have the command, the last one that was shown runs it.
 */
export function useShortcuts(commands: ShortcutCommands, within?: RefObject<HTMLElement | null>): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    if (parts.length === 0) listen();
    const part = { latest, within };
    parts.unshift(part);
    return () => void parts.splice(parts.indexOf(part), 1);
  }, [within]);
}

type ShortcutCommands = Readonly<Partial<Record<ShortcutId, () => void>>>;

interface Part {
  readonly latest: RefObject<ShortcutCommands>;
  readonly within: RefObject<HTMLElement | null> | undefined;
}

/** The last one that was shown first. */
const parts: Part[] = [];

/** Adding the same listeners again has no effect. */
function listen(): void {
  window.addEventListener('keydown', onKeyDownAbove, { capture: true });
  window.addEventListener('keydown', onKeyDown);
}

function onKeyDown(event: KeyboardEvent): void {
  const keys = event.defaultPrevented || event.isComposing ? undefined : keysPressed(event);
  if (keys === undefined) return;
  const rebound = reboundKeys.get();
  const isBound = SHORTCUTS.some(({ id }) => keysOf(id, rebound) === keys);
  const isWanted = ({ id, also }: Shortcut): boolean => (isBound ? keysOf(id, rebound) : also) === keys;
  const hasRun = SHORTCUTS.filter(isWanted).some(({ id }) => runShortcut(id, event.target));
  if (hasRun) event.preventDefault();
}

/** A closed select handles Enter with any modifier, and stops the event there. */
function onKeyDownAbove(event: KeyboardEvent): void {
  if (!isClosedChoice(event.target)) return;
  onKeyDown(event);
  if (event.defaultPrevented) event.stopPropagation();
}

/** Runs the command of a shortcut where the focus is. Returns false if no part of the page has it. */
export function runShortcut(id: ShortcutId, target: EventTarget | null = document.activeElement): boolean {
  const part = parts.find(({ latest, within }) => latest.current[id] !== undefined && isWithin(within, target));
  part?.latest.current[id]?.();
  return part !== undefined;
}

function isWithin(within: Part['within'], target: EventTarget | null): boolean {
  return within === undefined || (target instanceof Node && within.current?.contains(target) === true);
}

/** A closed select, whose list Enter opens. */
function isClosedChoice(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('[role="combobox"][readonly][aria-expanded="false"]');
}

/** The keys of an event in the form of the table; undefined for modifiers alone. */
export function keysPressed(event: KeyPress, mac = isMac()): string | undefined {
  const key = keyName(event);
  if (key === undefined) return undefined;
  const mod = mac ? event.metaKey : event.ctrlKey;
  const held = [mod && 'Mod', mac && event.ctrlKey && 'Ctrl', event.altKey && 'Alt', event.shiftKey && 'Shift', key];
  return held.filter((part) => part !== false).join('+');
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** By position on the keyboard if Alt or Shift makes another character of a letter or digit. */
function keyName({ key, code }: KeyPress): string | undefined {
  if (['Control', 'Meta', 'Alt', 'Shift', 'AltGraph', 'Dead', 'Unidentified'].includes(key)) return undefined;
  if (/^Digit\d$/.test(code)) return code.slice(5);
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  if (/^Key[A-Z]$/.test(code)) return code.slice(3);
  return key === ' ' ? 'Space' : key;
}

/** As this machine shows them: `⌘⇧M` or `Ctrl Shift M`. */
export function keysText(keys: string, mac = isMac()): string {
  const signs = mac ? { ...SIGNS, ...MAC_SIGNS } : SIGNS;
  return keys
    .split('+')
    .map((part) => signs[part] ?? part)
    .join(mac ? '' : ' ');
}

const SIGNS: Readonly<Record<string, string>> = {
  Mod: 'Ctrl',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
};
const MAC_SIGNS: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧', Enter: '↩' };

/** The user's own keys, or else those of the table. */
export function keysOf(id: ShortcutId, rebound: Readonly<Partial<Record<ShortcutId, string>>>): string {
  return rebound[id] ?? SHORTCUTS.find((shortcut) => shortcut.id === id)?.keys ?? '';
}

function isMac(): boolean {
  return typeof navigator !== 'undefined' && /Mac/.test(navigator.userAgent);
}

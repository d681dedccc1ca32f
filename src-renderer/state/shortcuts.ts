/**
 * The keys that run commands from anywhere on the page: one table, what the user rebound, and how a key press is read.
 * `Mod` is the command key on a Mac and Ctrl elsewhere.
 */

import { type RefObject, useEffect, useRef } from 'react';
import { createKeptStore, isRecordOf, useStore } from './store.js';

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
  /** Further keys, as long as no other command has them. */
  readonly also?: string;
}

export const SHORTCUTS: readonly Shortcut[] = [
  { id: 'palette', name: 'Go to or run', keys: 'Mod+K' },
  { id: 'save', name: 'Save and reload', keys: 'Mod+S' },
  { id: 'run', name: 'Run what is shown', keys: 'Mod+Enter' },
  { id: 'dryRun', name: 'Dry run what is shown', keys: 'Mod+Shift+Enter' },
  { id: 'find', name: 'Find in the result', keys: 'Mod+F' },
  { id: 'newTab', name: 'New tab', keys: 'Alt+T' },
  // A browser closes its own tab with Ctrl+W and never tells the page; the desktop leaves the key to it. Cmd+W closes the window on a Mac.
  { id: 'closeTab', name: 'Close the tab', keys: 'Alt+W', ...(!isMac() && { also: 'Mod+W' }) },
  { id: 'nextTab', name: 'Next tab', keys: 'Alt+PageDown' },
  { id: 'previousTab', name: 'Previous tab', keys: 'Alt+PageUp' },
  { id: 'nextPane', name: 'Next pane', keys: 'F6' },
  { id: 'previousPane', name: 'Previous pane', keys: 'Shift+F6' },
  // On a Mac Alt and an arrow move over words, wherever one types.
  { id: 'back', name: 'Back to where you were', keys: isMac() ? 'Ctrl+Alt+ArrowLeft' : 'Alt+ArrowLeft' },
  { id: 'forward', name: 'Forward again', keys: isMac() ? 'Ctrl+Alt+ArrowRight' : 'Alt+ArrowRight' },
  { id: 'problems', name: 'Show or hide problems', keys: 'Mod+Shift+M' },
  { id: 'forks', name: 'Switch the fork', keys: 'Alt+F' },
  { id: 'previousProof', name: 'Previous proof', keys: 'Alt+P' },
  { id: 'nextProof', name: 'Next proof', keys: 'Alt+N' },
  // Browsers keep Ctrl and a digit for their tabs.
  ...PANEL_NAMES.map(
    (panel, index): Shortcut => ({ id: `panel:${panel}`, name: `Go to ${panel}`, keys: `Alt+${(index + 1) % 10}` }),
  ),
];

const isText = (value: unknown): value is string => typeof value === 'string';

/** By id, the keys that the user chose instead; an empty text for none. */
export const reboundKeys = createKeptStore<Readonly<Partial<Record<ShortcutId, string>>>>(
  'entail.shortcuts',
  {},
  (value): value is Partial<Record<ShortcutId, string>> => isRecordOf(value, isText),
  { isShared: true },
);

export function useKeysOf(id: ShortcutId): string {
  return keysOf(id, useStore(reboundKeys));
}

/**
 * Runs a command when its keys are pressed, and prevents what the browser would do. The focus may be anywhere, or must be `within` an
 * element.
 */
export function useShortcuts(
  commands: Readonly<Partial<Record<ShortcutId, () => void>>>,
  within?: RefObject<HTMLElement | null>,
): void {
  const latest = useRef(commands);
  latest.current = commands;
  const rebound = useStore(reboundKeys);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (within !== undefined && !isIn(within.current, event.target)) return;
      const keys = event.defaultPrevented || event.isComposing ? undefined : keysPressed(event);
      if (keys === undefined) return;
      const offered = SHORTCUTS.filter(({ id }) => latest.current[id] !== undefined);
      const isBound = SHORTCUTS.some(({ id }) => keysOf(id, rebound) === keys);
      const wanted = offered.find(({ id, also }) => (isBound ? keysOf(id, rebound) : also) === keys);
      if (wanted === undefined) return;
      event.preventDefault();
      latest.current[wanted.id]?.();
    };
    // It takes Enter for itself whatever is held with it, so that the key would never come up here.
    const onKeyDownAbove = (event: KeyboardEvent): void => {
      if (!isClosedChoice(event.target)) return;
      onKeyDown(event);
      if (event.defaultPrevented) event.stopPropagation();
    };
    window.addEventListener('keydown', onKeyDownAbove, { capture: true });
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', onKeyDownAbove, { capture: true });
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [rebound, within]);
}

function isIn(element: HTMLElement | null, target: EventTarget | null): boolean {
  return target instanceof Node && element?.contains(target) === true;
}

/** One of several, whose list Enter opens. */
function isClosedChoice(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('[role="combobox"][readonly][aria-expanded="false"]');
}

/** The combination that an event stands for, in the form of the table; undefined while only modifiers are down. */
export function keysPressed(event: KeyPress, mac = isMac()): string | undefined {
  const key = keyName(event);
  if (key === undefined) return undefined;
  const mod = mac ? event.metaKey : event.ctrlKey;
  const held = [mod && 'Mod', mac && event.ctrlKey && 'Ctrl', event.altKey && 'Alt', event.shiftKey && 'Shift', key];
  return held.filter((part) => part !== false).join('+');
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** By the place on the keyboard where Alt or Shift make another character of a letter or digit. */
function keyName({ key, code }: KeyPress): string | undefined {
  if (['Control', 'Meta', 'Alt', 'Shift', 'AltGraph', 'Dead', 'Unidentified'].includes(key)) return undefined;
  if (/^Digit\d$/.test(code)) return code.slice(5);
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  if (/^Key[A-Z]$/.test(code)) return code.slice(3);
  return key === ' ' ? 'Space' : key;
}

/** As a user of this machine reads them: `⌘⇧M` or `Ctrl Shift M`. */
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

/** Where nothing was chosen instead, as the table has it. */
export function keysOf(id: ShortcutId, rebound: Readonly<Partial<Record<ShortcutId, string>>>): string {
  return rebound[id] ?? SHORTCUTS.find((shortcut) => shortcut.id === id)?.keys ?? '';
}

function isMac(): boolean {
  return typeof navigator !== 'undefined' && /Mac/.test(navigator.userAgent);
}

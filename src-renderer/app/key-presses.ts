/**
 * Presses keys in the focused editor, grid or field, as a user would. So each part of the page runs the commands of the menus and the
 * palette with its own history and selection.
 */

import type { Edit } from '../host/host.js';

/** `keys` as in the table of shortcuts. Returns whether a part of the page handled them. */
export function pressKeys(keys: string, target: Element = focused()): boolean {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const isMac = navigator.platform.startsWith('Mac');
  const isLetter = /^[A-Z]$/.test(key);
  const shiftKey = parts.includes('Shift');
  const event = new KeyboardEvent('keydown', {
    key: isLetter && !shiftKey ? key.toLowerCase() : key,
    code: isLetter ? `Key${key}` : (CODES[key]?.code ?? key),
    // Editors tell shifted letters by the key code.
    keyCode: isLetter ? key.charCodeAt(0) : (CODES[key]?.keyCode ?? 0),
    ctrlKey: parts.includes('Mod') && !isMac,
    metaKey: parts.includes('Mod') && isMac,
    altKey: parts.includes('Alt'),
    shiftKey,
    bubbles: true,
    cancelable: true,
  });
  return !target.dispatchEvent(event);
}

const CODES: Readonly<Record<string, { readonly code: string; readonly keyCode: number }>> = {
  '/': { code: 'Slash', keyCode: 191 },
  ArrowUp: { code: 'ArrowUp', keyCode: 38 },
  ArrowDown: { code: 'ArrowDown', keyCode: 40 },
};

/** In the focused editor, or else in the first one of the panel, which gets the focus. */
export function pressInEditor(keys: string): void {
  const target = focused();
  const editor = target.closest('.cm-editor') ?? document.querySelector('main .cm-editor');
  const content = editor?.querySelector<HTMLElement>('.cm-content');
  if (content == null) return;
  if (editor?.contains(target) !== true) content.focus();
  pressKeys(keys, editor?.contains(target) === true ? target : content);
}

/** If no part of the page handles the keys, the browser's command acts on the focused field. */
export function runEdit(edit: Edit): void {
  if (!KEYS[edit].some((keys) => pressKeys(keys))) document.execCommand(edit);
}

/** Some editors redo with Ctrl+Shift+Z, others with Ctrl+Y. */
const KEYS: Readonly<Record<Edit, readonly string[]>> = {
  undo: ['Mod+Z'],
  redo: ['Mod+Shift+Z', 'Mod+Y'],
  selectAll: ['Mod+A'],
};

function focused(): Element {
  return document.activeElement ?? document.body;
}

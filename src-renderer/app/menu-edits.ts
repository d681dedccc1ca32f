/**
 * Undo, Redo and Select All of the desktop's menus. They do what their keys do, so that an editor or a grid acts on its own history;
 * where no part of the page takes the keys, the browser's command is for the field that has the focus.
 */

import { useEffect } from 'react';
import { host } from '../host/current-host.js';
import type { Edit } from '../host/host.js';

interface Keys {
  readonly code: 'KeyA' | 'KeyY' | 'KeyZ';
  readonly shiftKey?: boolean;
}

/** Editors differ in what redoes. */
const KEYS: Readonly<Record<Edit, readonly Keys[]>> = {
  undo: [{ code: 'KeyZ' }],
  redo: [{ code: 'KeyZ', shiftKey: true }, { code: 'KeyY' }],
  selectAll: [{ code: 'KeyA' }],
};

export function useMenuEdits(): void {
  useEffect(() => host.onEdit(runEdit), []);
}

function runEdit(edit: Edit): void {
  const target = document.activeElement ?? document.body;
  if (!KEYS[edit].some((keys) => isTaken(target, keys))) document.execCommand(edit);
}

function isTaken(target: Element, { code, shiftKey = false }: Keys): boolean {
  const letter = code.slice(3);
  const isMac = navigator.platform.startsWith('Mac');
  const event = new KeyboardEvent('keydown', {
    key: shiftKey ? letter : letter.toLowerCase(),
    code,
    // Editors tell shifted letters by it.
    keyCode: letter.charCodeAt(0),
    ctrlKey: !isMac,
    metaKey: isMac,
    shiftKey,
    bubbles: true,
    cancelable: true,
  });
  return !target.dispatchEvent(event);
}

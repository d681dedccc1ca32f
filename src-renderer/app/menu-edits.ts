/**
 * Runs Undo, Redo and Select All of the desktop menus as key presses, so that an editor or grid uses its own history.
 * If no part of the page handles the keys, the browser's command acts on the focused field.
 */

import { useEffect } from 'react';
import { host } from '../host/current-host.js';
import type { Edit } from '../host/host.js';

interface Keys {
  readonly code: 'KeyA' | 'KeyY' | 'KeyZ';
  readonly shiftKey?: boolean;
}

/** Some editors redo with Ctrl+Shift+Z, others with Ctrl+Y. */
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
    // Editors tell shifted letters by the key code.
    keyCode: letter.charCodeAt(0),
    ctrlKey: !isMac,
    metaKey: isMac,
    shiftKey,
    bubbles: true,
    cancelable: true,
  });
  return !target.dispatchEvent(event);
}

/** Validates shortcuts and resolves conflicts; needs no page. */

import { keysOf, SHORTCUTS, type Shortcut, type ShortcutId } from '../../state/shortcuts.js';

export type Bindings = Readonly<Partial<Record<ShortcutId, string>>>;

/** Why keys cannot be bound; undefined if they can. */
export function refusal(keys: string): string | undefined {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const held = parts.slice(0, -1).filter((part) => part !== 'Shift');
  if (['Tab', 'Escape', 'Enter', 'Backspace', 'Delete', 'Space'].includes(key) && held.length === 0) {
    return `The page uses ${key}. Add Ctrl, ⌘ or Alt.`;
  }
  if (held.length === 0 && !/^F\d{1,2}$/.test(key)) return 'That key types text. Add Ctrl, ⌘ or Alt.';
  if (/^(Mod|Ctrl)\+(Shift\+)?(Tab|PageUp|PageDown)$|^Mod\+((Shift\+)?[TNWQ]|\d)$/.test(keys))
    return 'Browsers use that for tabs and windows.';
  if (/^Mod\+[ACVXZ]$/.test(keys)) return 'That copies, pastes, undoes or selects everywhere.';
  // Panels handle conflicts with default shortcuts.
  if (OF_THE_EDITOR.has(keys) && !SHORTCUTS.some((shortcut) => shortcut.keys === keys))
    return 'The source editor uses that, so the shortcut would not work there.';
  return undefined;
}

/** Keys of the source editor and of CodeMirror, which handle them before the page. */
const OF_THE_EDITOR: ReadonlySet<string> = new Set(
  [
    'F2 F3 F8 F12 Shift+F3 Shift+F8 Shift+F12',
    'Alt+L Alt+U Alt+Shift+A Alt+Shift+E Alt+Shift+F Alt+Shift+R Alt+Shift+T Mod+Alt+Shift+T',
    'Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight',
    'Alt+Shift+ArrowUp Alt+Shift+ArrowDown Alt+Shift+ArrowLeft Alt+Shift+ArrowRight',
    'Mod+D Mod+F Mod+G Mod+H Mod+I Mod+M Mod+U Mod+Y Mod+. Mod+/ Mod+[ Mod+]',
    'Mod+Enter Mod+Space Mod+Backspace Mod+Delete Mod+Home Mod+End Mod+ArrowLeft Mod+ArrowRight',
    'Mod+Shift+G Mod+Shift+K Mod+Shift+L Mod+Shift+Z Mod+Shift+{ Mod+Shift+} Mod+Shift+| Mod+Shift+Space',
    'Mod+Shift+Home Mod+Shift+End Mod+Shift+ArrowLeft Mod+Shift+ArrowRight',
    'Mod+Alt+G Mod+Alt+[ Mod+Alt+] Mod+Alt+\\ Mod+Alt+ArrowUp Mod+Alt+ArrowDown',
  ].flatMap((line) => line.split(' ')),
);

/** Another command with these keys. */
export function ownerOf(keys: string, id: ShortcutId, bindings: Bindings): Shortcut | undefined {
  return SHORTCUTS.find((shortcut) => shortcut.id !== id && keysOf(shortcut.id, bindings) === keys);
}

/** Binds keys to a command; another command loses them. */
export function bound(bindings: Bindings, id: ShortcutId, keys: string): Bindings {
  const owner = ownerOf(keys, id, bindings);
  return withKeys(owner === undefined ? bindings : withKeys(bindings, owner.id, ''), id, keys);
}

/** Restores the default keys of a command. A command that had them gets its default back, unless a third has that. */
export function reset(bindings: Bindings, id: ShortcutId): Bindings {
  const keys = keysOf(id, {});
  const owner = ownerOf(keys, id, bindings);
  const given = bound(bindings, id, keys);
  if (owner === undefined || ownerOf(owner.keys, owner.id, given) !== undefined) return given;
  return withKeys(given, owner.id, owner.keys);
}

/** Defaults are not stored, so that later versions can change them. */
function withKeys(bindings: Bindings, id: ShortcutId, keys: string): Bindings {
  const { [id]: _before, ...others } = bindings;
  return keys === keysOf(id, {}) ? others : { ...others, [id]: keys };
}

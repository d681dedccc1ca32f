/** Reading key presses on any keyboard, and showing keys as the machine does. */

import { describe, expect, it, vi } from 'vitest';
import { keysPressed, keysText, SHORTCUTS } from './shortcuts.js';

const press = (
  key: string,
  code: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', true>> = {},
) => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe('the shortcut table', () => {
  it('turns a key press into the form of the table', () => {
    expect(keysPressed(press('k', 'KeyK', { ctrlKey: true }), false)).toBe('Mod+K');
    expect(keysPressed(press('k', 'KeyK', { metaKey: true }), true)).toBe('Mod+K');
    expect(keysPressed(press('M', 'KeyM', { ctrlKey: true, shiftKey: true }), false)).toBe('Mod+Shift+M');
    expect(keysPressed(press('F6', 'F6', { shiftKey: true }), false)).toBe('Shift+F6');
  });

  it('reads a digit or letter by its position if Alt changes its character', () => {
    expect(keysPressed(press('¡', 'Digit1', { altKey: true }), true)).toBe('Alt+1');
    expect(keysPressed(press('ƒ', 'KeyF', { altKey: true }), true)).toBe('Alt+F');
  });

  it('reads a letter by its character on any layout', () => {
    expect(keysPressed(press('s', 'KeyO', { ctrlKey: true }), false)).toBe('Mod+S');
  });

  it('ignores modifiers alone', () => {
    expect(keysPressed(press('Control', 'ControlLeft', { ctrlKey: true }), false)).toBeUndefined();
  });

  it('shows keys as the machine does', () => {
    expect(keysText('Mod+Shift+M', true)).toBe('⌘⇧M');
    expect(keysText('Mod+Shift+M', false)).toBe('Ctrl Shift M');
    expect(keysText('Alt+ArrowLeft', false)).toBe('Alt ←');
    expect(keysText('Ctrl+Alt+ArrowRight', true)).toBe('⌃⌥→');
  });

  it('leaves the keys of the menu bar to the desktop', async () => {
    vi.resetModules();
    vi.stubGlobal('navigator', { platform: 'Linux x86_64', userAgent: 'Mozilla/5.0 Entail/0.1.0 Electron/33.4.11' });
    const desktop = await import('./shortcuts.js');
    vi.unstubAllGlobals();
    const keys = desktop.SHORTCUTS.flatMap(({ keys, also = '' }) => [keys, also]);
    expect(keys.filter((each) => /^Alt\+[FESVRWH]$/.test(each))).toEqual([]);
    expect(new Set(desktop.SHORTCUTS.map((shortcut) => shortcut.keys)).size).toBe(SHORTCUTS.length);
  });

  it('binds no keys twice', () => {
    const keys = SHORTCUTS.map((shortcut) => shortcut.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

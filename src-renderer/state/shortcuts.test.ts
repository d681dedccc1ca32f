/** Key presses are read the same on every keyboard, and written as users of the machine know them. */

import { describe, expect, it } from 'vitest';
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

describe('shortcuts', () => {
  it('read a press in the form of the table', () => {
    expect(keysPressed(press('k', 'KeyK', { ctrlKey: true }), false)).toBe('Mod+K');
    expect(keysPressed(press('k', 'KeyK', { metaKey: true }), true)).toBe('Mod+K');
    expect(keysPressed(press('M', 'KeyM', { ctrlKey: true, shiftKey: true }), false)).toBe('Mod+Shift+M');
    expect(keysPressed(press('F6', 'F6', { shiftKey: true }), false)).toBe('Shift+F6');
  });

  it('know a digit and a letter by their place where Alt makes another character of them', () => {
    expect(keysPressed(press('¡', 'Digit1', { altKey: true }), true)).toBe('Alt+1');
    expect(keysPressed(press('ƒ', 'KeyF', { altKey: true }), true)).toBe('Alt+F');
  });

  it('know a letter by its character on any layout', () => {
    expect(keysPressed(press('s', 'KeyO', { ctrlKey: true }), false)).toBe('Mod+S');
  });

  it('are nothing while only modifiers are down', () => {
    expect(keysPressed(press('Control', 'ControlLeft', { ctrlKey: true }), false)).toBeUndefined();
  });

  it('are written as the machine writes them', () => {
    expect(keysText('Mod+Shift+M', true)).toBe('⌘⇧M');
    expect(keysText('Mod+Shift+M', false)).toBe('Ctrl Shift M');
    expect(keysText('Alt+ArrowLeft', false)).toBe('Alt ←');
    expect(keysText('Ctrl+Alt+ArrowRight', true)).toBe('⌃⌥→');
  });

  it('of the table are all different', () => {
    const keys = SHORTCUTS.map((shortcut) => shortcut.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

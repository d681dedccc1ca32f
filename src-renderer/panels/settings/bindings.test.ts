/** Keys run one command at most, and never take keys needed for typing. */

import { completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, historyKeymap } from '@codemirror/commands';
import { foldKeymap } from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import { describe, expect, it } from 'vitest';
import { keysOf } from '../../state/shortcuts.js';
import { bound, ownerOf, refusal, reset } from './bindings.js';

describe('the keys of a command', () => {
  it.each([
    'A',
    'Shift+A',
    'Enter',
    'Tab',
    'Shift+Tab',
    'Escape',
    'Mod+C',
    'Mod+W',
    'Mod+Shift+T',
    'Mod+1',
    'Mod+Tab',
    'Mod+Shift+Tab',
    'Ctrl+PageDown',
    'F2',
    'F8',
    'Shift+F12',
    'Alt+Shift+F',
    'Alt+Shift+T',
    'Mod+.',
    'Mod+Shift+Space',
  ])('cannot be %s', (keys) => {
    expect(refusal(keys)).toMatch(/\.$/);
  });

  it.each(['F9', 'Shift+F9', 'Mod+J', 'Alt+Shift+9', 'Mod+Enter', 'Alt+Space'])('can be %s', (keys) => {
    expect(refusal(keys)).toBeUndefined();
  });

  it('cannot be keys of the editor, except those of default shortcuts', () => {
    const bindings = [completionKeymap, defaultKeymap, historyKeymap, foldKeymap, searchKeymap].flat();
    const editorKeys = bindings.flatMap(({ key, linux, shift }) => {
      const own = key ?? linux;
      return own === undefined ? [] : [own, ...(shift === undefined ? [] : [`Shift-${own}`])];
    });
    const allowed = new Set(editorKeys.map(tableForm).filter((keys) => refusal(keys) === undefined));
    expect([...allowed].sort()).toEqual(['Alt+ArrowLeft', 'Alt+ArrowRight', 'Mod+Enter', 'Mod+F']);
  });

  it('are removed from any other command that has them', () => {
    expect(ownerOf('Mod+K', 'save', {})?.id).toBe('palette');
    const bindings = bound({}, 'save', 'Mod+K');
    expect(bindings).toEqual({ save: 'Mod+K', palette: '' });
    expect(keysOf('palette', bindings)).toBe('');
    expect(ownerOf('Mod+K', 'save', bindings)).toBeUndefined();
  });

  it('reset to the default, and also for a command that had it, unless its default is taken', () => {
    const taken = bound({}, 'save', 'Mod+K');
    expect(reset(taken, 'palette')).toEqual({});
    expect(reset(bound(taken, 'find', 'Mod+S'), 'palette')).toEqual({ find: 'Mod+S', save: '' });
  });

  it('are not stored if they are the default', () => {
    expect(bound({ save: 'Mod+J' }, 'save', 'Mod+S')).toEqual({});
  });
});

/** CodeMirror's `Shift-Mod-k` in our notation: `Mod+Shift+K`. */
function tableForm(keys: string): string {
  const parts = keys.replaceAll('Ctrl', 'Mod').split(/-(?=.)/);
  const key = parts.pop() ?? '';
  const isCapital = /^[A-Z]$/.test(key);
  const hasShift = parts.includes('Shift') || isCapital;
  const shifted: Readonly<Record<string, string>> = { '[': '{', ']': '}', '\\': '|' };
  const name = key.length === 1 ? ((hasShift ? shifted[key] : undefined) ?? key.toUpperCase()) : key;
  const held = [parts.includes('Mod') && 'Mod', parts.includes('Alt') && 'Alt', hasShift && 'Shift', name];
  return held.filter((part) => part !== false).join('+');
}

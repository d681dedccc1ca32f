/** Keys run one command at most, and never take keys needed for typing. */

import { completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, historyKeymap } from '@codemirror/commands';
import { foldKeymap } from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import { describe, expect, it } from 'vitest';
import { keysOf } from '../../state/shortcuts.js';
import { bound, ownerOf, refusal, reset } from './bindings.js';

describe('keys', () => {
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
  ])('%s cannot be given', (keys) => {
    expect(refusal(keys)).toMatch(/\.$/);
  });

  it.each(['F9', 'Shift+F9', 'Mod+J', 'Alt+Shift+9', 'Mod+Enter', 'Alt+Space'])('%s can', (keys) => {
    expect(refusal(keys)).toBeUndefined();
  });

  it('of the editor cannot be given, but for those that the table itself has', () => {
    const bindings = [completionKeymap, defaultKeymap, historyKeymap, foldKeymap, searchKeymap].flat();
    const given = bindings.flatMap(({ key, linux, shift }) => {
      const own = key ?? linux;
      return own === undefined ? [] : [own, ...(shift === undefined ? [] : [`Shift-${own}`])];
    });
    const allowed = new Set(given.map(tableForm).filter((keys) => refusal(keys) === undefined));
    expect([...allowed].sort()).toEqual(['Alt+ArrowLeft', 'Alt+ArrowRight', 'Mod+Enter', 'Mod+F']);
  });

  it('belong to one command: another that had them has none', () => {
    expect(ownerOf('Mod+K', 'save', {})?.id).toBe('palette');
    const bindings = bound({}, 'save', 'Mod+K');
    expect(bindings).toEqual({ save: 'Mod+K', palette: '' });
    expect(keysOf('palette', bindings)).toBe('');
    expect(ownerOf('Mod+K', 'save', bindings)).toBeUndefined();
  });

  it('come back as they were, and another that had them has its own again, unless a third has those', () => {
    const taken = bound({}, 'save', 'Mod+K');
    expect(reset(taken, 'palette')).toEqual({});
    expect(reset(bound(taken, 'find', 'Mod+S'), 'palette')).toEqual({ find: 'Mod+S', save: '' });
  });

  it('that are those of the table are not kept', () => {
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

/** Keys go to one command at a time, and to none that would take them from typing. */

import { describe, expect, it } from 'vitest';
import { keysOf } from '../data/shortcuts.js';
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
  ])('%s cannot be given', (keys) => {
    expect(refusal(keys)).toMatch(/\.$/);
  });

  it.each(['F8', 'Shift+F8', 'Mod+J', 'Alt+Shift+9', 'Mod+Enter', 'Alt+Space'])('%s can', (keys) => {
    expect(refusal(keys)).toBeUndefined();
  });

  it('belong to one command: another that had them has none', () => {
    expect(ownerOf('Mod+K', 'save', {})?.id).toBe('palette');
    const bindings = bound({}, 'save', 'Mod+K');
    expect(bindings).toEqual({ save: 'Mod+K', palette: '' });
    expect(keysOf('palette', bindings)).toBe('');
    expect(ownerOf('Mod+K', 'save', bindings)).toBeUndefined();
  });

  it('come back as they were, and take back what another has of them', () => {
    const taken = bound({}, 'save', 'Mod+K');
    expect(reset(taken, 'palette')).toEqual({ save: '' });
    expect(reset(reset(taken, 'palette'), 'save')).toEqual({});
  });

  it('that are those of the table are not kept', () => {
    expect(bound({ save: 'Mod+J' }, 'save', 'Mod+S')).toEqual({});
  });
});

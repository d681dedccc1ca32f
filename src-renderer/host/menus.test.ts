import { expect, it } from 'vitest';
import { SHORTCUTS } from '../state/shortcuts.js';
import { commandsOn } from './menus.js';

it('names shortcuts of the page that exist, and keys of the same form', () => {
  const commands = [...commandsOn('mac'), ...commandsOn('others')];
  const shortcuts = commands.flatMap(({ shortcut }) => shortcut ?? []);
  expect(SHORTCUTS.map(({ id }) => id as string)).toEqual(expect.arrayContaining(shortcuts));
  for (const { keys, macKeys } of commands)
    for (const each of [keys, macKeys]) expect(each ?? 'A').toMatch(/^(Mod\+)?(Ctrl\+)?(Alt\+)?(Shift\+)?[^+]+$/);
});

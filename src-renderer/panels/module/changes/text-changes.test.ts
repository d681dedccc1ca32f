import { expect, it } from 'vitest';
import { textChanges } from './text-changes.js';

it('lists added and removed lines with their numbers and three lines of context', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const { added, removed, parts } = textChanges(
    before.join('\n'),
    before.with(4, 'E').toSpliced(5, 0, 'new').join('\n'),
  );
  expect([added, removed]).toEqual([2, 1]);
  expect(parts).toHaveLength(1);
  expect(parts[0]?.map(({ kind, text, line }) => `${kind} ${line} ${text}`)).toEqual([
    'same 2 b',
    'same 3 c',
    'same 4 d',
    'removed 5 e',
    'added 5 E',
    'added 6 new',
    'same 7 f',
    'same 8 g',
    'same 9 h',
  ]);
});

it('is empty for equal texts', () => expect(textChanges('a\n', 'a\n').parts).toEqual([]));

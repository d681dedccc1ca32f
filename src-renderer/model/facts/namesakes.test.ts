/** Individuals with the same label are detected, however often each is mentioned. */

import { expect, it } from 'vitest';
import { markedName, namesakes } from './namesakes.js';

it('finds ids that share a label', () => {
  const shown = [
    ['#i1', 'Ada'],
    ['#i1', 'Ada'],
    ['#i2', 'Bo'],
    ['#i3', 'Bo'],
    ['#i3', 'Bo'],
  ] as const;
  expect([...namesakes(shown)]).toEqual(['#i2', '#i3']);
});

it('appends the suffix to the label', () => {
  expect(markedName('Ada', '#i1')).toBe('Ada (#i1)');
  expect(markedName('Ada', undefined)).toBe('Ada');
});

import { expect, it } from 'vitest';
import { type PaneSizes, sizeOf, sizesOf } from './pane-spec.js';

const LIST = { id: 'list', size: 240, fixed: true };
const TEXT = { id: 'text', size: '45%' };
const WORK = { id: 'work' };

it('restores a dragged fixed pane in pixels, and gives the rest to the work area', () => {
  const stored = sizesOf([LIST, WORK], { list: 30, work: 70 }, 1000);
  expect([sizeOf(LIST, stored), sizeOf(WORK, stored)]).toEqual([300, undefined]);
});

it('restores any other dragged pane as a share of the window', () => {
  expect(sizeOf(TEXT, sizesOf([TEXT, WORK], { text: 60, work: 40 }, 1000))).toBe('60%');
});

it('opens a pane with its default size if no valid size is stored', () => {
  const others: PaneSizes[] = [{}, { list: '30%' }, { list: 'wide' }];
  for (const stored of others) expect(sizeOf(LIST, stored)).toBe(240);
  expect(sizeOf(TEXT, { text: 300 })).toBe('45%');
});

/** A history says which of its transactions were undone. */

import { expect, it } from 'vitest';
import { undoneIn } from './undone.js';

const history = (...causes: string[]) => undoneIn(causes.map((cause, place) => ({ txn: place + 1, cause })).reverse());

it('has those that a later one undid, promotions among them, but not what was brought back by undoing that', () => {
  expect([...history('m::add', 'm::sign', 'undo #2')]).toEqual([2]);
  expect([...history('m::add', 'undo #1', 'undo #2')]).toEqual([2]);
  expect([...history('promote plan', 'm::add', 'undo plan')]).toEqual([1]);
  expect([...history('promote 7', 'as of #1', 'promote plan')]).toEqual([]);
});

/** The answers of one turn are sent together, in order, and never more of them than some. */

import { expect, it } from 'vitest';
import { gatherAnswers, TOGETHER_MAX } from './answer-turn.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('sends the answers of one turn when it is over', async () => {
  const sent: number[] = [];
  const gather = gatherAnswers((answer: number) => sent.push(answer));
  gather(1);
  gather(2);
  expect(sent).toEqual([]);
  await turn();
  gather(3);
  expect(sent).toEqual([1, 2]);
  await turn();
  expect(sent).toEqual([1, 2, 3]);
});

it('sends as many as may wait for each other at once', async () => {
  const sent: number[] = [];
  const gather = gatherAnswers((answer: number) => sent.push(answer));
  for (let answer = 1; answer < TOGETHER_MAX; answer++) gather(answer);
  expect(sent).toEqual([]);
  gather(TOGETHER_MAX);
  expect(sent.length).toBe(TOGETHER_MAX);
  gather(TOGETHER_MAX + 1);
  await turn();
  expect(sent).toEqual(Array.from({ length: TOGETHER_MAX + 1 }, (_, index) => index + 1));
});

/** The phases of a request add up to its duration. */

import { expect, it } from 'vitest';
import { phaseList, phasesOf, WriteTimes } from './phases.js';

const READ = { startedAtMs: 100, handledAtMs: 101, encodingAtMs: 105, answeredAtMs: 107, write: undefined };

it('splits the time of a read into arrival, evaluation, encoding and sending', () => {
  expect(phaseList(phasesOf(READ, 108))).toEqual([
    { phase: 'receiving', ms: 1 },
    { phase: 'evaluating', ms: 4 },
    { phase: 'encoding', ms: 2 },
    { phase: 'sending', ms: 1 },
  ]);
});

it('excludes waiting, guarding and storing from the evaluation of a write', () => {
  const write = new WriteTimes();
  write.enter('waiting', 101);
  write.enter('evaluating', 102);
  write.enter('guarding', 103);
  write.enter('storing', 103.5);
  write.enter('evaluating', 105);
  expect(phasesOf({ ...READ, write }, 108)).toEqual([1, 1, 1, 0.5, 1.5, 2, 1]);
});

it('has no encoding for a failure, and no evaluation for a request refused before its handler', () => {
  expect(phaseList(phasesOf({ ...READ, encodingAtMs: undefined }, 108)).map(({ phase }) => phase)).toEqual([
    'receiving',
    'evaluating',
    'sending',
  ]);
  const atDoor = { ...READ, handledAtMs: undefined, encodingAtMs: undefined };
  expect(phasesOf(atDoor, 108)).toEqual([7, -1, -1, -1, -1, -1, 1]);
});

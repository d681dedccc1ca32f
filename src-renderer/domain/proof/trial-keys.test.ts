import { expect, it } from 'vitest';
import { closedTrials, trialKey } from './trial-keys.js';

it("drops a trial once its fork is closed or gone, unless it is another tenant's", () => {
  const keys = ['try x', 'try y', trialKey('try x', 'north'), trialKey('try z', 'north'), trialKey('try x', 'south')];
  const forks = [
    { id: 'main', status: 'open' },
    { id: 'try y', status: 'aborted' },
    { id: 'try z', status: 'open' },
  ] as const;
  expect(closedTrials(keys, forks, undefined, 'main')).toEqual(['try x', 'try y']);
  expect(closedTrials(keys, forks, undefined, 'try x')).toEqual(['try y']);
  expect(closedTrials(keys, forks, 'north', 'main')).toEqual([trialKey('try x', 'north')]);
  expect(closedTrials(keys, forks, 'east', 'main')).toEqual([]);
});

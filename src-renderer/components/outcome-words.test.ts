/** The words above a result promise no more than was done. */

import { expect, it } from 'vitest';
import { outcomeWords } from './outcome-words.js';

it('a write is on disk only where the server keeps facts there', () => {
  const written = (dryRun: boolean, inMemory: boolean) => {
    const request = { kind: 'mutation' as const, path: 'm::sign', args: {} };
    return outcomeWords({ state: 'answered', call: { request, dryRun } }, inMemory);
  };
  expect(written(false, false)).toBe('Done and on disk');
  expect(written(false, true)).toBe('Done, in memory');
  expect([written(true, false), written(true, true)]).toEqual(Array(2).fill('Dry run: nothing was kept'));
});

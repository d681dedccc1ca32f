/** Fork names: labels, with the id if ambiguous. */

import { describe, expect, it } from 'vitest';
import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { nameHas, namesOf } from './fork-names.js';

function fork(id: string, label?: string): ForkInfo {
  return {
    ...{ id, parent: 'main', baseSeq: 0, status: 'open', createdAt: '', events: 0 },
    ...(label !== undefined && { label }),
  };
}

const named = (...forks: readonly ForkInfo[]): string[] => forks.map(({ id }) => namesOf(forks)(id));

describe('the name of a fork', () => {
  it('is the label, else the id', () => {
    expect(named(fork('fork-1', 'Rent raised 5 %'), fork('what-if'))).toEqual(['Rent raised 5 %', 'what-if']);
    expect(namesOf([fork('fork-1', 'Mine')])('gone')).toBe('gone');
  });

  it('includes the id if another fork has the same label or id', () => {
    expect(named(fork('fork-1', 'Mine'), fork('fork-2', 'Mine'), fork('fork-3', 'Yours'))).toEqual([
      'Mine (fork-1)',
      'Mine (fork-2)',
      'Yours',
    ]);
    expect(named(fork('main'), fork('fork-1', 'main'))).toEqual(['main', 'main (fork-1)']);
    expect(named(fork('a', 'b'), fork('b', 'a'))).toEqual(['b (a)', 'a (b)']);
  });

  it('matches a search by label or id, ignoring case', () => {
    const found = ['RENT', 'fork-1 ', 'sale'].map((text) => nameHas(fork('fork-1', 'Rent raised 5 %'), text));
    expect(found).toEqual([true, true, false]);
  });
});

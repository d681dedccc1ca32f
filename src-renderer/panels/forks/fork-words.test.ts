/** Status texts of forks. */

import { describe, expect, it } from 'vitest';
import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { nameById } from '../../model/facts/fork-names.js';
import { closedText, parentAheadText, stateText } from './fork-words.js';

const OPEN: ForkInfo = { id: 'a', parent: 'main', baseSeq: 3, status: 'open', createdAt: '', events: 1_200 };
const PROMOTED: ForkInfo = { ...OPEN, status: 'promoted', closedAt: '2020-01-02T12:00:00.000Z' };
const UNDONE: ForkInfo = { ...PROMOTED, undoneAt: '2020-01-03T12:00:00.000Z' };

describe('the text for a fork', () => {
  it('counts the changes of an open fork, and names the status of a closed one', () => {
    const closed = [PROMOTED, UNDONE, { ...OPEN, status: 'aborted' as const }];
    expect([OPEN, ...closed].map(stateText)).toEqual(['1,200 changes', 'promoted', 'promoted, reverted', 'discarded']);
  });

  it('says that a promotion was reverted', () => {
    expect(closedText(PROMOTED, nameById)).toMatch(/^Promoted to main at 2 Jan \S+$/);
    expect(closedText(UNDONE, nameById)).toMatch(/^Promoted to main at 2 Jan \S+, reverted 3 Jan \S+$/);
    expect(closedText({ ...OPEN, status: 'aborted' }, nameById)).toBe('Discarded');
  });

  it('counts the changes that the fork is behind its parent', () => {
    expect(parentAheadText(OPEN, nameById)).toBeUndefined();
    expect(parentAheadText({ ...OPEN, behind: 1 }, nameById)).toBe('1 change behind main');
  });
});

/** The mark of reverted transactions in a history. */

import { describe, expect, it } from 'vitest';
import type { Cause } from '../../../../src-runtime/api/schemas/schemas.js';
import { revertedIn } from './reverted.js';

const call: Cause = { kind: 'mutation', path: 'm::add' };
const undo = (txn: number): Cause => ({ kind: 'undo', txn });
const promote = (fork: string): Cause => ({ kind: 'promote', fork });
const history = (...causes: Cause[]) => [
  ...revertedIn(causes.map((cause, index) => ({ txn: index + 1, cause })).reverse()),
];

describe('a history', () => {
  it('marks a transaction that a later one reverted', () => {
    expect(history(call, call, undo(2))).toEqual([2]);
  });

  it('marks a reverted revert, but not the restored transaction', () => {
    expect(history(call, undo(1), undo(2))).toEqual([2]);
  });

  it('marks a promotion that was reverted', () => {
    expect(history(promote('plan'), call, { kind: 'undoPromotion', fork: 'plan' })).toEqual([1]);
  });

  it('does not confuse the name of a fork with a transaction number', () => {
    expect(history(promote('7'), { kind: 'asOf', txn: 1 }, promote('plan'))).toEqual([]);
  });
});

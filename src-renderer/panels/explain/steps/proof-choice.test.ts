/** The marks of a proof: full or truncated, its depth, and how many proofs are known. */

import { describe, expect, it } from 'vitest';
import type { Explanation } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import { marksOf, nextProofCount, proofCount, type TrueExplanation, withProof } from './proof-choice.js';

const proof = (factId: string): TrueExplanation['proof'] => ({ kind: 'derived', factId, premises: [] });
const one: TrueExplanation = {
  holds: true,
  factId: 'f',
  proof: proof('a'),
  height: 2,
  cut: false,
  minimal: true,
  others: 'none',
};
const two: TrueExplanation = {
  ...one,
  proofs: [
    { proof: proof('a'), height: 2, cut: false },
    { proof: proof('b'), height: 3, cut: true },
  ],
};
const marks = (explanation: Explanation, place = 0) => marksOf(explanation, place).map(({ text }) => text);

describe('marks', () => {
  it('calls the only proof full and shortest', () =>
    expect(marks(one)).toEqual(['True', 'Full proof', '2 steps deep (shortest)', 'Only proof']));

  it('says that there are or may be other proofs', () => {
    expect(marks({ ...one, others: 'some' }).at(-1)).toBe('1 of several proofs');
    expect(marks({ ...one, others: 'unknown' }).at(-1)).toBe('Maybe more proofs');
  });

  it('counts the known proofs', () => {
    expect(marks(two)).toEqual(['True', 'Full proof', '2 steps deep (shortest)', '1 of 2 proofs']);
    expect(marks(two, 1)).toEqual(['True', 'Truncated', 'At most 3 steps deep', '2 of 2 proofs']);
    expect(marks({ ...two, others: 'some' }).at(-1)).toBe('1 of more than 2 proofs');
    expect(marks({ ...two, others: 'unknown' }).at(-1)).toBe('1 of 2 proofs, maybe more');
  });

  it('says when a shorter proof may exist', () => {
    expect(marks({ ...one, minimal: false })[2]).toBe('2 steps deep (maybe not shortest)');
  });

  it('shows only the verdict of a stored or declared fact', () => {
    expect(marks({ ...one, height: 0 })).toEqual(['True']);
  });

  it('says whether a why-not is full', () => {
    const whyNot = { id: 'f', relation: 'm::r', tuple: [], message: '', clauses: [] };
    expect(marks({ holds: false, whyNot, cut: false })).toEqual(['False', 'Full explanation']);
    expect(marks({ holds: false, whyNot, cut: true })).toEqual(['False', 'Truncated']);
  });
});

describe('the selected proof', () => {
  it('is the one at the given place, or the last', () => {
    expect(withProof(two, 1)).toMatchObject({ proof: { factId: 'b' }, height: 3, cut: true });
    expect(withProof(two, 9)).toMatchObject({ proof: { factId: 'b' } });
    expect(withProof(one, 1)).toBe(one);
    expect(proofCount(two)).toBe(2);
  });

  it('is followed by larger searches until all or a hundred proofs are known', () => {
    expect(nextProofCount(1, one)).toBeUndefined();
    expect(nextProofCount(1, { ...one, others: 'unknown' })).toBe(10);
    expect(nextProofCount(10, { ...one, others: 'some' })).toBe(100);
    expect(nextProofCount(100, { ...one, others: 'some' })).toBeUndefined();
  });
});

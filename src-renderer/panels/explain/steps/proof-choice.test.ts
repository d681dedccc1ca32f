/** What is said of a proof is what is known of it: whole or cut, how high, the only one or one of so many. */

import { describe, expect, it } from 'vitest';
import type { Explanation } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import { type Holds, marksOf, nextLook, proofCount, withProof } from './proof-choice.js';

const proof = (factId: string): Holds['proof'] => ({ kind: 'derived', factId, premises: [] });
const one: Holds = {
  holds: true,
  factId: 'f',
  proof: proof('a'),
  height: 2,
  cut: false,
  minimal: true,
  others: 'none',
};
const two: Holds = {
  ...one,
  proofs: [
    { proof: proof('a'), height: 2, cut: false },
    { proof: proof('b'), height: 3, cut: true },
  ],
};
const marks = (explanation: Explanation, place = 0) => marksOf(explanation, place).map(({ text }) => text);

describe('marks', () => {
  it('of the only proof', () =>
    expect(marks(one)).toEqual(['holds', 'complete', 'height 2, lowest', 'the only proof']));

  it('of a proof that others may stand beside', () => {
    expect(marks({ ...one, others: 'some' }).at(-1)).toBe('one of several');
    expect(marks({ ...one, others: 'unknown' }).at(-1)).toBe('there may be others');
  });

  it('of one of several that are known', () => {
    expect(marks(two)).toEqual(['holds', 'complete', 'height 2, lowest', '1 of 2']);
    expect(marks(two, 1)).toEqual(['holds', 'cut at the limit', 'height 3 at most', '2 of 2']);
    expect(marks({ ...two, others: 'some' }).at(-1)).toBe('1 of more than 2');
    expect(marks({ ...two, others: 'unknown' }).at(-1)).toBe('1 of 2, there may be others');
  });

  it('do not call a proof the lowest that may not be', () => {
    expect(marks({ ...one, minimal: false })[2]).toBe('height 2, perhaps not the lowest');
  });

  it('of what is stored or declared say that it holds and no more', () => {
    expect(marks({ ...one, height: 0 })).toEqual(['holds']);
  });

  it('of a why-not say whether it is whole', () => {
    const whyNot = { id: 'f', relation: 'm::r', tuple: [], message: '', clauses: [] };
    expect(marks({ holds: false, whyNot, cut: false })).toEqual(['does not hold', 'complete']);
    expect(marks({ holds: false, whyNot, cut: true })).toEqual(['does not hold', 'cut at the limit']);
  });
});

describe('the proof that is shown', () => {
  it('is the one of that place, or the last', () => {
    expect(withProof(two, 1)).toMatchObject({ proof: { factId: 'b' }, height: 3, cut: true });
    expect(withProof(two, 9)).toMatchObject({ proof: { factId: 'b' } });
    expect(withProof(one, 1)).toBe(one);
    expect(proofCount(two)).toBe(2);
  });

  it('is one of more that are looked for until there are none or a hundred', () => {
    expect(nextLook(1, one)).toBeUndefined();
    expect(nextLook(1, { ...one, others: 'unknown' })).toBe(10);
    expect(nextLook(10, { ...one, others: 'some' })).toBe(100);
    expect(nextLook(100, { ...one, others: 'some' })).toBeUndefined();
  });
});

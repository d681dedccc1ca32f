import { expect, it } from 'vitest';
import type { Explanation, ProofNode, ProofPremise } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import { explanationSteps } from '../../../domain/proof/proof-outline.js';
import { type Ground, groundsOf } from './grounds.js';
import { withProof } from './proof-choice.js';

const place = { line: 1, column: 1, offset: 0 };
const span = { file: 'm.entail', start: place, end: place };
const stored = (name: string): ProofNode => ({
  ...{ kind: 'stored', factId: name, relation: name, tuple: [1], premises: [] },
});
const derived = (clause: number, ...premises: ProofPremise[]): ProofNode => ({
  ...{ kind: 'derived', factId: `d${clause}`, relation: 'm::top', tuple: [1], premises },
  rule: { path: 'm::top', clause, span },
});
const absent: ProofNode = { kind: 'absent', relation: 'm::barred', tuple: [1], premises: [] };

const first = { proof: derived(0, stored('a'), stored('b'), absent, { ref: 'a' }), height: 1, cut: false };
const second = { proof: derived(1, derived(0, stored('c'), absent), stored('a')), height: 2, cut: false };
const both: Explanation = {
  ...{ holds: true, factId: 'd0', minimal: true, others: 'none' },
  ...first,
  proofs: [first, second],
};

const summary = (grounds: readonly Ground[]) =>
  grounds.map(({ step, proofs }) => `${step.kind === 'derived' ? step.rule?.clause : step.relation} ${proofs}`);

it('lists each fact and clause of the shown proof once, with the number of proofs that share it', () => {
  const grounds = groundsOf(both, explanationSteps(both));
  expect(summary(grounds.stored)).toEqual(['a 2', 'b 1']);
  expect(summary(grounds.absent)).toEqual(['m::barred 2']);
  expect(summary(grounds.clauses)).toEqual(['0 2']);
  expect(grounds.known).toBe(2);
  const other = groundsOf(both, explanationSteps(withProof(both, 1)));
  expect(summary(other.stored)).toEqual(['c 1', 'a 2']);
  expect(summary(other.clauses)).toEqual(['1 1', '0 2']);
});

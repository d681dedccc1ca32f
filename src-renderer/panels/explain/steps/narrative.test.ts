import { expect, it } from 'vitest';
import type { Explanation } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import { explanationSteps } from '../../../domain/proof/proof-outline.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { narrative } from './narrative.js';

const info = (path: string, ...names: string[]): RelationInfo => ({
  path,
  kind: 'derived',
  endpoints: names.map((name) => ({ name, type: { kind: 'class', path: 'm::P' } })),
  doc: undefined,
  span: undefined,
});
const index = new Map(
  [info('m::liable', 'p', 'l'), info('m::tenantOf', 'lease', 'tenant'), info('m::active', 'l')].map((each) => [
    each.path,
    each,
  ]),
);
const labels: Record<string, string> = { '#i1': 'Ada', '#i2': 'L1' };
const naming = { index, label: (id: string) => labels[id], mark: () => undefined };
const sentencesOf = (explanation: Explanation) =>
  narrative(explanationSteps(explanation), naming).map(({ text }) => text);

const span = { file: 'm.entail', start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: 2, offset: 1 } };

it('explains a conclusion with the nearest reasons first', () => {
  const explanation: Explanation = {
    holds: true,
    factId: 'f',
    height: 3,
    cut: false,
    minimal: true,
    others: 'none',
    proof: {
      kind: 'derived',
      factId: 'f',
      relation: 'm::liable',
      tuple: ['#i1', '#i2'],
      premises: [
        { kind: 'declared', factId: 't', relation: 'm::tenantOf', tuple: ['#i2', '#i1'], premises: [] },
        {
          kind: 'derived',
          factId: 'a',
          relation: 'm::active',
          tuple: ['#i2'],
          premises: [
            {
              kind: 'test',
              text: 'l.rent > 0',
              values: [{ text: 'l.rent', value: '900' }],
              premises: [
                { kind: 'stored', factId: 'r', relation: 'm::Lease.rent', tuple: ['#i2', '900'], premises: [] },
              ],
            },
            { kind: 'test', text: 'let owner = l.owner', value: '#i1', premises: [] },
            { kind: 'test', text: 'l.codes', value: null, premises: [] },
          ],
        },
      ],
    },
  };
  expect(sentencesOf(explanation)).toEqual([
    'Ada is liable for L1, because Ada is a tenant of L1 (declared); and L1 is active.',
    'L1 is active, because l.rent (900) > 0; owner = Ada (l.owner); and l.codes.',
  ]);
});

it('says what each clause of a false fact lacks', () => {
  const explanation: Explanation = {
    holds: false,
    cut: false,
    whyNot: {
      id: 'w',
      relation: 'm::liable',
      tuple: ['#i1', '#i2'],
      message: '',
      clauses: [
        {
          rule: 'm::liable',
          clause: 0,
          span,
          bindings: {},
          satisfied: [{ kind: 'stored', factId: 'a', relation: 'm::active', tuple: ['#i2'], premises: [] }],
          fails: { text: 'tenantOf(l, p)', span, relation: 'm::tenantOf', tuple: ['#i2', '#i1'] },
          behind: [
            { text: 'liable(q, l)', span, relation: 'm::liable', tuple: [null, '#i2'], state: 'fails' },
            { text: 'q != p', span, state: 'open' },
          ],
        },
        {
          rule: 'm::liable',
          clause: 1,
          span,
          bindings: {},
          satisfied: [],
          fails: { text: 'liable(q, l)', span, relation: 'm::liable', tuple: [null, '#i2'] },
        },
        {
          rule: 'm::liable',
          clause: 2,
          span,
          bindings: {},
          satisfied: [],
          fails: {
            text: 'l.owner == p',
            span,
            reason: 'l.owner is #i2, needed == p, which is #i1',
            values: [
              { text: 'l.owner', value: '#i2' },
              { text: 'p', value: '#i1' },
            ],
          },
        },
      ],
    },
  };
  expect(sentencesOf(explanation)).toEqual([
    'It is not true that Ada is liable for L1.',
    'By liable, clause 1: L1 is active (stored); but nothing says that Ada is a tenant of L1. Also, no P is liable for L1; and q != p could not be tested.',
    'By liable, clause 2: no P is liable for L1.',
    'By liable, clause 3: l.owner is L1, needed == p, which is Ada.',
  ]);
});

it('names the first contributions of an aggregate, and counts the rest', () => {
  const contributions = Array.from({ length: 15 }, (_, at) => ({
    ...{ bindings: { x: `P${at}` }, value: at, premises: [{ ref: `f${at}` }] },
  }));
  const text = 'sum(x.amount for x where r(x))';
  const explanation: Explanation = {
    ...{ holds: true, factId: 'f', height: 1, cut: false, minimal: true, others: 'none' },
    proof: {
      ...{ kind: 'derived', factId: 'f', relation: 'm::active', tuple: ['#i2'] },
      premises: [
        {
          ...{ kind: 'aggregate', text: `let t = ${text}`, value: 105, contributions: 16 },
          aggregates: [{ text, function: 'sum', value: 105, taken: 15, skipped: 1, contributions }],
          premises: contributions.map((_, at) => ({
            ...{ kind: 'stored' as const, factId: `f${at}`, relation: 'm::active', tuple: ['#i2'], premises: [] },
          })),
        },
      ],
    },
  };
  const [, sum, first, ...others] = sentencesOf(explanation);
  expect(sum).toMatch(
    /^t = 105 \(sum\(.*\)\), taken from 15, and 1 without a value: P0 adds 0; .*; P11 adds 11; and 3 more\.$/,
  );
  expect(first).toBe('P0 adds 0, because L1 is active (stored).');
  expect(others).toHaveLength(11);
});

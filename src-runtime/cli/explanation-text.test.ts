/** Explanations as indented lines: a fact is expanded on its first line, and referred to afterwards. */

import { describe, expect, it } from 'vitest';
import type { ProofNode, ProofPremise, WhyNot } from '../api/schemas/explanation-schemas.js';
import { explanationLines } from './explanation-text.js';

const start = { line: 3, column: 1, offset: 0 };
const span = { file: 'm.entail', start, end: start };

const stored = (name: string): ProofNode => ({
  kind: 'stored',
  factId: name,
  relation: name,
  tuple: [1],
  premises: [],
});
const derived = (name: string, ...premises: ProofPremise[]): ProofNode => ({
  kind: 'derived',
  factId: name,
  relation: name,
  tuple: [1],
  rule: { path: name, clause: 0, span },
  premises,
});

describe('explanationLines', () => {
  it('expands a fact on its first line, although the response expands it at its least depth', () => {
    const shared = derived('shared', stored('base'));
    const deep = derived('deep', { ref: 'shared' }, { ref: 'base' });
    const proof = derived('top', deep, shared, { ref: 'shared' });
    const whole = { holds: true, factId: 'top', proof, height: 3, minimal: true, cut: false, others: 'none' } as const;
    expect(explanationLines(whole)).toEqual([
      'top(1) (derived, m.entail:3)',
      '  deep(1) (derived, m.entail:3)',
      '    shared(1) (derived, m.entail:3)',
      '      base(1) (stored)',
      '    base(1) (stored)',
      '  shared(1) (as shown above)',
      '  shared(1) (as shown above)',
    ]);
  });

  it('lists the contributions of an aggregate with their premises', () => {
    const of = (x: string, value: string, decides = false) => ({
      ...{
        bindings: { x },
        value,
        premises: [{ ref: x }, { kind: 'absent' as const, relation: 'void', tuple: [x], premises: [] }],
      },
      ...(decides && { decides }),
    });
    const text = 'max(x.amount for x where r(x))';
    const max = {
      text,
      function: 'max' as const,
      value: '9',
      taken: 2,
      contributions: [of('b', '9', true), of('a', '1')],
    };
    const aggregate = (more: ProofNode[]): ProofNode => ({
      ...{ kind: 'aggregate', text: `let m = ${text}`, value: '9', contributions: 2, aggregates: [max] },
      premises: [stored('a'), stored('b'), ...more],
    });
    const linesOf = (...more: ProofNode[]) => {
      const proof = derived('top', aggregate(more));
      return explanationLines({
        holds: true,
        factId: 'top',
        proof,
        height: 1,
        minimal: true,
        cut: false,
        others: 'none',
      }).slice(1);
    };
    expect(linesOf()).toEqual([
      `  let m = ${text} = "9" (aggregate)`,
      '    takes 2: 9, the greatest of 2',
      '    x = b gives 9 (decides)',
      '      b(1) (stored)',
      '      void(b) (absent)',
      '    x = a gives 1',
      '      a(1) (stored)',
      '      void(a) (absent)',
    ]);
    expect(linesOf(stored('limit'))).toContain(`    ${text} = 9, takes 2: 9, the greatest of 2`);
    expect(linesOf(stored('limit')).at(-1)).toBe('    limit(1) (stored)');
    max.contributions = Array.from({ length: 14 }, (_, at) => of(`c${at}`, '1'));
    max.taken = 2_000;
    expect(linesOf()).toContain('      and 1,988 more');
  });

  it('shows the values that a comparison and a let read', () => {
    const test: ProofNode = {
      kind: 'test',
      text: 'd.since <= t',
      values: [
        { text: 'd.since', value: '2026-01-05' },
        { text: 't', value: null },
      ],
      premises: [],
    };
    const proof = derived('top', test, { kind: 'test', text: 'let n = q * m', value: '0.3', premises: [] });
    const whole = { holds: true, factId: 'top', proof, height: 1, minimal: true, cut: false, others: 'none' } as const;
    expect(explanationLines(whole).slice(1)).toEqual([
      '  d.since (2026-01-05) <= t (has no value) (test)',
      '  let n = q * m = "0.3" (test)',
    ]);
  });

  it('lists the declared facts that prevent it if no change would derive it', () => {
    const whyNot = { id: 'top', relation: 'top', tuple: [1], message: 'top(1) is false.', clauses: [] };
    const declared = [{ relation: 'm::age', tuple: ['@dora', null] }];
    const suggestions = { sets: [], complete: true, declared };
    expect(explanationLines({ holds: false, whyNot, cut: false, suggestions })).toEqual([
      'top(1) is false.',
      'depends on facts that the module declares: m::age(@dora, null)',
    ]);
  });

  it('lists later premises that fail too, and those that are open', () => {
    const clause = {
      ...{ rule: 'top', clause: 0, span, satisfied: [], bindings: {} },
      fails: { text: 'a(x)', span },
      behind: [
        { text: 'x > 3', span, reason: 'x is 1, needed > 3', state: 'fails' as const },
        { text: 'c(x, y)', span, relation: 'm::c', tuple: [1, null], state: 'fails' as const },
        { text: 'not b(y)', span, state: 'open' as const },
      ],
    };
    const whyNot = { id: 'top', relation: 'top', tuple: [1], message: 'top(1) is false.', clauses: [clause] };
    expect(explanationLines({ holds: false, whyNot, cut: false }).slice(2)).toEqual([
      '    stops at: a(x)',
      '    also fails: x > 3 (x is 1, needed > 3)',
      '    also fails: c(x, y) (m::c(1, _))',
      '    open: not b(y)',
    ]);
  });

  it('refers to a why-not that was printed before', () => {
    const question = (id: string, ...fails: WhyNot['clauses'][number]['fails'][]): WhyNot => ({
      id,
      relation: id,
      tuple: [1],
      message: `${id}(1) is false.`,
      clauses: fails.map((each, clause) => ({ rule: id, clause, span, satisfied: [], bindings: {}, fails: each })),
    });
    const inner = question('inner', { text: 'outer(x)', span, ref: 'outer' });
    const outer = question(
      'outer',
      { text: 'inner(x)', span, whyNot: inner },
      { text: 'inner(y)', span, ref: 'inner' },
    );
    expect(explanationLines({ holds: false, whyNot: outer, cut: false })).toEqual([
      'outer(1) is false.',
      '  clause at m.entail:3',
      '    stops at: inner(x)',
      '      inner(1) is false.',
      '        clause at m.entail:3',
      '          stops at: outer(x)',
      '            outer(1) is false. (as shown above)',
      '  clause at m.entail:3',
      '    stops at: inner(y)',
      '      inner(1) is false. (as shown above)',
    ]);
  });
});

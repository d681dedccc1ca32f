/** The code of a plan grows in proportion to its rule, for all kinds of rules. */

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Clause, Expression, FunctionDeclaration, Literal, Type } from '../../artifact/types.js';
import { runs } from '../../base/testing/property-runs.js';
import { loadProgram } from '../program/program.js';
import {
  absent,
  aggregate,
  arithmetic,
  artifact,
  atom,
  BOOL,
  bind,
  builtIn,
  classOf,
  clause,
  compare,
  concept,
  condition,
  constant,
  each,
  field,
  INT,
  int,
  relation,
  rule,
  SPAN,
  TEXT,
  test,
  v,
} from '../testing/ir.js';
import { ALTERNATIVES_MAX } from './disjunctions.js';
import { compileClause } from './plans.js';
import { type Access, Unit } from './unit.js';

const PERSON = classOf('Person');
const COLOR: Type = { kind: 'enum', path: 'Color' };

/** Each calls the one before it twice. */
const FUNCTIONS = Array.from({ length: 64 }, (_, at): FunctionDeclaration => {
  const before = at === 0 ? v('of') : call(`f${at - 1}`, v('of'));
  const body: Expression = { op: 'concat', operands: [before, before] };
  return { path: `f${at}`, public: true, span: SPAN, parameters: [{ name: 'of', type: TEXT }], result: TEXT, body };
});

const program = loadProgram(
  artifact({
    rules: [rule('r', [INT], [])],
    functions: FUNCTIONS,
    schema: {
      enums: [{ path: 'Color', public: true, span: SPAN, members: [{ name: 'red' }, { name: 'green' }] }],
      concepts: [concept('Person', { age: INT, boss: PERSON, name: TEXT, color: COLOR })],
      relations: [
        relation('number', INT),
        relation('edge', INT, INT),
        relation('owns', PERSON, INT),
        relation('knows', PERSON, PERSON),
      ],
    },
  }),
);

/** A lookup finds about as much as a scan. */
const EVEN: Access = { roleOf: () => 'whole', isLayered: () => false, rowsOf: () => 30 };
/** Joining by each operand of a disjunction is worth it. */
const SKEWED: Access = { ...EVEN, rowsOf: (_, columns) => (columns.length === 0 ? 10_000 : 3) };

/** Length of the code of the clause's plan. */
function codeSize(made: Clause, access = EVEN): number {
  const text = vi.spyOn(Unit.prototype, 'text');
  try {
    compileClause(program, 'r', made, { isMember: () => false, delta: -1 }, access, false);
    return text.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
  } finally {
    text.mockRestore();
  }
}

function call(name: string, arg: Expression): Expression {
  return { op: 'call', function: name, args: [arg], span: SPAN };
}

function choice(of: Expression, then: Expression, otherwise: Expression): Expression {
  return { op: 'if', condition: of, then, else: otherwise };
}

function plus(left: Expression, right: Expression): Expression {
  return arithmetic('+', left, right);
}

function navigate(of: Expression, many = false): Expression & { readonly op: 'navigate' } {
  return { op: 'navigate', of, field: 'Person.knows', relation: 'knows', own: 0, read: 1, many };
}

const isPositive = (value: Expression): Literal => test(compare('>', value, int(0)));
const age = (of: Expression): Expression => field('Person.age', of);
const name = (of: Expression): Expression => field('Person.name', of);
const total = (value: Expression, literals: readonly Literal[]): Expression =>
  aggregate('sum', value, ['y'], condition(literals, {}, ['a']));

/** Literals of a rule by number; `n` is an Int, `of` a bound Person. */
type Make = (at: number, n: Expression, of: Expression) => readonly Literal[];

const KINDS: readonly (readonly [string, Make])[] = [
  [
    'equality with a variable of another literal',
    (at, n) => [atom('number', `v${at}`), test(compare('==', v(`v${at}`), plus(n, int(at))))],
  ],
  ['let', (at, n) => [bind(`v${at}`, plus(n, int(at)))]],
  ['let that a join reads', (at, n) => [bind(`v${at}`, plus(n, int(at))), atom('edge', `v${at}`, `w${at}`)]],
  ['comparison with arithmetic', (at, n) => [isPositive(plus(n, int(at)))]],
  [
    'comparison of Decimals',
    (at) => [
      test(
        compare(
          '<',
          constant({ kind: 'scalar', name: 'Decimal' }, `${at}.5`),
          arithmetic(
            '/',
            constant({ kind: 'scalar', name: 'Decimal' }, '1'),
            constant({ kind: 'scalar', name: 'Decimal' }, `${at}`),
            'Decimal',
          ),
          { kind: 'scalar', name: 'Decimal' },
        ),
      ),
    ],
  ],
  ['negation behind arithmetic', (at, n) => [absent('edge', 'a', int(at)), isPositive(plus(n, int(at)))]],
  [
    'Bool expression',
    (at, _, of) => [
      test({ op: 'not', operand: builtIn('contains', [TEXT, TEXT], [name(of), constant(TEXT, `${at}`)], BOOL) }),
    ],
  ],
  [
    'built-in that can fault',
    (at, n, of) => [
      isPositive(
        builtIn('length', [TEXT], [builtIn('substring', [TEXT, INT, INT], [name(of), n, int(at)], TEXT)], INT),
      ),
    ],
  ],
  ['range', (at, n) => [each(`v${at}`, { op: 'range', from: n, to: plus(n, int(at)) })]],
  ['in a list', (at, _, of) => [each(`p${at}`, navigate(of, true))]],
  ['aggregate', (at) => [bind(`v${at}`, total(v('y'), [atom('edge', 'a', 'y'), isPositive(plus(v('y'), int(at)))]))]],
  [
    'aggregate in an aggregate',
    (at) => [
      bind(
        `v${at}`,
        total(total(v('y'), [atom('edge', 'a', 'y')]), [atom('edge', 'a', 'y'), bind(`z${at}`, plus(v('y'), int(1)))]),
      ),
    ],
  ],
  [
    'match',
    (at, n, of) => [
      bind(`v${at}`, {
        op: 'match',
        type: COLOR,
        subject: field('Person.color', of),
        cases: [
          { pattern: constant(COLOR, 'red') as never, value: plus(n, int(at)) },
          { pattern: null, value: age(of) },
        ],
      }),
    ],
  ],
  ['if', (at, n, of) => [bind(`v${at}`, choice(compare('>', plus(n, int(at)), age(of)), age(of), plus(n, int(1))))]],
  ['??', (at, n, of) => [bind(`v${at}`, { op: 'coalesce', left: age(of), right: plus(n, int(at)) })]],
  ['exists', (at, _, of) => [test({ op: 'exists', operand: navigate(field('Person.boss', of)) }), isPositive(int(at))]],
  ['navigation that may read two values', (at, _, of) => [bind(`p${at}`, navigate(of))]],
  [
    'nested navigation',
    (at, n, of) => [
      test(compare('>', age(field('Person.boss', field('Person.boss', navigate(of)))), plus(n, int(at)))),
    ],
  ],
  [
    'disjunction',
    (at, n) => [
      atom('edge', `v${at}`, `w${at}`),
      test({ op: 'or', operands: [compare('==', v(`v${at}`), n), compare('==', v(`w${at}`), n)] }),
    ],
  ],
];

const START = [atom('number', 'a'), atom('owns', 'p', 'a')];

function ruleOf(literals: readonly Literal[], count: number): Clause {
  const people = Array.from({ length: count }, (_, at): [string, Type] => [`p${at}`, PERSON]);
  return clause(['a'], [...START, ...literals], Object.fromEntries([['p', PERSON], ...people]));
}

function repeated(make: Make, count: number): Clause {
  const literals = Array.from({ length: count }, (_, at) => make(at, v('a'), v('p')));
  return ruleOf(literals.flat(), count);
}

/** Nodes of a body. A rule of twice the size has twice as many. */
function nodesIn(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0;
  const within = Object.values(node).reduce((sum, part) => sum + nodesIn(part), 0);
  return within + ('op' in node ? 1 : 0);
}

describe('the code of a plan', () => {
  it.each(KINDS)('grows by a constant for each %s', (_, make) => {
    const [few, more, most] = [8, 16, 32].map((count) => codeSize(repeated(make, count))) as [number, number, number];
    // Twice as much, and the names of variables bound before.
    expect((most - more) / (more - few)).toBeLessThan(2.5);
  });

  it.each<[string, Make]>([
    ['an equality', (at, n) => [atom('number', `v${at}`), test(compare('==', v(`v${at}`), plus(n, int(at))))]],
    ['a let', (at, n) => [bind(`v${at}`, plus(n, int(at)))]],
    ['a comparison', (at, n) => [isPositive(plus(n, int(at)))]],
  ])('stays short for a dozen and for twenty of %s, also before a negation', (_, make) => {
    for (const count of [12, 20]) {
      expect(codeSize(repeated(make, count))).toBeLessThan(2_000 + 1_000 * count);
      const literals = Array.from({ length: count }, (_, at) => make(at, v('a'), v('p'))).flat();
      expect(codeSize(ruleOf([...literals, absent('edge', 'a', 'a')], count))).toBeLessThan(3_000 + 1_000 * count);
    }
  });

  it('is bounded by the nodes of the rule, for literals and operands of all kinds', () => {
    const step = fc.record({ kind: fc.nat({ max: KINDS.length - 1 }), depth: fc.nat({ max: 4 }), of: fc.nat() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const literals = steps.flatMap(({ kind, depth, of }, at) => {
          let [n, person]: [Expression, Expression] = [v('a'), v('p')];
          for (let level = 0; level < depth; level++) {
            const same = compare('==', age(person), plus(n, int(of % 7)));
            n = level % 2 === 0 ? choice(same, n, int(level)) : plus(n, age(person));
            person = level % 2 === 0 ? field('Person.boss', person) : navigate(person);
          }
          return (KINDS[kind] as (typeof KINDS)[number])[1](at, n, person);
        });
        const made = ruleOf(literals, steps.length);
        expect(codeSize(made)).toBeLessThan(3_000 + 400 * nodesIn(made));
      }),
      { numRuns: runs(300) },
    );
  });

  it('grows by a constant for each level of a comparison in a comparison', () => {
    const nested = (depth: number): Expression =>
      depth === 0
        ? v('p')
        : choice(compare('==', age(nested(depth - 1)), plus(v('a'), int(depth))), v('p'), field('Person.boss', v('p')));
    const sizes = [8, 16, 32].map((depth) => codeSize(ruleOf([isPositive(age(nested(depth)))], 0)));
    const [few, more, most] = sizes as [number, number, number];
    expect((most - more) / (more - few)).toBeLessThan(2.5);
  });

  it('has a bounded number of copies of a body with many disjunctions', () => {
    const wide = (operands: number): Make => {
      return (at) => [
        atom('edge', `v${at}`, `w${at}`),
        test({
          op: 'or',
          operands: Array.from({ length: operands }, (_, n) =>
            compare('==', v(`${n % 2 === 0 ? 'v' : 'w'}${at}`), int(n)),
          ),
        }),
      ];
    };
    for (const [operands, count] of [
      [2, 8],
      [6, 5],
      [100, 2],
    ] as const) {
      const made = repeated(wide(operands), count);
      expect(codeSize(made, SKEWED)).toBeLessThan(2 * ALTERNATIVES_MAX * codeSize(made));
    }
    const one = repeated(wide(4), 1);
    expect(codeSize(one, SKEWED)).toBeGreaterThan(2 * codeSize(one));
  });

  it('stays short for functions whose calls double at each level', () => {
    const made = ruleOf([isPositive(builtIn('length', [TEXT], [call('f63', name(v('p')))], INT))], 0);
    expect(codeSize(made)).toBeLessThan(5_000);
  });

  it('is not generated for a body that is too large to compile', () => {
    const make: Make = (at, n) => [isPositive(plus(n, int(at)))];
    expect(codeSize(repeated(make, 498))).toBeLessThan(300_000);
    expect(() => codeSize(repeated(make, 499))).toThrow('a body of 501 conditions and reads; 500 are the most');
  });
});

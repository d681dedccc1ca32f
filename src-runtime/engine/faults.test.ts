/** The parts of a fault: the rule, the clause, the span, and the binding that was being evaluated. */

import { describe, expect, it } from 'vitest';
import type { Expression, FunctionDeclaration, Literal, RuleDeclaration } from '../artifact/types.js';
import { noDeadline } from '../base/ports.js';
import type { EvaluationFault } from './errors.js';
import { loadProgram } from './program/program.js';
import { callFunction, evaluateExpression, evaluatePure, solve } from './store/solve.js';
import { FactStore } from './store/store.js';
import {
  absent,
  aggregate,
  arithmetic,
  artifact,
  atom,
  BOOL,
  bind,
  builtIn,
  clause,
  compare,
  concept,
  condition,
  constant,
  each,
  INT,
  int,
  relation,
  rule,
  SPAN,
  TEXT,
  test,
  v,
} from './testing/ir.js';
import { Interner } from './values/codec.js';

const inverse = (of: Expression): Expression => arithmetic('div', int(10), of);
const call = (name: string, arg: Expression): Expression => ({ op: 'call', function: name, args: [arg], span: SPAN });
const boss = (of: Expression): Expression => {
  return { op: 'navigate', of, field: 'n.boss', relation: 'edge', own: 0, read: 1, many: false };
};

const sumOfList = (list: Expression): Expression =>
  aggregate('sum', v('i'), ['i'], condition([each('i', list)], { i: INT }));

function fn(path: string, body: FunctionDeclaration['body'], refinement?: Expression): FunctionDeclaration {
  const of = { name: 'of', type: INT, ...(refinement && { refinement }) };
  return { path, public: true, span: SPAN, parameters: [of], result: INT, body };
}

const FUNCTIONS = [
  fn('part', inverse(v('of'))),
  fn('outer', call('part', arithmetic('-', v('of'), int(1)))),
  fn(
    'total',
    aggregate('sum', inverse(v('i')), ['i'], condition([each('i', { op: 'range', from: int(0), to: v('of') })])),
  ),
  fn('host', { op: 'extern' }),
  fn('odd', v('of'), compare('!=', v('value'), int(2))),
  fn('caller', call('odd', v('of'))),
];

function storeOf(rules: readonly RuleDeclaration[], number: readonly number[]): FactStore {
  const relations = [relation('number', INT), relation('edge', INT, INT)];
  const program = loadProgram(
    artifact({ rules, functions: FUNCTIONS, schema: { relations, concepts: [concept('Thing')] } }),
  );
  const store = new FactStore(program, new Interner(program));
  insert(
    store,
    'number',
    number.map((each) => [each]),
  );
  insert(store, 'edge', [
    [1, 2],
    [2, 0],
    [7, 8],
    [7, 9],
  ]);
  return store;
}

function insert(store: FactStore, path: string, rows: readonly (readonly number[])[]): void {
  const transaction = store.begin();
  for (const row of rows) transaction.insert(path, row);
  transaction.commit();
}

async function rowsOf(store: FactStore, path: string): Promise<string[]> {
  const view = store.view();
  try {
    return [...(await view.materialise(path, noDeadline)).rows()].map((row) => row.join()).sort();
  } finally {
    view.release();
  }
}

async function faultOf(work: () => unknown): Promise<Partial<EvaluationFault>> {
  try {
    await work();
  } catch (error) {
    const { kind, path, clause, bindings, span } = error as EvaluationFault;
    return { kind, path, clause, bindings, ...(span === SPAN ? {} : { span }) };
  }
  return {};
}

const FINE = clause(['x'], [atom('number', 'x')]);
const sumOver = (value: Expression, literals: readonly Literal[]): Expression =>
  aggregate('sum', value, ['y'], condition(literals, {}, ['x']));

describe('an evaluation fault', () => {
  it.each<[string, RuleDeclaration, object]>([
    [
      'in a test after a join',
      rule(
        'r',
        [INT],
        [
          FINE,
          clause(['x'], [atom('edge', 'x', 'y'), test(compare('>', inverse(v('y')), int(0))), atom('number', 'x')]),
        ],
      ),
      { clause: 1, bindings: { x: 2, y: 0 } },
    ],
    [
      'in a let, without the variable that it would have bound',
      rule(
        'r',
        [INT, INT],
        [clause(['x', 'q'], [bind('q', inverse(v('x'))), atom('number', 'x'), absent('edge', 'x', 'x')])],
      ),
      { clause: 0, bindings: { x: 0 } },
    ],
    [
      'in a range',
      rule(
        'r',
        [INT],
        [clause(['i'], [atom('number', 'x'), each('i', { op: 'range', from: int(0), to: inverse(v('x')) })])],
      ),
      { bindings: { x: 0 } },
    ],
    [
      'in the value of an aggregate, with the group and the row',
      rule(
        'r',
        [INT, INT],
        [clause(['x', 'n'], [atom('number', 'x'), bind('n', sumOver(inverse(v('y')), [atom('edge', 'x', 'y')]))])],
      ),
      { bindings: { x: 2, y: 0 } },
    ],
    [
      'in the condition of an aggregate',
      rule(
        'r',
        [INT, INT],
        [
          clause(
            ['x', 'n'],
            [
              atom('number', 'x'),
              bind('n', sumOver(v('y'), [atom('edge', 'x', 'y'), test(compare('>', inverse(v('y')), int(0)))])),
            ],
          ),
        ],
      ),
      { bindings: { x: 2, y: 0 } },
    ],
    [
      'in a sum that overflows, with the group',
      rule(
        'r',
        [INT, INT],
        [
          clause(
            ['x', 'n'],
            [
              atom('number', 'x'),
              bind('n', sumOver(arithmetic('+', v('y'), int(2 ** 53 - 9)), [atom('edge', int(7), 'y')])),
            ],
          ),
        ],
      ),
      { bindings: { x: 0 } },
    ],
    [
      'in a head',
      rule('r', [INT, INT], [clause(['x', inverse(v('x'))], [atom('number', 'x')])]),
      { bindings: { x: 0 } },
    ],
    [
      'in a recursive clause',
      rule(
        'r',
        [INT],
        [
          clause([int(1)], []),
          clause(['y'], [atom('r', 'x'), atom('edge', 'x', 'y'), test(compare('>', inverse(v('y')), int(0)))]),
        ],
      ),
      { clause: 1, bindings: { x: 2, y: 0 } },
    ],
    [
      'in a function, with the variables of the calling rule',
      rule(
        'r',
        [INT, INT],
        [clause(['x', 'q'], [atom('number', 'x'), bind('q', call('outer', arithmetic('+', v('x'), int(1))))])],
      ),
      { bindings: { x: 0 } },
    ],
    [
      'in a call of an extern function',
      rule('r', [INT, INT], [clause(['x', 'q'], [atom('number', 'x'), bind('q', call('host', v('x')))])]),
      { kind: 'extern', bindings: { x: 0 } },
    ],
    [
      'for a navigation with two values',
      rule('r', [INT, INT], [clause(['x', 'q'], [atom('edge', 'x', int(8)), bind('q', boss(v('x')))])]),
      { bindings: { x: 7, q: 9 } },
    ],
    [
      'for a navigation with two values, both different from the compared value',
      rule('r', [INT], [clause(['x'], [atom('edge', 'x', int(8)), test(compare('==', boss(v('x')), int(3)))])]),
      { bindings: { x: 7 } },
    ],
    [
      'for a navigation with two values that other literals exclude',
      rule('r', [INT], [clause(['x'], [atom('edge', 'x', int(8)), bind('q', boss(v('x'))), atom('number', 'q')])]),
      { bindings: { x: 7 } },
    ],
    [
      'for an exists test of a navigation with two values',
      rule('r', [INT], [clause(['x'], [atom('edge', 'x', int(8)), test({ op: 'exists', operand: boss(v('x')) })])]),
      { bindings: { x: 7 } },
    ],
  ])('names its binding %s', async (_, declaration, expected) => {
    const store = storeOf([declaration], [0, 2]);
    expect(await faultOf(() => rowsOf(store, 'r'))).toMatchObject({ kind: 'fault', path: 'r', clause: 0, ...expected });
  });

  it.each([
    ['a range', each('y', { op: 'range', from: int(0), to: int(9), step: v('x'), span: SPAN })],
    ['a range as a list', bind('y', sumOfList({ op: 'range', from: int(0), to: int(9), step: v('x'), span: SPAN }))],
    ['a pattern', test(builtIn('matches', [TEXT, TEXT], [constant(TEXT, 'a'), constant(TEXT, '(')], BOOL))],
  ])('names its place in %s, unless another test fails', async (_, literal) => {
    const declared = (...more: Literal[]) => rule('r', [INT], [clause(['x'], [atom('number', 'x'), literal, ...more])]);
    const place = { kind: 'fault', path: 'r', clause: 0, bindings: { x: 0 } };
    expect(await faultOf(() => rowsOf(storeOf([declared()], [0]), 'r'))).toMatchObject(place);
    expect(await rowsOf(storeOf([declared(test(compare('>', v('x'), int(0))))], [0]), 'r')).toEqual([]);
  });

  it('does not occur for a navigation with two values if an independent test fails', async () => {
    const literals = [
      atom('edge', 'x', int(8)),
      test(compare('==', boss(v('x')), int(3))),
      test(compare('<', v('x'), int(7))),
    ];
    const store = storeOf([rule('r', [INT], [clause(['x'], literals)])], []);
    expect(await rowsOf(store, 'r')).toEqual([]);
  });

  describe('with an independent test', () => {
    const range = (to: Expression): Expression => ({ op: 'range', from: int(0), to });
    const holds = (value: number): Literal => test(compare('<', arithmetic('+', v('x'), int(1)), int(value)));
    it.each<[string, readonly Literal[]]>([
      ['two lets', [bind('p', inverse(v('x'))), bind('q', inverse(v('x')))]],
      ['a let and a test', [bind('p', inverse(v('x'))), test(compare('>', inverse(v('x')), int(0)))]],
      ['a let that a join reads', [bind('p', inverse(v('x'))), atom('edge', 'p', 'q')]],
      ['a join key', [atom('edge', 'p', 'q'), test(compare('==', v('p'), inverse(v('x'))))]],
      [
        'two join keys, one computed from the other',
        [
          atom('edge', 'p', 'q'),
          test(compare('==', v('p'), inverse(v('x')))),
          atom('edge', 'r', 's'),
          test(compare('==', v('r'), inverse(arithmetic('-', v('p'), v('p'))))),
        ],
      ],
      ['a range', [each('p', range(inverse(v('x')))), bind('q', inverse(v('x')))]],
      ['a sum', [bind('p', sumOver(inverse(v('x')), [atom('edge', 'y', '_')])), bind('q', inverse(v('x')))]],
      [
        'a comparison with a variable that a later literal binds',
        [bind('p', inverse(v('x'))), atom('edge', 'p', 'q'), test(compare('==', v('q'), inverse(v('p'))))],
      ],
    ])('occurs in %s only if the test holds', async (_, literals) => {
      const derived = (last: Literal): RuleDeclaration =>
        rule('r', [INT], [clause(['x'], [atom('number', 'x'), ...literals, last])]);
      expect(await rowsOf(storeOf([derived(holds(1))], [0]), 'r')).toEqual([]);
      const fault = await faultOf(() => rowsOf(storeOf([derived(holds(2))], [0]), 'r'));
      expect(fault).toMatchObject({ kind: 'fault', path: 'r', bindings: { x: 0 } });
    });

    it('does not occur in an unreached comparison before a negation', async () => {
      const literals = [
        bind('p', inverse(v('x'))),
        atom('edge', 'p', 'q'),
        test(compare('==', v('q'), inverse(v('p')))),
        absent('edge', 'q', '_'),
      ];
      const store = storeOf([rule('r', [INT], [clause(['x'], [atom('number', 'x'), ...literals])])], [3]);
      expect(await rowsOf(store, 'r')).toEqual([]);
    });
  });

  it('occurs in the state after a change, not in the state before', async () => {
    const declaration = rule('r', [INT, INT], [clause(['x', 'q'], [atom('number', 'x'), bind('q', inverse(v('x')))])]);
    const store = storeOf([declaration], [2, 5]);
    expect(await rowsOf(store, 'r')).toEqual(['2,5', '5,2']);
    const before = store.view();
    insert(store, 'number', [[0]]);
    expect(await faultOf(() => rowsOf(store, 'r'))).toMatchObject({ path: 'r', clause: 0, bindings: { x: 0 } });
    expect([...(await before.materialise('r', noDeadline)).rows()]).toHaveLength(2);
    before.release();
    const transaction = store.begin();
    transaction.delete('number', [0]);
    transaction.insert('number', [10]);
    transaction.commit();
    expect(await rowsOf(store, 'r')).toEqual(['10,1', '2,5', '5,2']);
  });

  it('names the outer variables of a condition outside rules', async () => {
    const view = storeOf([], [0]).view();
    const body = condition([atom('number', 'x'), test(compare('>', inverse(v('x')), v('least')))], {}, ['least']);
    const bound = { least: { type: INT, value: 3 } };
    const solutions = solve(view, body, bound, {}, noDeadline);
    expect(await faultOf(() => solutions.next())).toMatchObject({ path: null, bindings: { x: 0, least: 3 } });
  });

  it('names the variables of an expression outside rules', async () => {
    const view = storeOf([], []).view();
    const bound = { n: { type: INT, value: 0 }, all: { type: { kind: 'list', of: INT } as const, value: [1, 2] } };
    const evaluate = () => evaluateExpression(view, inverse(v('n')), bound, {}, noDeadline);
    expect(await faultOf(evaluate)).toMatchObject({ path: null, bindings: { n: 0, all: [1, 2] } });
  });

  it('names the variables of a function and of a refinement', async () => {
    const { program } = storeOf([], []).view();
    const calling = (path: string, arg: number) => faultOf(() => callFunction(program, path, [arg], noDeadline));
    expect(await calling('part', 0)).toMatchObject({ path: 'part', bindings: { of: 0 } });
    expect(await calling('outer', 1)).toMatchObject({ path: 'part', bindings: { of: 0 } });
    expect(await calling('total', 3)).toMatchObject({ path: 'total', bindings: { of: 3, i: 0 } });
    expect(await calling('caller', 2)).toMatchObject({ path: 'odd', bindings: { of: 2 }, kind: 'fault' });
    expect(await callFunction(program, 'caller', [3], noDeadline)).toBe(3);
    const refinement = compare('>', inverse(v('value')), int(1));
    const value = { value: { type: INT, value: 0 } };
    expect(await faultOf(() => evaluatePure(program, refinement, value))).toMatchObject({ bindings: { value: 0 } });
  });
});

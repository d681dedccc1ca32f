/** Every kind of loop over facts has checkpoints, and ends at the deadline. */

import { describe, expect, it } from 'vitest';
import type { Clause, Expression, Literal, RuleDeclaration, Type } from '../artifact/types.js';
import { type Deadline, DeadlineExceeded, noDeadline } from '../base/ports.js';
import { countingDeadline } from '../base/testing/counting-deadline.js';
import { explain } from './explain/explain.js';
import { project } from './profile/projection.js';
import { loadProgram } from './program/program.js';
import { callFunction, evaluateExpression, evaluatePure, solve } from './store/solve.js';
import { FactStore } from './store/store.js';
import {
  absent,
  aggregate,
  arithmetic,
  artifact,
  atom,
  bind,
  clause,
  compare,
  condition,
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

/** Rows that each operation visits. */
const ROWS = 200_000;
const ROWS_PER_CHECKPOINT = 50_000;

const upTo = (count: number): Expression => ({ op: 'range', from: int(0), to: int(count) });
const EVEN = test(compare('==', arithmetic('mod', v('y'), int(2)), int(9)));

const RULES: readonly RuleDeclaration[] = [
  one('scan', [atom('big', '_', 'y'), EVEN]),
  one('range', [each('y', upTo(ROWS)), EVEN]),
  one('join', [atom('seed', 'x'), atom('big', 'x', 'y'), EVEN]),
  one('indexed', [atom('seed', 'x'), atom('big', '_', 'x'), bind('y', v('x'))]),
  one('absence', [atom('seed', 'x'), absent('big', 'x', '_'), bind('y', v('x'))]),
  one('copy', [atom('big', '_', 'y')]),
  one('endless', [atom('seed', 'y')], [atom('endless', 'x'), bind('y', arithmetic('+', v('x'), int(1)))]),
  one('counted', [bind('y', over('count', null))]),
];

function one(path: string, ...bodies: (readonly Literal[])[]): RuleDeclaration {
  return rule(
    path,
    [INT],
    bodies.map((body): Clause => clause(['y'], body)),
  );
}

function over(name: 'count' | 'sum' | 'avg' | 'min' | 'max' | 'list', result: Type | null): Expression {
  const value = name === 'count' ? null : v('y');
  return aggregate(name, value, ['y'], condition([atom('big', int(0), 'y')]), result ?? INT);
}

/** Each calls the one before it twice. */
const DOUBLING = Array.from({ length: 20 }, (_, at) => {
  const before: Expression = at === 0 ? v('n') : { op: 'call', function: `twice${at - 1}`, args: [v('n')], span: SPAN };
  const body = arithmetic('+', before, before);
  return { path: `twice${at}`, public: true, span: SPAN, parameters: [{ name: 'n', type: INT }], result: INT, body };
});

function newStore(): FactStore {
  const total = aggregate('sum', v('i'), ['i'], condition([each('i', { op: 'range', from: int(0), to: v('n') })]));
  const functions = [
    { path: 'total', public: true, span: SPAN, parameters: [{ name: 'n', type: INT }], result: INT, body: total },
    ...DOUBLING,
  ];
  const relations = [relation('big', INT, INT), relation('seed', INT)];
  const program = loadProgram(artifact({ rules: RULES, functions, schema: { relations } }));
  const store = new FactStore(program, new Interner(program));
  change(store, (insert) => insert('seed', [0]));
  return store;
}

function change(store: FactStore, work: (insert: (path: string, row: number[]) => void) => void): void {
  const transaction = store.begin();
  work((path, row) => transaction.insert(path, row));
  transaction.commit();
}

function fill(store: FactStore): void {
  change(store, (insert) => {
    for (let y = 0; y < ROWS; y++) insert('big', [0, y]);
  });
}

function filled(): FactStore {
  const store = newStore();
  fill(store);
  return store;
}

function clear(store: FactStore): void {
  const transaction = store.begin();
  transaction.deleteMatching('big', [0, null]);
  transaction.commit();
}

/** Prepares everything before the tested loop, and returns what runs it. */
type Operation = () => Promise<(deadline: Deadline) => unknown>;

const materialising = (path: string, make: () => FactStore | Promise<FactStore> = filled): Operation => {
  return async () => {
    const store = await make();
    return (deadline) => store.view().materialise(path, deadline);
  };
};

/** Checkpoints of an aggregate beyond those for collecting the values. */
async function collecting(): Promise<number> {
  const deadline = countingDeadline();
  await evaluateExpression(filled().view(), over('count', INT), {}, {}, deadline);
  return deadline.checkpoints;
}

const LIST: Type = { kind: 'list', of: INT };

/** Deletes every row while a reader of the previous state keeps them from being dropped. */
function cleared(): FactStore {
  const store = filled();
  store.view();
  clear(store);
  return store;
}

describe('a loop', () => {
  it.each<[string, Operation]>([
    ['over the rows of a relation', materialising('scan')],
    ['over the numbers of a range', materialising('range')],
    ['along the chain of an index', materialising('join')],
    ['while it builds an index', materialising('indexed')],
    ['along rows that the state hides', materialising('join', cleared)],
    ['along hidden rows for a negation', materialising('absence', cleared)],
    [
      'over the rows that a change added',
      async () => {
        const store = newStore();
        await store.view().materialise('copy', noDeadline);
        fill(store);
        return (deadline) => store.view().materialise('copy', deadline);
      },
    ],
    [
      'while it builds the indexes for the first change',
      async () => {
        const store = filled();
        await store.view().materialise('copy', noDeadline);
        change(store, (insert) => insert('big', [0, ROWS]));
        return (deadline) => store.view().materialise('copy', deadline);
      },
    ],
    [
      'while a fork first maintains facts derived in its parent',
      async () => {
        const store = filled();
        await store.view().materialise('copy', noDeadline);
        const transaction = store.fork().begin();
        transaction.insert('big', [ROWS, ROWS]);
        return (deadline) => transaction.view.materialise('copy', deadline);
      },
    ],
    [
      'in a counting function',
      async () => {
        const { program } = newStore().view();
        return (deadline) => callFunction(program, 'total', [ROWS], deadline);
      },
    ],
    [
      'over solutions',
      async () => {
        const view = filled().view();
        return async (deadline) => {
          for await (const _ of solve(view, condition([atom('big', '_', 'y')]), {}, {}, deadline));
        };
      },
    ],
    [
      'over the facts that a proof of an aggregate counts',
      async () => {
        const view = filled().view();
        await view.materialise('counted', noDeadline);
        return (deadline) => explain(view, 'counted', [ROWS], { nodesMax: 10 }, deadline);
      },
    ],
    [
      'in a derive of every rule',
      async () => {
        const view = filled().view();
        return (deadline) => project(view, { now: () => 0 }, deadline);
      },
    ],
  ])('has checkpoints %s', async (name, prepare) => {
    if (name !== 'in a derive of every rule') {
      const deadline = countingDeadline();
      await (await prepare())(deadline);
      expect(deadline.checkpoints).toBeGreaterThanOrEqual(ROWS / ROWS_PER_CHECKPOINT);
    }
    const impatient = (await prepare())(countingDeadline(ROWS / ROWS_PER_CHECKPOINT - 1));
    await expect(impatient).rejects.toBeInstanceOf(DeadlineExceeded);
  });

  it.each<['sum' | 'min' | 'max', Type]>([
    ['sum', INT],
    ['min', INT],
    ['max', INT],
  ])('has checkpoints over the values of a %s', async (name, result) => {
    const deadline = countingDeadline();
    await evaluateExpression(filled().view(), over(name, result), {}, {}, deadline);
    expect(deadline.checkpoints).toBeGreaterThanOrEqual(ROWS / ROWS_PER_CHECKPOINT);
  });

  it.each<['avg' | 'list', Type]>([
    ['avg', { kind: 'scalar', name: 'Decimal' }],
    ['list', LIST],
  ])('has checkpoints over the values of a %s, after collecting them', async (name, result) => {
    const deadline = countingDeadline();
    await evaluateExpression(filled().view(), over(name, result), {}, {}, deadline);
    expect(deadline.checkpoints - (await collecting())).toBeGreaterThanOrEqual(ROWS / ROWS_PER_CHECKPOINT);
  });

  it('has checkpoints over the values of a navigation', async () => {
    const bound = { x: { type: INT, value: 0 } };
    const many: Expression = {
      op: 'navigate',
      field: 'x.all',
      relation: 'big',
      own: 0,
      read: 1,
      many: true,
      of: v('x'),
    };
    const view = filled().view();
    // Builds the index, so that only the list is left.
    await evaluateExpression(view, over('count', INT), {}, {}, noDeadline);
    const deadline = countingDeadline();
    await evaluateExpression(view, many, bound, {}, deadline);
    expect(deadline.checkpoints).toBeGreaterThanOrEqual(ROWS / ROWS_PER_CHECKPOINT);
  });
});

describe('a plan', () => {
  it('has checkpoints between long texts', async () => {
    const doubled = (name: string): Expression => ({ op: 'concat', operands: [v(name), v(name)] });
    const names = ['b', 'c', 'd', 'e', 'f'];
    const literals = names.map((name, at) => bind(name, doubled(['a', ...names][at] as string)));
    const body = condition(literals, Object.fromEntries(names.map((name) => [name, TEXT])));
    const bound = { a: { type: TEXT, value: 'x'.repeat(65_536) } };
    const deadline = countingDeadline();
    for await (const _ of solve(newStore().view(), body, bound, {}, deadline));
    expect(deadline.checkpoints).toBeGreaterThanOrEqual(names.length);
  });

  it('has checkpoints between the texts that one expression computes from a long text', async () => {
    const call = (name: string, of: Expression, result: Type): Expression => {
      return { op: 'builtIn', name, types: [TEXT], args: [of], result, span: SPAN };
    };
    const bound = { a: { type: TEXT, value: 'x'.repeat(300_000) } };
    const deadline = countingDeadline();
    const expression = call('length', call('trim', call('upper', v('a'), TEXT), TEXT), INT);
    expect(await evaluateExpression(newStore().view(), expression, bound, {}, deadline)).toBe(300_000);
    expect(deadline.checkpoints).toBeGreaterThanOrEqual(3);
  });

  it('has checkpoints between calls of functions whose calls double at each level', async () => {
    const deadline = countingDeadline();
    expect(await callFunction(newStore().view().program, 'twice19', [1], deadline)).toBe(2 ** 20);
    expect(deadline.checkpoints).toBeGreaterThanOrEqual(4);
  });
});

describe('a list', () => {
  it('faults if it is too long for an array', async () => {
    const body = condition([each('y', upTo(16_777_217))]);
    const list = evaluateExpression(
      newStore().view(),
      aggregate('list', v('y'), ['y'], body, LIST),
      {},
      {},
      noDeadline,
    );
    await expect(list).rejects.toThrow('a list of more than 16,777,216 values');
  });
});

describe('a rule that creates new values forever', () => {
  it('stops at the deadline, keeps no results, and starts over under a later deadline', async () => {
    const store = filled();
    const view = store.view();
    const impatient = view.materialise('endless', countingDeadline(1000));
    await expect(impatient).rejects.toMatchObject({ name: 'DeadlineExceeded', rule: 'endless' });
    expect((await view.materialise('copy', noDeadline)).size).toBe(ROWS);
    const second = countingDeadline(2000);
    await expect(view.materialise('endless', second)).rejects.toBeInstanceOf(DeadlineExceeded);
    expect(second.checkpoints).toBe(2001);
  });
});

describe('an expression that cannot pause', () => {
  it('faults instead of counting forever', () => {
    const call: Expression = { op: 'call', function: 'total', args: [v('value')], span: SPAN };
    const { program } = newStore().view();
    const evaluate = (value: number) => evaluatePure(program, call, { value: { type: INT, value } });
    expect(evaluate(1000)).toBe(499_500);
    expect(() => evaluate(2 ** 40)).toThrow(expect.objectContaining({ kind: 'fault', bindings: { value: 2 ** 40 } }));
  });
});

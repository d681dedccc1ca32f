import { describe, expect, it } from 'vitest';
import type { Expression, FunctionDeclaration } from '../../artifact/types.js';
import { type Bare, bareRecord, withMember } from '../../base/bare-record.js';
import { decimalText, parseDecimal } from '../../base/decimal.js';
import { noDeadline } from '../../base/ports.js';
import { type Goal, goalFor } from '../plan/goal.js';
import { loadProgram } from '../program/program.js';
import {
  aggregate,
  arithmetic,
  artifact,
  atom,
  classOf,
  compare,
  concept,
  condition,
  constant,
  DECIMAL,
  each,
  field,
  INT,
  int,
  optional,
  relation,
  SPAN,
  TEXT,
  test,
  v,
} from '../testing/ir.js';
import type { Bindings, View } from '../types.js';
import { Interner } from '../values/codec.js';
import type { Value } from '../values/value.js';
import {
  callFunction,
  evaluateExpression,
  evaluateMessage,
  evaluatePure,
  firstSolution,
  solve,
  solveAtOnce,
} from './solve.js';
import { FactStore } from './store.js';

const LEASE = classOf('Lease');
const double: FunctionDeclaration = {
  path: 'double',
  public: true,
  span: SPAN,
  parameters: [{ name: 'x', type: INT }],
  result: INT,
  body: arithmetic('*', v('x'), int(2)),
};

const world: FunctionDeclaration = { ...double, path: 'world', body: { op: 'extern' } };
const odd = { ...double, path: 'odd', body: { op: 'quantum' } } as unknown as FunctionDeclaration;

function leases(): View {
  return storeOfLeases().view();
}

function storeOfLeases(): FactStore {
  const program = loadProgram(
    artifact({
      functions: [double, world, odd],
      schema: {
        concepts: [concept('Lease', { code: TEXT, rent: optional(DECIMAL) })],
        relations: [relation('next', LEASE, LEASE)],
      },
    }),
  );
  const store = new FactStore(program, new Interner(program));
  const transaction = store.begin();
  const { interner } = store;
  for (const [id, code, rent] of [
    ['#i1', 'L1', '900'],
    ['#i2', 'L2', '12.50'],
    ['#i3', 'L3', null],
  ] as const) {
    const lease = interner.encode(LEASE, id);
    transaction.insert('Lease', [lease]);
    transaction.insert('Lease.code', [lease, interner.encode(TEXT, code)]);
    if (rent !== null) transaction.insert('Lease.rent', [lease, interner.encode(DECIMAL, parseDecimal(rent) ?? null)]);
  }
  transaction.insert('next', [1, 2]);
  transaction.commit();
  return store;
}

async function evaluate(
  expression: Expression,
  bound: Bindings = {},
  context: Bare<Value> = bareRecord(),
): Promise<Value> {
  return evaluateExpression(leases(), expression, bound, { context }, noDeadline);
}

async function all(
  view: View,
  literals: Parameters<typeof condition>[0],
  types: Parameters<typeof condition>[1],
  bound: Bindings = {},
) {
  return solved(view, condition(literals, types, Object.keys(bound)), bound);
}

async function solved(view: View, goal: Goal, bound: Bindings = {}) {
  const found: object[] = [];
  for await (const batch of solve(view, goal, bound, {}, noDeadline)) {
    found.push(...batch.map((solution) => ({ ...solution })));
  }
  return found;
}

const over = [atom('Lease', 'l')];
const rents = (name: 'sum' | 'min' | 'avg' | 'list', result = DECIMAL): Expression =>
  aggregate(name, field('Lease.rent', v('l')), ['l'], condition(over, { l: LEASE }), result);

describe('conditions', () => {
  it('yield distinct solutions with outer variables bound', async () => {
    const bound: Bindings = { least: { type: DECIMAL, value: parseDecimal('100') ?? null } };
    const dear = test(compare('>=', field('Lease.rent', v('l')), v('least'), DECIMAL));
    expect(await all(leases(), [atom('Lease', 'l'), dear], { l: LEASE }, bound)).toEqual([{ l: '#i1' }]);
    expect(await all(leases(), [atom('Lease', '_'), atom('Lease', 'l')], { l: LEASE })).toHaveLength(3);
  });

  it('merge solutions that agree in all variables that are read', async () => {
    const range: Expression = { op: 'range', from: int(0), to: int(3) };
    const counted = condition([atom('next', 'l', '_'), each('n', range)], { l: LEASE });
    const found = (...read: string[]) => solved(leases(), goalFor(counted, read.map(v)));
    expect(await found('n', 'l')).toHaveLength(3);
    expect(await found('l')).toEqual([{ l: '#i1' }]);
    expect(await found()).toEqual([{}]);
  });

  it('range over a list parameter', async () => {
    const bound: Bindings = { numbers: { type: { kind: 'list', of: INT }, value: [3, 1, 3] } };
    expect(await all(leases(), [each('n', v('numbers'))], {}, bound)).toEqual([{ n: 3 }, { n: 1 }]);
  });

  it('return the first solution, or undefined without one', async () => {
    expect(await firstSolution(leases(), condition(over, { l: LEASE }), {}, {}, noDeadline)).toMatchObject({
      l: '#i1',
    });
    const nothing = condition([...over, test(compare('==', field('Lease.code', v('l')), constant(TEXT, 'L9'), TEXT))], {
      l: LEASE,
    });
    expect(await firstSolution(leases(), nothing, {}, {}, noDeadline)).toBeUndefined();
  });

  it('serve several searches at once, each with its own outer variables', async () => {
    const store = storeOfLeases();
    const own = condition([...over, test(compare('==', field('Lease.code', v('l')), v('code'), TEXT))], { l: LEASE }, [
      'code',
    ]);
    const searchFor = (code: string) =>
      solveAtOnce(
        store.view(),
        own,
        { code: { type: TEXT, value: code } },
        {},
        { checkpoint: () => Promise.resolve() },
      );
    const found: Record<string, unknown[]> = { L1: [], L2: [], L9: [] };
    const searches = Object.entries(found).map(([code, rows]) => ({ rows, work: searchFor(code) }));
    // Steps all searches in turn, twice, so that finished searches are reused.
    for (const all of [searches, Object.entries(found).map(([code, rows]) => ({ rows, work: searchFor(code) }))]) {
      for (let going = all.length; going > 0; ) {
        for (const { rows, work } of all) {
          const step = work.next();
          if (step.done === true) going -= 1;
          else if (!(step.value instanceof Promise)) rows.push(...step.value.map((solution) => solution['l']));
        }
      }
    }
    expect(found).toEqual({ L1: ['#i1', '#i1'], L2: ['#i2', '#i2'], L9: [] });
  });

  it('are solved in the state of the view, not in an earlier one', async () => {
    const store = storeOfLeases();
    const everyone = condition(over, { l: LEASE });
    const rows = async () => {
      const found: Value[] = [];
      for await (const batch of solve(store.view(), everyone, {}, {}, noDeadline))
        found.push(...batch.map(({ l = null }) => l));
      return found;
    };
    expect(await rows()).toEqual(['#i1', '#i2', '#i3']);
    const transaction = store.begin();
    transaction.delete('Lease', [2]);
    transaction.insert('Lease', [7]);
    expect(await rows()).toEqual(['#i1', '#i2', '#i3']);
    transaction.commit();
    expect(await rows()).toEqual(['#i1', '#i3', '#i7']);
    const undone = store.begin();
    undone.insert('Lease', [8]);
    undone.rollback();
    expect(await rows()).toEqual(['#i1', '#i3', '#i7']);
  });

  it('accept values that occur in no fact, and do not keep them', async () => {
    const store = storeOfLeases();
    const codes = { type: { kind: 'list', of: TEXT }, value: [] } as const;
    const own = condition([each('c', v('codes')), atom('Lease.code', 'l', 'c')], { l: LEASE, c: TEXT }, ['codes']);
    const search = async (...value: string[]) => {
      const found: Value[] = [];
      for await (const batch of solve(store.view(), own, { codes: { ...codes, value } }, {}, noDeadline))
        found.push(...batch.map(({ l = null }) => l));
      return found;
    };
    const before = [...store.interner.texts];
    // More than a search on one state may hold.
    for (let time = 0; time < 3; time++) expect(await search('L9', `${time}`.repeat(300_000), 'L1')).toEqual(['#i1']);
    expect(store.interner.texts).toEqual(before);
    const transaction = store.begin();
    transaction.insert('Lease', [9]);
    transaction.insert('Lease.code', [9, store.interner.encode(TEXT, 'L9')]);
    expect(await search('L9')).toEqual([]);
    transaction.commit();
    expect(await search('L9')).toEqual(['#i9']);
  });

  it('treat an absent operand of a comparison as false', async () => {
    const cheap = test(compare('<', field('Lease.rent', v('l')), constant(DECIMAL, '100'), DECIMAL));
    expect(await all(leases(), [...over, cheap], { l: LEASE })).toEqual([{ l: '#i2' }]);
    const notCheap = test({ op: 'not', operand: cheap.op === 'test' ? cheap.condition : int(0) });
    expect(await all(leases(), [...over, notCheap], { l: LEASE })).toEqual([{ l: '#i1' }, { l: '#i3' }]);
  });
});

describe('expressions outside rules', () => {
  it('aggregate, skipping absent values', async () => {
    expect(String(await evaluate(rents('sum')))).toBe('912.5');
    expect(String(await evaluate(rents('avg')))).toBe('456.25');
    expect(((await evaluate(rents('list', { kind: 'list', of: DECIMAL }))) as Value[]).map(String)).toEqual([
      '12.5',
      '900',
    ]);
  });

  it('fault for the minimum of no values, unless an absent value is accepted', async () => {
    const none = condition([atom('next', 'l', 'l')], { l: LEASE });
    const least = (result = DECIMAL): Expression => aggregate('min', field('Lease.rent', v('l')), ['l'], none, result);
    await expect(evaluate(least())).rejects.toMatchObject({
      kind: 'fault',
      message: 'min of nothing, where a value is needed',
    });
    expect(await evaluate(least(optional(DECIMAL)))).toBeNull();
    expect(String(await evaluate({ op: 'coalesce', left: least(), right: constant(DECIMAL, '0') }))).toBe('0');
  });

  it('read fields of bound individuals and the context', async () => {
    const l: Bindings = { l: { type: LEASE, value: '#i3' } };
    expect(await evaluate(field('Lease.code', v('l')), l)).toBe('L3');
    expect(await evaluate(field('Lease.rent', v('l')), l)).toBeNull();
    const context = withMember<Value>(bareRecord(), 'user', 'ada');
    expect(await evaluate({ op: 'context', name: 'user', type: TEXT }, {}, context)).toBe('ada');
  });

  it('print nothing for an absent part of a message', async () => {
    const rent: Expression = {
      op: 'builtIn',
      name: 'text',
      types: [DECIMAL],
      args: [field('Lease.rent', v('l'))],
      result: TEXT,
      span: SPAN,
    };
    const message: Expression = { op: 'concat', operands: [field('Lease.code', v('l')), constant(TEXT, ': '), rent] };
    const say = (id: string): Promise<string> =>
      evaluateMessage(leases(), message, { l: { type: LEASE, value: id } }, {}, noDeadline);
    expect(await say('#i2')).toBe('L2: 12.5');
    expect(await say('#i3')).toBe('L3: ');
  });

  it('call functions, and name one that cannot be called', async () => {
    const { program } = leases();
    const call = (path: string, arg: number) => callFunction(program, path, [arg], noDeadline);
    expect(await call('double', 21)).toBe(42);
    const overflow = { kind: 'fault', path: 'double', message: 'Int overflow' };
    await expect(call('double', 2 ** 52)).rejects.toMatchObject(overflow);
    await expect(call('world', 1)).rejects.toMatchObject({ kind: 'extern', path: 'world' });
    await expect(call('odd', 1)).rejects.toMatchObject({ kind: 'undecodable', path: 'odd' });
  });

  it('evaluate refinements without facts', () => {
    const positive = compare('>', v('value'), constant(DECIMAL, '0'), DECIMAL);
    const holds = (text: string): Value =>
      evaluatePure(leases().program, positive, { value: { type: DECIMAL, value: parseDecimal(text) ?? null } });
    expect([holds('0.01'), holds('0'), holds('-1')]).toEqual([true, false, false]);
    expect(decimalText(parseDecimal('1e3') ?? (null as never))).toBe('1000');
  });
});

import { describe, expect, it } from 'vitest';
import type { Expression, RuleDeclaration } from '../../artifact/types.js';
import { DeadlineExceeded, noDeadline } from '../../base/ports.js';
import { loadProgram } from '../program/program.js';
import { FactStore } from '../store/store.js';
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
  test,
  v,
} from '../testing/ir.js';
import { Interner } from '../values/codec.js';
import { project } from './projection.js';

const PATH = rule(
  'path',
  [INT, INT],
  [clause(['x', 'y'], [atom('edge', 'x', 'y')]), clause(['x', 'z'], [atom('path', 'x', 'y'), atom('edge', 'y', 'z')])],
);
const LOOP = rule('loop', [INT], [clause(['x'], [atom('path', 'x', 'x')])]);
const still = { now: () => 0 };

function storeOf(rules: readonly RuleDeclaration[], edges: readonly (readonly [number, number])[]): FactStore {
  const program = loadProgram(artifact({ rules, schema: { relations: [relation('edge', INT, INT)] } }));
  const store = new FactStore(program, new Interner(program));
  const transaction = store.begin();
  for (const edge of edges) transaction.insert('edge', edge);
  transaction.commit();
  return store;
}

function chainOfEdges(count: number): [number, number][] {
  return Array.from({ length: count }, (_, index) => [index + 1, index + 2]);
}

/** 1 → 2 → 3 → 4. */
function chainOf(rules: readonly RuleDeclaration[]): FactStore {
  return storeOf(rules, chainOfEdges(3));
}

function chain(): FactStore {
  return chainOf([LOOP, PATH]);
}

/** Edges from each of two nodes to each of the next two, this many times. */
function diamonds(count: number): FactStore {
  const edges = Array.from({ length: count * 4 }, (_, edge): [number, number] => {
    const first = (edge >> 2) * 2;
    return [first + (edge & 1), first + 2 + ((edge >> 1) & 1)];
  });
  return storeOf([LOOP, PATH], edges);
}

describe('a projection', () => {
  it('joins by each operand of a disjunction over many rows, and tests every pair of few rows', async () => {
    const either: Expression = { op: 'or', operands: [compare('==', v('y'), v('z')), compare('==', v('x'), v('w'))] };
    const meet = rule(
      'meet',
      [INT, INT],
      [clause(['x', 'z'], [atom('edge', 'x', 'y'), atom('edge', 'z', 'w'), test(either)])],
    );
    const ordersOf = async (count: number): Promise<readonly string[] | undefined> => {
      const { clauses } = await project(storeOf([meet], chainOfEdges(count)).view(), still, noDeadline);
      return clauses[0]?.joinOrders;
    };
    expect(await ordersOf(3)).toEqual(['edge by scan → edge by scan']);
    expect(await ordersOf(100)).toEqual([
      '(edge by scan → edge by index on e0) or (edge by scan → edge by index on e1)',
    ]);
  });

  it('counts the facts of every rule, lower strata first, and the rounds that added facts', async () => {
    const { facts, strata } = await project(chain().view(), still, noDeadline);
    expect([...facts]).toEqual([
      ['path', 6],
      ['loop', 0],
    ]);
    expect(strata.map(({ relations, recursive, rounds }) => ({ relations, recursive, rounds }))).toEqual([
      { relations: ['path'], recursive: true, rounds: 3 },
      { relations: ['loop'], recursive: false, rounds: 0 },
    ]);
  });

  it('traces the facts that each clause added per round, and its join order', async () => {
    const { trace } = await project(chain().view(), still, noDeadline);
    const path = trace.filter(({ rule }) => rule === 'path');
    expect(path.map(({ round, clause, newFacts }) => [round, clause, newFacts])).toEqual([
      [1, 0, 3],
      [2, 1, 2],
      [3, 1, 1],
      [4, 1, 0],
    ]);
    expect(path[1]?.joinOrder).toBe('path (new) by scan → edge by index on e0');
  });

  it('counts heads, repeated ones included, and visited rows', async () => {
    const { clauses, trace } = await project(diamonds(3).view(), still, noDeadline);
    // From each node of a diamond two edges lead to the next two, so everything further is found twice.
    const of = clauses.map(({ rule, clause, heads, newFacts, rowsVisited }) => [
      rule,
      clause,
      heads,
      newFacts,
      rowsVisited,
    ]);
    expect(of).toEqual([
      ['path', 1, 16 + 8, 12, 24 + 16 + 8],
      ['loop', 0, 0, 0, 24],
      ['path', 0, 12, 12, 12],
    ]);
    expect(trace.filter(({ rule }) => rule === 'path').map(({ heads }) => heads)).toEqual([12, 16, 8, 0]);
  });

  it('visits one match of a join if the head uses none of its values', async () => {
    const passed = rule('passed', [INT], [clause(['x'], [atom('edge', 'x', 'y'), atom('edge', 'y', 'z')])]);
    const edges: [number, number][] = [
      [0, 1],
      [1, 2],
      [1, 3],
      [1, 4],
      [1, 5],
    ];
    const { clauses } = await project(storeOf([passed], edges).view(), still, noDeadline);
    expect(clauses.map(({ heads, rowsVisited }) => [heads, rowsVisited])).toEqual([[1, 5 + 1]]);
  });

  it('shows the actual join order, also in aggregates and for two joins over one index', async () => {
    const far = rule(
      'far',
      [INT, INT],
      [
        clause(
          ['x', 'n'],
          [
            bind('n', aggregate('count', null, ['y'], condition([atom('edge', 'x', 'y')], {}, ['x']))),
            atom('edge', 'x', 'a'),
            atom('edge', 'a', 'b'),
            atom('edge', 'b', '_'),
            absent('edge', 'b', 'a'),
            each('i', { op: 'range', from: int(0), to: v('b') }),
          ],
        ),
      ],
    );
    const { clauses } = await project(chainOf([far]).view(), still, noDeadline);
    expect(clauses[0]?.joinOrders).toEqual([
      'edge by scan → count of (edge by index on e0) → edge by index on e0 → not edge by index on e0, e1 → edge by index on e0 → each i',
    ]);
  });

  it('finds the rows of an equality by its known side, even if only one side can come first', async () => {
    const [a, b] = [v('a'), v('b')];
    const edges = [atom('edge', 'x', 'a'), atom('edge', 'y', 'b')];
    const next = arithmetic('+', a, int(1));
    const rules = [
      rule('same', [INT, INT], [clause(['x', 'y'], [...edges, test(compare('==', a, b))])]),
      rule('after', [INT, INT], [clause(['x', 'y'], [...edges.toReversed(), test(compare('==', next, b))])]),
      rule('from', [INT], [clause(['a'], [atom('edge', 'x', 'a'), test(compare('==', v('x'), int(2)))])]),
    ];
    const joined = await project(storeOf(rules, chainOfEdges(100)).view(), still, noDeadline);
    const of = joined.clauses.map(({ rule, newFacts, rowsVisited, joinOrders }) => [
      rule,
      newFacts,
      rowsVisited,
      ...joinOrders,
    ]);
    expect(of.sort()).toEqual([
      ['after', 99, 199, 'edge by scan → edge by index on e1'],
      ['from', 1, 1, 'edge by index on e0'],
      ['same', 100, 200, 'edge by scan → edge by index on e1'],
    ]);
  });

  it('truncates a long trace, reports that, and counts all rounds', async () => {
    const { trace, traceCut, strata, clauses } = await project(chain().view(), still, noDeadline, { traceMax: 2 });
    expect([trace.length, traceCut]).toEqual([2, true]);
    expect(strata.map(({ rounds }) => rounds)).toEqual([3, 0]);
    expect(clauses.find(({ rule, clause }) => rule === 'path' && clause === 1)).toMatchObject({ runs: 3, newFacts: 3 });
    expect(await project(chain().view(), still, noDeadline, { traceMax: 5 })).toMatchObject({ traceCut: false });
  });

  it('times each clause by the given clock, and lists the slowest first', async () => {
    let now = 0;
    const { clauses } = await project(chain().view(), { now: () => now++ }, noDeadline);
    expect(clauses.map(({ rule, clause, runs, ms }) => [rule, clause, runs, ms])).toEqual([
      ['path', 1, 3, 3],
      ['loop', 0, 1, 1],
      ['path', 0, 1, 1],
    ]);
  });

  it('names the rule that exceeded the deadline', async () => {
    const over = {
      checkpoint: () => {
        throw new DeadlineExceeded(5);
      },
    };
    await expect(project(chain().view(), still, over)).rejects.toMatchObject({ rule: 'path', budgetMs: 5 });
  });
});

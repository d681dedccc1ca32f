/** Profiles of queries: the search, and the rules that are re-evaluated for it. */

import { expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { withRule } from '../explain/temporary.js';
import { goalFor } from '../plan/goal.js';
import { loadProgram } from '../program/program.js';
import { FactStore } from '../store/store.js';
import { aggregate, artifact, atom, clause, condition, INT, relation, rule, v } from '../testing/ir.js';
import { Interner } from '../values/codec.js';
import { profileGoal, profileRule } from './profile.js';

const PATH = rule(
  'path',
  [INT, INT],
  [clause(['x', 'y'], [atom('edge', 'x', 'y')]), clause(['x', 'z'], [atom('path', 'x', 'y'), atom('edge', 'y', 'z')])],
);
const UNREAD = rule('unread', [INT], [clause(['x'], [atom('edge', 'x', '_')])]);
const still = { now: () => 0 };
const options = { stopwatch: still, deadline: noDeadline };

/** 1 → 2 → 3 → 4. */
function chain() {
  const program = loadProgram(artifact({ rules: [PATH, UNREAD], schema: { relations: [relation('edge', INT, INT)] } }));
  const store = new FactStore(program, new Interner(program));
  const transaction = store.begin();
  for (const from of [1, 2, 3]) transaction.insert('edge', [from, from + 1]);
  transaction.commit();
  return { program, view: store.view() };
}

it('shows the join order of a query, the visited rows, and the cost of its rules', async () => {
  const { view } = chain();
  const goal = goalFor(condition([atom('path', 'from', 'y')], { y: INT }, ['from']), [v('y')]);
  const bound = { from: { type: INT, value: 2 } };
  const { search, strata, clauses } = await profileGoal(view, { goal, beside: [] }, bound, {}, options);
  expect(search).toEqual({ ms: 0, rowsVisited: 2, matches: 2, joinOrder: 'path by index on p0' });
  expect(strata.map(({ relations, facts }) => [relations, facts])).toEqual([[['path'], 6]]);
  expect(clauses.map(({ rule, clause: number, newFacts }) => [rule, number, newFacts])).toEqual([
    ['path', 1, 3],
    ['path', 0, 3],
  ]);
});

it('shows the visited rows of a single value, without matches', async () => {
  const { view } = chain();
  const value = aggregate('count', null, ['x', 'y'], condition([atom('edge', 'x', 'y')], { x: INT, y: INT }));
  const { search } = await profileGoal(view, { value }, {}, {}, options);
  expect(search).toEqual({ ms: 0, rowsVisited: 3, matches: undefined, joinOrder: 'count of (edge by scan)' });
});

it('shows the cost of a temporary rule and of the rules that it reads', async () => {
  const { program, view } = chain();
  const far = rule('far', [INT], [clause(['x'], [atom('path', 'x', 'y'), atom('path', 'y', 'z')])]);
  const { search, clauses } = await profileRule(view, withRule(program, far), far, options);
  expect(search).toBeUndefined();
  expect(new Set(clauses.map(({ rule: path }) => path))).toEqual(new Set(['far', 'path']));
});

import { describe, expect, it } from 'vitest';
import { DeadlineExceeded, unhurried } from '../base/ports.js';
import { loadProgram } from './program.js';
import { project } from './projection.js';
import { FactStore } from './store.js';
import { artifact, atom, clause, INT, relation, rule } from './testing/ir.js';
import { Interner } from './values/codec.js';

const PATH = rule(
  'path',
  [INT, INT],
  [clause(['x', 'y'], [atom('edge', 'x', 'y')]), clause(['x', 'z'], [atom('path', 'x', 'y'), atom('edge', 'y', 'z')])],
);
const LOOP = rule('loop', [INT], [clause(['x'], [atom('path', 'x', 'x')])]);
const still = { now: () => 0 };

/** 1 → 2 → 3 → 4. */
function chain(): FactStore {
  const program = loadProgram(artifact({ rules: [LOOP, PATH], schema: { relations: [relation('edge', INT, INT)] } }));
  const store = new FactStore(program, new Interner(program));
  const transaction = store.begin();
  for (const from of [1, 2, 3]) transaction.insert('edge', [from, from + 1]);
  transaction.commit();
  return store;
}

describe('a projection', () => {
  it('counts the facts of every rule, lower strata first, and the rounds that added some', async () => {
    const { facts, strata } = await project(chain().view(), still, unhurried);
    expect([...facts]).toEqual([
      ['path', 6],
      ['loop', 0],
    ]);
    expect(strata.map(({ relations, recursive, rounds }) => ({ relations, recursive, rounds }))).toEqual([
      { relations: ['path'], recursive: true, rounds: 3 },
      { relations: ['loop'], recursive: false, rounds: 0 },
    ]);
  });

  it('traces what each clause added in which round, and how its plan joins', async () => {
    const { trace } = await project(chain().view(), still, unhurried);
    const path = trace.filter(({ rule }) => rule === 'path');
    expect(path.map(({ round, clause, newFacts }) => [round, clause, newFacts])).toEqual([
      [1, 0, 3],
      [2, 1, 2],
      [3, 1, 1],
      [4, 1, 0],
    ]);
    expect(path[1]?.joinOrder).toMatch(/^path \(new\) by scan → edge by index on /);
  });

  it('times each clause by the clock it is given, and has the slowest first', async () => {
    let now = 0;
    const { clauses } = await project(chain().view(), { now: () => now++ }, unhurried);
    expect(clauses.map(({ rule, clause, runs, ms }) => [rule, clause, runs, ms])).toEqual([
      ['path', 1, 3, 3],
      ['path', 0, 1, 1],
      ['loop', 0, 1, 1],
    ]);
  });

  it('names the rule that the time ran out in', async () => {
    const over = {
      poll: () => {
        throw new DeadlineExceeded(5);
      },
    };
    await expect(project(chain().view(), still, over)).rejects.toMatchObject({ rule: 'path', budgetMs: 5 });
  });
});

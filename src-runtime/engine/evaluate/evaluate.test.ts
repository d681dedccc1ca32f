import { describe, expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
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
  INT,
  int,
  relation,
  rule,
  test,
  v,
} from '../testing/ir.js';
import { Interner } from '../values/codec.js';

function storeOf(
  rules: ReturnType<typeof rule>[],
  facts: Record<string, number[][]>,
  options?: { factsMax?: number },
): FactStore {
  const relations = Object.entries(facts).map(([path, rows]) => relation(path, ...(rows[0] ?? [0, 0]).map(() => INT)));
  const program = loadProgram(artifact({ rules, schema: { relations } }));
  const store = new FactStore(program, new Interner(program), options);
  const transaction = store.begin();
  for (const [path, rows] of Object.entries(facts)) for (const row of rows) transaction.insert(path, row);
  transaction.commit();
  return store;
}

async function factsOf(store: FactStore, path: string): Promise<string[]> {
  const view = store.view();
  const reader = await view.materialise(path, noDeadline);
  const facts = [...reader.rows()].map((row) => row.join(',')).sort();
  view.release();
  return facts;
}

const PATH = rule(
  'path',
  [INT, INT],
  [clause(['x', 'y'], [atom('edge', 'x', 'y')]), clause(['x', 'z'], [atom('path', 'x', 'y'), atom('edge', 'y', 'z')])],
);

const QUOTIENT = arithmetic('div', int(10), v('y'));

describe('evaluation', () => {
  it('computes a transitive closure', async () => {
    const store = storeOf([PATH], {
      edge: [
        [1, 2],
        [2, 3],
        [3, 1],
        [4, 4],
      ],
    });
    expect(await factsOf(store, 'path')).toEqual([
      '1,1',
      '1,2',
      '1,3',
      '2,1',
      '2,2',
      '2,3',
      '3,1',
      '3,2',
      '3,3',
      '4,4',
    ]);
  });

  it('negates and aggregates over lower strata', async () => {
    const unreached = rule(
      'unreached',
      [INT, INT],
      [clause(['x', 'y'], [atom('edge', 'x', '_'), atom('edge', '_', 'y'), absent('path', 'x', 'y')])],
    );
    const reach = rule(
      'reach',
      [INT, INT],
      [
        clause(
          ['x', 'n'],
          [
            atom('edge', 'x', '_'),
            bind('n', aggregate('count', null, ['y'], condition([atom('path', 'x', 'y')], {}, ['x']))),
          ],
        ),
      ],
    );
    const store = storeOf([PATH, unreached, reach], {
      edge: [
        [1, 2],
        [2, 3],
      ],
    });
    expect(await factsOf(store, 'unreached')).toEqual(['2,2']);
    expect(await factsOf(store, 'reach')).toEqual(['1,2', '2,1']);
  });

  it('aggregates distinct rows by group, for any sizes, signs and sums', async () => {
    const inGroup = condition([atom('item', 'g', 'h', '_', 'a')], {}, ['g', 'h']);
    const totals = rule(
      'totals',
      [INT, INT, INT, INT],
      [
        clause(
          ['g', 'h', 'n', 't'],
          [
            atom('item', 'g', 'h', '_', '_'),
            bind('n', aggregate('count', null, ['a'], inGroup)),
            bind('t', aggregate('sum', v('a'), ['a'], inGroup)),
          ],
        ),
      ],
    );
    const most = Number.MAX_SAFE_INTEGER;
    const program = loadProgram(
      artifact({ rules: [totals], schema: { relations: [relation('item', INT, INT, INT, INT)] } }),
    );
    const interner = new Interner(program);
    const large = new FactStore(program, interner);
    const transaction = large.begin();
    const add = (...row: number[]) =>
      transaction.insert(
        'item',
        row.map((value) => interner.encodeInt(value)),
      );
    for (let id = 0; id < 3000; id++) add(1, 1, id, id % 1000);
    for (const [id, amount] of [5, 5, -7].entries()) add(1, -1, id, amount);
    // Intermediate sums overflow, the last one does not.
    for (const [id, amount] of [most, most - 1, -most, -2].entries()) add(-1, 1, id, amount);
    transaction.commit();
    const reader = await large.view().materialise('totals', noDeadline);
    const found = [...reader.rows()].map((row) => row.map((code) => interner.decodeInt(code)).join());
    expect(found.sort()).toEqual([`-1,1,4,${most - 3}`, '1,-1,2,-2', '1,1,1000,499500']);
  });

  it('stops a rule at its fact budget and names it', async () => {
    const numbers = rule(
      'numbers',
      [INT],
      [
        clause(['x'], [atom('seed', 'x')]),
        clause(['y'], [atom('numbers', 'x'), bind('y', arithmetic('+', v('x'), int(1)))]),
      ],
    );
    const store = storeOf([numbers], { seed: [[1]] }, { factsMax: 1000 });
    await expect(factsOf(store, 'numbers')).rejects.toMatchObject({ kind: 'factBudget', path: 'numbers' });
  });

  it('faults only for a binding that satisfies everything else', async () => {
    const share = rule(
      'share',
      [INT, INT],
      [clause(['x', 'q'], [bind('q', arithmetic('div', int(10), v('x'))), atom('number', 'x'), absent('skip', 'x')])],
    );
    expect(await factsOf(storeOf([share], { number: [[0], [5]], skip: [[0]] }), 'share')).toEqual(['5,2']);
    await expect(factsOf(storeOf([share], { number: [[0], [5]], skip: [[5]] }), 'share')).rejects.toMatchObject({
      kind: 'fault',
      path: 'share',
      clause: 0,
      message: 'division by zero',
    });
  });

  it('faults in an equality only if it would have found rows', async () => {
    const body = [
      atom('number', 'x', '_'),
      atom('part', 'y'),
      test(compare('==', v('x'), QUOTIENT)),
      absent('skip', 'y'),
    ];
    const equal = rule('equal', [INT, INT], [clause(['x', 'y'], body)]);
    const facts = async (number: number[][], skip: number): Promise<string[]> =>
      factsOf(storeOf([equal], { number, part: [[0], [5]], skip: [[skip]] }), 'equal');
    expect(await facts([[2, 2]], 0)).toEqual(['2,5']);
    expect(await facts([], 1)).toEqual([]);
    await expect(facts([[2, 2]], 1)).rejects.toMatchObject({ message: 'division by zero', bindings: { x: 2, y: 0 } });
  });

  it('drops a fault if a later independent test fails', async () => {
    const pick = rule(
      'pick',
      [INT],
      [
        clause(
          ['x'],
          [
            atom('number', 'x'),
            test(compare('>', arithmetic('div', int(10), v('x')), int(1))),
            test(compare('>', arithmetic('+', v('x'), int(0)), int(0))),
          ],
        ),
      ],
    );
    expect(await factsOf(storeOf([pick], { number: [[0], [5], [10]] }), 'pick')).toEqual(['5']);
  });

  it('derives the closure of a chain of 1000', async () => {
    const edges = Array.from({ length: 999 }, (_, index) => [index, index + 1]);
    const store = storeOf([PATH], { edge: edges });
    const view = store.view();
    expect((await view.materialise('path', noDeadline)).size).toBe(499_500);
  });
});

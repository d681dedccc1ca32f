/** `least` and `greatest` values: types, order of evaluation, groups, and values without end. */

import { describe, expect, it } from 'vitest';
import type { Json, Keeps, Type } from '../../artifact/types.js';
import { type Deadline, DeadlineExceeded, noDeadline } from '../../base/ports.js';
import { loadProgram } from '../program/program.js';
import { FactStore } from '../store/store.js';
import {
  arithmetic,
  artifact,
  atom,
  bind,
  clause,
  DATE,
  DATE_TIME,
  DECIMAL,
  INT,
  int,
  relation,
  rule,
  TEXT,
  v,
} from '../testing/ir.js';
import { encode } from '../testing/random-store.js';
import { Interner } from '../values/codec.js';
import { toWire } from '../values/wire.js';

/** The distances from and to every node, kept least or greatest, over weighted edges. */
function distances(keeps: Keeps, type: Type = INT) {
  const sum = type === DECIMAL ? arithmetic('+', v('d'), v('w'), 'Decimal') : arithmetic('+', v('d'), v('w'));
  const types = { d: type, w: type, k: type };
  return rule(
    'dist',
    [INT, INT, type],
    [
      clause(['x', 'y', 'w'], [atom('edge', 'x', 'y', 'w')], types),
      clause(['x', 'z', 'k'], [atom('dist', 'x', 'y', 'd'), atom('edge', 'y', 'z', 'w'), bind('k', sum)], types),
    ],
    keeps,
  );
}

/** Each value derives a better one. */
const FALLING = rule(
  'kept',
  [INT],
  [clause(['x'], [atom('edge', 'x')]), clause(['y'], [atom('kept', 'x'), bind('y', arithmetic('+', v('x'), int(-1)))])],
  'least',
);

async function derive(
  rules: ReturnType<typeof rule>[],
  types: readonly Type[],
  edges: readonly (readonly Json[])[],
  factsMax = 1_000_000,
  deadline = noDeadline,
): Promise<string[]> {
  const program = loadProgram(artifact({ rules, schema: { relations: [relation('edge', ...types)] } }));
  const store = new FactStore(program, new Interner(program), { factsMax });
  const transaction = store.begin();
  for (const edge of edges) transaction.insert('edge', encode(transaction.view, 'edge', edge));
  transaction.commit();
  const view = store.view();
  const [path = ''] = rules.map((each) => each.path);
  const reader = await view.materialise(path, deadline);
  return [...reader.rows()]
    .map((row) =>
      reader.info.endpoints
        .map(({ type }, column) => toWire(type, view.interner.decode(type, row[column] ?? 0)))
        .join(' '),
    )
    .sort();
}

describe('kept values', () => {
  it('are the least of all derivations, through a cycle', async () => {
    const edges = [
      [1, 2, 5],
      [2, 3, 1],
      [1, 3, 9],
      [3, 1, 0],
    ];
    expect(await derive([distances('least')], [INT, INT, INT], edges)).toEqual(
      ['1 1 6', '1 2 5', '1 3 6', '2 1 1', '2 2 6', '2 3 1', '3 1 0', '3 2 5', '3 3 6'].sort(),
    );
  });

  it('are the greatest where every derivation adds to them, on thousands of steps', async () => {
    const edges = Array.from({ length: 2000 }, (_, index) => [
      [index, index + 1, 1],
      [index, index + 2, index % 3],
    ]).flat();
    const found = await derive([distances('greatest')], [INT, INT, INT], edges.slice(0, 400));
    expect(found).toContain('0 200 200');
    expect(found.length).toBe((201 * 200) / 2 + 200);
  });

  it('follow the order of a Decimal, which is not that of its code', async () => {
    const edges = [
      [1, 2, '10'],
      [1, 3, '2.5'],
      [3, 2, '2.25'],
    ];
    expect(await derive([distances('least', DECIMAL)], [INT, INT, DECIMAL], edges)).toEqual([
      '1 2 4.75',
      '1 3 2.5',
      '3 2 2.25',
    ]);
  });

  it.each<[Type, Keeps, Json[], Json]>([
    [TEXT, 'least', ['b', 'ab', 'é', 'a~'], 'ab'],
    [TEXT, 'greatest', ['b', '😀', '\uffff'], '😀'],
    [DATE, 'greatest', ['2026-02-01', '1969-12-31', '2026-01-31'], '2026-02-01'],
    [DATE_TIME, 'least', ['2026-01-31T10:00:00.000Z', '1969-12-31T00:00:00.000Z'], '1969-12-31T00:00:00.000Z'],
    [INT, 'least', [3, 9_007_199_254_740_991, -9_007_199_254_740_991, -4], -9_007_199_254_740_991],
    [INT, 'greatest', [3, 9_007_199_254_740_991, 9_007_199_254_740_990], 9_007_199_254_740_991],
    [DECIMAL, 'greatest', ['9007199254740993', '9007199254740992.5'], '9007199254740993'],
  ])('has one group if it is the only parameter: %o %s', async (type, keeps, values, expected) => {
    const kept = rule('kept', [type], [clause(['x'], [atom('edge', '_', 'x')], { x: type })], keeps);
    expect(
      await derive(
        [kept],
        [INT, type],
        values.map((value, index) => [index, value]),
      ),
    ).toEqual([String(expected)]);
  });

  it('end at the deadline, which names the rule', async () => {
    const deadline: Deadline = {
      checkpoint: () => {
        throw new DeadlineExceeded(1);
      },
    };
    await expect(derive([FALLING], [INT], [[0]], 1_000_000, deadline)).rejects.toMatchObject({
      rule: 'kept',
      mayBeEndless: true,
    });
  });

  it('end at the fact budget if they get better without end, and say so', async () => {
    await expect(derive([FALLING], [INT], [[0]], 500)).rejects.toThrow(
      'kept derives more than 500 values, each better than the one before: they may get better without end',
    );
  });
});

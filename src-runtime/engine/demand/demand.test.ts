import { describe, expect, it } from 'vitest';
import type { Literal, RuleDeclaration, Type } from '../../artifact/types.js';
import { noDeadline } from '../../base/ports.js';
import { explain } from '../explain/explain.js';
import { suggest } from '../explain/suggest.js';
import { loadProgram } from '../program/program.js';
import { evaluateExpression, solve } from '../store/solve.js';
import { FactStore, type FactStoreOptions } from '../store/store.js';
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
import { PATH } from '../testing/path-store.js';
import { Interner } from '../values/codec.js';

const UP = rule(
  'up',
  [INT, INT],
  [clause(['x', 'y'], [atom('edge', 'x', 'y')]), clause(['x', 'z'], [atom('edge', 'x', 'y'), atom('up', 'y', 'z')])],
);

const SAME = rule(
  'same',
  [INT, INT],
  [
    clause(['x', 'y'], [atom('edge', 'p', 'x'), atom('edge', 'p', 'y')]),
    clause(['x', 'y'], [atom('edge', 'p', 'x'), atom('edge', 'q', 'y'), atom('same', 'p', 'q')]),
  ],
);

/** 0 → 1 → … */
function chain(length: number): [number, number][] {
  return Array.from({ length }, (_, at) => [at, at + 1]);
}

/** A store of edges with these rules. Few facts fit, so that only a part of the rules can be derived. */
function storeWith(rules: RuleDeclaration[], edges: readonly (readonly number[])[], options: FactStoreOptions = {}) {
  const program = loadProgram(artifact({ rules, schema: { relations: [relation('edge', INT, INT)] } }));
  const store = new FactStore(program, new Interner(program), options);
  const transaction = store.begin();
  for (const edge of edges) transaction.insert('edge', edge);
  transaction.commit();
  return store;
}

async function ask(
  store: FactStore,
  literals: readonly Literal[],
  given: Readonly<Record<string, number | number[]>> = {},
) {
  const goal = condition(literals, {}, Object.keys(given));
  const typeOf = (value: number | number[]): Type => (Array.isArray(value) ? { kind: 'list', of: INT } : INT);
  const bound = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, { type: typeOf(value), value }]),
  );
  const view = store.view();
  try {
    const found: string[] = [];
    for await (const batch of solve(view, goal, bound, {}, noDeadline)) {
      for (const solution of batch) found.push(Object.values(solution).join());
    }
    return found;
  } finally {
    view.release();
  }
}

const TIGHT = { factsMax: 4_000, questionCostMin: Number.POSITIVE_INFINITY };

describe('a question', () => {
  it('derives only the facts that a constant asks for', async () => {
    const store = storeWith([PATH], chain(1_000), TIGHT);
    expect(await ask(store, [atom('path', int(990), 'y')])).toHaveLength(10);
    await expect(ask(store, [atom('path', 'x', 'y')])).rejects.toThrow('more than 4000 facts');
  });

  it('passes any bound argument down a recursion', async () => {
    const store = storeWith([PATH, UP], chain(1_000), TIGHT);
    expect(await ask(store, [atom('path', 'x', 'to')], { to: 12 })).toHaveLength(12);
    expect(await ask(store, [atom('up', 'x', 'to')], { to: 12 })).toHaveLength(12);
    expect(await ask(store, [atom('up', 'from', 'to')], { from: 980, to: 990 })).toEqual(['']);
    expect(await ask(store, [atom('up', 'from', 'to')], { from: 990, to: 980 })).toEqual([]);
  });

  it('passes both arguments of the same generation', async () => {
    const tree = Array.from({ length: 4_094 }, (_, at) => [at >> 1, at + 1]);
    const store = storeWith([SAME], tree, TIGHT);
    expect(await ask(store, [atom('same', 'x', 'y')], { x: 4_000, y: 4_050 })).toEqual(['']);
    expect(await ask(store, [atom('same', 'x', 'y')], { x: 4_000, y: 40 })).toEqual([]);
  });

  it('asks for what its other conditions leave', async () => {
    const store = storeWith([PATH], chain(1_000), TIGHT);
    expect(await ask(store, [atom('edge', 'from', 'x'), atom('path', 'x', 'y')], { from: 995 })).toHaveLength(4);
  });

  it('asks for the elements of a list', async () => {
    const store = storeWith([PATH], chain(1_000), TIGHT);
    const literals = [each('x', v('from')), atom('path', 'x', 'y')];
    expect(await ask(store, literals, { from: [997, 998] })).toHaveLength(5);
    expect(await ask(store, literals, { from: [999] })).toEqual(['999,1000']);
  });

  it('asks through negation and aggregates', async () => {
    const count = aggregate('count', null, ['y'], condition([atom('path', 'x', 'y')], {}, ['x']));
    const ends = rule('ends', [INT, INT], [clause(['x', 'n'], [atom('edge', '_', 'x'), bind('n', count)])]);
    const apart = rule(
      'apart',
      [INT, INT],
      [clause(['x', 'y'], [atom('edge', 'x', '_'), atom('edge', 'y', '_'), absent('path', 'x', 'y')])],
    );
    const store = storeWith([PATH, ends, apart], chain(1_000), TIGHT);
    expect(await ask(store, [atom('ends', 'x', 'n')], { x: 990 })).toEqual(['10']);
    expect(await ask(store, [atom('apart', 'x', 'y')], { x: 998, y: 990 })).toEqual(['']);
    expect(await ask(store, [atom('apart', 'x', 'y')], { x: 990, y: 998 })).toEqual([]);
  });

  it('asks for what the constants of a rule select, though all of the rule is asked for', async () => {
    const near = rule('near', [INT], [clause(['y'], [atom('path', int(990), 'y')])]);
    const isNear = rule('isNear', [], [clause([], [atom('near', int(995))])]);
    const both = rule('both', [INT], [clause(['y'], [atom('near', 'y'), atom('edge', 'y', '_'), atom('isNear')])]);
    const store = storeWith([PATH, near, isNear, both], chain(1_000), TIGHT);
    expect(await ask(store, [atom('isNear')])).toEqual(['']);
    expect(await ask(store, [atom('both', 'y')])).toHaveLength(9);
    expect(store.view().knownSize('path')).toBeUndefined();
  });

  it('derives a rule whole if this costs little, though its constants select a part', async () => {
    const near = rule('near', [INT], [clause(['y'], [atom('path', int(90), 'y')])]);
    const store = storeWith([PATH, near], chain(100));
    expect(await ask(store, [atom('near', 'y')])).toHaveLength(10);
    expect(store.view().knownSize('path')?.size).toBe(5_050);
  });

  it('asks for what a value reads', async () => {
    const store = storeWith([PATH], chain(1_000), TIGHT);
    const count = aggregate('count', null, ['y'], condition([atom('path', 'x', 'y')], {}, ['x']));
    const value = await evaluateExpression(store.view(), count, { x: { type: INT, value: 990 } }, {}, noDeadline);
    expect(value).toBe(10);
  });

  it('leaves a rule whole if asking would make a negation cyclic', async () => {
    const odd = rule('odd', [INT], [clause(['x'], [atom('edge', 'x', 'y'), atom('even', 'y')])]);
    const even = rule(
      'even',
      [INT],
      [
        clause(['x'], [atom('edge', '_', 'x'), absent('left', 'x')]),
        clause(['x'], [atom('edge', 'x', 'y'), atom('odd', 'y'), absent('left', 'x')]),
      ],
    );
    const left = rule('left', [INT], [clause(['x'], [atom('edge', 'x', '_')])]);
    const store = storeWith([odd, even, left], chain(10));
    expect(await ask(store, [atom('even', 'x')], { x: 8 })).toEqual([]);
    expect(await ask(store, [atom('odd', 'x')], { x: 9 })).toEqual(['']);
  });

  it('does not fail for a tuple that nobody asked for', async () => {
    const share = rule(
      'share',
      [INT, INT],
      [clause(['x', 'n'], [atom('edge', 'x', 'y'), bind('n', arithmetic('div', int(12), v('y')))])],
    );
    const edges = [
      [1, 4],
      [2, 0],
    ];
    for (const options of [TIGHT, { questionCostMin: 0 }]) {
      const store = storeWith([share], edges, options);
      for (let again = 0; again < 4; again++)
        expect(await ask(store, [atom('share', 'x', 'n')], { x: 1 })).toEqual(['3']);
      await expect(ask(store, [atom('share', 'x', 'n')], { x: 2 })).rejects.toThrow('zero');
      await expect(ask(store, [atom('share', 'x', 'n')])).rejects.toThrow('zero');
    }
  });

  it('derives the whole rule if what it asks for never ends', async () => {
    const climbs = rule(
      'climbs',
      [INT],
      [
        clause(['n'], [atom('edge', 'n', 'n')]),
        clause(['n'], [atom('edge', 'n', '_'), bind('m', arithmetic('+', v('n'), int(1))), atom('climbs', 'm')]),
      ],
    );
    const counts = rule(
      'counts',
      [INT],
      [
        clause(
          ['n'],
          [
            atom('edge', 'n', '_'),
            bind('m', arithmetic('+', v('n'), int(1))),
            test(compare('>', v('m'), int(0))),
            atom('climbs', 'm'),
          ],
        ),
      ],
    );
    const store = storeWith(
      [climbs, counts],
      [
        [5, 5],
        [4, 9],
        [3, 9],
      ],
    );
    expect(await ask(store, [atom('counts', 'n')], { n: 3 })).toEqual(['']);
    expect(await ask(store, [atom('counts', 'n')], { n: 9 })).toEqual([]);
  });
});

describe('an explanation', () => {
  it('finds the lowest proof among the facts that it asks for', async () => {
    const joined = rule(
      'joined',
      [INT, INT],
      [
        clause(['x', 'y'], [atom('edge', 'x', 'y')]),
        clause(['x', 'z'], [atom('joined', 'x', 'y'), atom('joined', 'y', 'z')]),
      ],
    );
    const store = storeWith([joined], chain(32));
    const [asked, whole] = [store.view(), store.view()];
    const found = await explain(asked, 'joined', [3, 19], {}, noDeadline);
    expect(asked.knownSize('joined')).toBeUndefined();
    await whole.materialise('joined', noDeadline);
    expect(found).toEqual(await explain(whole, 'joined', [3, 19], {}, noDeadline));
    expect(found).toMatchObject({ holds: true, height: 5, minimal: true });
  });
});

describe('a why-not', () => {
  const tree = Array.from({ length: 4_094 }, (_, at) => [at >> 1, at + 1]);

  it('asks for what its premises need', async () => {
    const view = storeWith([SAME], tree, TIGHT).view();
    const found = await explain(view, 'same', [4_000, 40], {}, noDeadline);
    expect(found).toMatchObject({ holds: false, cut: true });
    const [siblings, cousins] = found.holds ? [] : found.whyNot.clauses;
    expect(siblings?.fails?.text).toBe('edge(p, y)');
    expect(cousins?.satisfied).toHaveLength(2);
    expect(cousins?.fails).toMatchObject({ text: 'same(p, q)', tuple: [1_999, 19], whyNot: { tuple: [1_999, 19] } });
    expect(view.knownSize('same')).toBeUndefined();
  });

  it('proves the derived premises that hold', async () => {
    const view = storeWith([PATH], chain(1_000), TIGHT).view();
    const found = await explain(view, 'path', [990, 2_000], {}, noDeadline);
    const [, further] = found.holds ? [] : found.whyNot.clauses;
    expect(further?.satisfied).toMatchObject([{ kind: 'derived', relation: 'path', tuple: [990, expect.anything()] }]);
    expect(further?.fails?.text).toMatch(/^edge/);
  });

  it('derives a small rule whole', async () => {
    const view = storeWith([PATH], chain(10)).view();
    expect(await explain(view, 'path', [8, 4], {}, noDeadline)).toMatchObject({ holds: false, cut: false });
    expect(view.knownSize('path')).toEqual({ size: 55, isCurrent: true });
  });
});

describe('a suggestion', () => {
  it('asks for what its guesses and their trials need', async () => {
    const tree = Array.from({ length: 4_094 }, (_, at) => [at >> 1, at + 1]);
    const view = storeWith([SAME], tree, TIGHT).view();
    const options = { isDeclared: () => false, inspect: async () => true, setsMax: 2 };
    const { sets } = await suggest(view, 'same', [4_000, 40], options, noDeadline);
    expect(sets.map(({ changes }) => changes)).toMatchObject([
      [{ op: 'insert', path: 'edge', codes: [1_999, 40] }],
      [{ op: 'insert', path: 'edge', codes: [19, 4_000] }],
    ]);
    expect(view.knownSize('same')).toBeUndefined();
  });
});

describe('many questions', () => {
  it('derive the whole rule once they have cost more than it may', async () => {
    const store = storeWith([PATH], chain(60));
    const known: boolean[] = [];
    for (let from = 59; from >= 0; from--) {
      expect(await ask(store, [atom('path', 'x', 'y')], { x: from })).toHaveLength(60 - from);
      known.push(store.view().knownSize('path') !== undefined);
    }
    expect([known[0], known.at(-1)]).toEqual([false, true]);
  });

  it('keep asking for parts of a rule that is too large', async () => {
    const store = storeWith([PATH], chain(3_000));
    for (let from = 2_900; from < 2_930; from++) {
      expect(await ask(store, [atom('path', 'x', 'y')], { x: from })).toHaveLength(3_000 - from);
    }
    expect(store.view().knownSize('path')).toBeUndefined();
  });
});

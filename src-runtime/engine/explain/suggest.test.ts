/** The changes that suggestions may make, and their limits. */

import { describe, expect, it } from 'vitest';
import type { Artifact, Json } from '../../artifact/types.js';
import { type Deadline, DeadlineExceeded, noDeadline } from '../../base/ports.js';
import { loadProgram } from '../program/program.js';
import { FactStore } from '../store/store.js';
import {
  absent,
  aggregate,
  arithmetic,
  artifact,
  atom,
  bind,
  classOf,
  clause,
  compare,
  concept,
  condition,
  field,
  functionalRelation,
  INT,
  int,
  optional,
  relation,
  rule,
  SPAN,
  test,
  v,
} from '../testing/ir.js';
import { encode } from '../testing/random-store.js';
import type { View } from '../types.js';
import { Interner } from '../values/codec.js';
import { toWire } from '../values/wire.js';
import type { Change, DeclaredBlock } from './changes.js';
import { suggest } from './suggest.js';

const PERSON = classOf('Person');
const people = concept('Person', { age: INT, nick: optional(INT) });
const age = (person: string) => field('Person.age', v(person));
const adult = (limit: number) =>
  clause(['p'], [atom('Person', 'p'), test(compare('>=', age('p'), { op: 'constant', type: INT, value: limit }))], {
    p: PERSON,
  });

const PROGRAM = artifact({
  schema: {
    concepts: [people],
    relations: [relation('knows', PERSON, PERSON), relation('edge', INT, INT), functionalRelation('guards', INT, INT)],
  },
  rules: [
    rule('adult', [PERSON], [adult(18)]),
    rule(
      'popular',
      [PERSON],
      [
        clause(
          ['p'],
          [
            atom('Person', 'p'),
            bind('n', aggregate('count', null, ['q'], condition([atom('knows', 'q', 'p')], { q: PERSON }, ['p']))),
            test(compare('>=', v('n'), { op: 'constant', type: INT, value: 2 })),
          ],
          { p: PERSON },
        ),
      ],
    ),
    rule(
      'nameless',
      [PERSON],
      [
        clause(['p'], [atom('Person', 'p'), test(compare('==', field('Person.nick', v('p')), { op: 'none' }))], {
          p: PERSON,
        }),
      ],
    ),
    rule(
      'named',
      [PERSON],
      [clause(['p'], [atom('Person', 'p'), test(compare('==', field('Person.nick', v('p')), int(7)))], { p: PERSON })],
    ),
    rule(
      'older',
      [PERSON, PERSON],
      [
        clause(['p', 'q'], [atom('Person', 'p'), atom('Person', 'q'), test(compare('>', age('p'), age('q')))], {
          p: PERSON,
          q: PERSON,
        }),
      ],
    ),
    rule('known', [PERSON], [clause(['p'], [atom('Person', 'p'), atom('knows', 'p', '_')], { p: PERSON })]),
    rule(
      'either',
      [PERSON],
      [
        adult(18),
        clause(['p'], [atom('edge', int(5), int(6)), atom('edge', int(6), int(7)), atom('Person', 'p')], { p: PERSON }),
      ],
    ),
    rule('round', [INT], [clause(['x'], [atom('edge', 'x', 'y'), atom('edge', 'y', 'x')])]),
    rule('path', [INT, INT], [clause(['x', 'z'], [atom('edge', 'x', 'y'), atom('edge', 'y', 'z')])]),
    rule(
      'apart',
      [INT, INT],
      [clause(['x', 'y'], [atom('edge', 'x', '_'), atom('edge', '_', 'y'), absent('edge', 'x', 'y')])],
    ),
    rule('guarded', [INT], [clause(['x'], [atom('edge', 'x', '_'), atom('guards', 'x', int(3))])]),
  ],
});

const FACTS: Facts = [
  ...['#i1', '#i2', '#i3', '@dora'].flatMap((id) => [['Person', [id]] as const, ['Person.age', [id, 3]] as const]),
  ['Person.nick', ['#i1', 7]],
  ['edge', [1, 2]],
  ['guards', [1, 2]],
];

const DECLARED: Facts = [
  ['edge', [1, 2]],
  ['guards', [1, 2]],
  ['Person.age', ['@dora', 3]],
];

type Facts = readonly (readonly [path: string, tuple: readonly Json[]])[];

function storeWith(program: Artifact, facts: Facts): FactStore {
  const loaded = loadProgram(program);
  const store = new FactStore(loaded, new Interner(loaded));
  const transaction = store.begin();
  for (const [path, tuple] of facts) transaction.insert(path, encode(transaction.view, path, tuple));
  transaction.commit();
  return store;
}

function suggestIn(
  view: View,
  path: string,
  tuple: readonly Json[],
  options: object = {},
  deadline: Deadline = noDeadline,
) {
  const all = { isDeclared: () => false, inspect: async () => true, ...options };
  return suggest(view, path, encode(view, path, tuple), all, deadline);
}

async function check(path: string, tuple: readonly Json[], options: object = {}, deadline: Deadline = noDeadline) {
  const dora = { path: 'dora', public: true, span: SPAN, concept: 'Person', fields: [] };
  const view = storeWith({ ...PROGRAM, individuals: [dora] }, FACTS).view();
  const wire = ({ path: at, codes }: DeclaredBlock): string => {
    const endpoints = view.program.relations.get(at)?.endpoints ?? [];
    const values = endpoints.map(({ type }, column) => {
      const code = codes[column] ?? null;
      return code === null ? null : toWire(type, view.interner.decode(type, code));
    });
    return `${at}(${values.map(String).join(', ')})`;
  };
  const isDeclared = (each: string, codes: readonly number[]): boolean =>
    DECLARED.some(([at, declared]) => each === at && codes.join() === encode(view, at, declared).join());
  const linesOf = (changes: readonly Change[]) => changes.map((change) => `${change.op} ${wire(change)}`);
  const inspect = async (_before: View, _after: View, changes: readonly Change[]) => linesOf(changes).join();
  const all = { isDeclared, inspect, ...options };
  const { sets, complete, declared } = await suggestIn(view, path, tuple, all, deadline);
  return {
    sets: sets.map(({ changes }) => linesOf(changes)),
    examples: sets.map(({ examples }) => examples),
    complete,
    declared: declared.map(wire),
  };
}

describe('suggestions', () => {
  it('set a field to the value that a rule needs, before values of other individuals', async () => {
    expect(await check('adult', ['#i1'])).toMatchObject({ sets: [['set Person.age(#i1, 18)']], complete: true });
    expect(await check('older', ['#i1', '#i2'])).toMatchObject({
      sets: [['set Person.age(#i2, 2)'], ['set Person.age(#i1, 4)']],
      complete: true,
    });
  });

  it('list alternative values as examples of one set', async () => {
    const { sets, examples, complete } = await check('known', ['#i1']);
    expect({ sets, examples, complete }).toEqual({
      sets: [['insert knows(#i1, #i2)']],
      examples: [[[1]]],
      complete: true,
    });
    const paths = await check('round', [1]);
    expect(paths.sets[0]).toEqual(['insert edge(2, 1)']);
    expect(paths.examples[0]).toEqual([[]]);
  });

  it('continue past blocked sets to allowed ones, and list blocked ones last', async () => {
    const isAllowed = (changes: string) => !changes.includes('#i2)');
    const { sets } = await check('known', ['#i1'], { isAllowed });
    expect(sets).toEqual([['insert knows(#i1, #i3)']]);
    const all = await check('adult', ['#i1'], { isAllowed: () => false });
    expect(all).toMatchObject({ sets: [['set Person.age(#i1, 18)']], complete: true });
    const either = await check('either', ['#i1'], { isAllowed: (changes: string) => !changes.includes('age') });
    expect(either.sets.map((set) => set.length)).toEqual([2, 1]);
  });

  it('clear an optional field', async () => {
    expect(await check('nameless', ['#i1'])).toMatchObject({ sets: [['delete Person.nick(#i1, 7)']], complete: true });
  });

  it('change no declared individuals, and create none', async () => {
    expect(await check('adult', ['@dora'])).toMatchObject({ sets: [], complete: true });
    expect(await check('adult', ['#i9'])).toEqual({ sets: [], examples: [], complete: true, declared: [] });
  });

  it('list only the declared facts that would have to differ', async () => {
    expect((await check('adult', ['@dora'])).declared).toEqual(['Person.age(@dora, 3)']);
    expect((await check('named', ['@dora'])).declared).toEqual(['Person.nick(@dora, null)']);
    expect((await check('apart', [1, 2])).declared).toEqual(['edge(1, 2)']);
    expect((await check('guarded', [1])).declared).toEqual(['guards(1, 2)']);
    expect((await check('path', [5, 5], { triesMax: 0 })).declared).toEqual([]);
  });

  it('add as many contributions as an aggregate needs', async () => {
    const { sets } = await check('popular', ['#i1']);
    expect(sets[0]).toHaveLength(2);
    expect(sets[0]?.every((change) => /^insert knows\(.*, #i1\)$/.test(change))).toBe(true);
  });

  it('stop at the limits of tries and sets, and report that', async () => {
    expect(await check('path', [5, 5], { triesMax: 0 })).toMatchObject({ sets: [], complete: false });
    expect((await check('path', [1, 1])).complete).toBe(true);
    expect(await check('popular', ['#i1'], { setsMax: 1 })).toMatchObject({ sets: [{}], complete: false });
  });

  describe('of a kept value', () => {
    const program = artifact({
      schema: { relations: [relation('edge', INT, INT), relation('open', INT)] },
      rules: [rule('best', [INT, INT], [clause(['x', 'y'], [atom('edge', 'x', 'y'), atom('open', 'x')])], 'greatest')],
    });
    const facts: Facts = [
      ['edge', [0, 1]],
      ['edge', [0, 2]],
      ['edge', [7, 3]],
      ['open', [0]],
    ];
    const suggested = async (tuple: readonly Json[], options: object) => {
      const view = storeWith(program, facts).view();
      const { sets, complete } = await suggestIn(view, 'best', tuple, options);
      return {
        sets: sets.map(({ changes }) => changes.map(({ op, path, codes }) => `${op} ${path} ${codes.join()}`)),
        complete,
      };
    };
    const ends = [['delete edge 0,2'], ['delete open 0'], ['insert edge 0,3']];

    it('end it with a better value', async () => {
      const { sets, complete } = await suggested([0, 2], { ending: true });
      expect({ sets: sets.sort(), complete }).toEqual({ sets: ends, complete: true });
    });

    it('make it true by removing better values', async () => {
      expect(await suggested([0, 1], {})).toEqual({ sets: [['delete edge 0,2']], complete: true });
    });
  });

  it('are incomplete if a set cannot be evaluated', async () => {
    const inverse = compare('>', arithmetic('div', int(1), v('n')), int(1));
    const program = artifact({
      schema: { relations: [relation('mark', INT)] },
      rules: [
        rule(
          'any',
          [],
          [clause([], [atom('mark', int(1))]), clause([], [atom('any'), atom('mark', 'n'), test(inverse)])],
        ),
      ],
    });
    const found = await suggestIn(storeWith(program, [['mark', [0]]]).view(), 'any', []);
    expect(found).toEqual({ sets: [], complete: false, declared: [] });
  });

  it('are incomplete if the deadline passes', async () => {
    for (const checkpoints of [1, 5, 10]) {
      let left = checkpoints;
      const deadline: Deadline = {
        checkpoint() {
          left -= 1;
          if (left < 0) throw new DeadlineExceeded(1);
          return undefined;
        },
      };
      expect((await check('popular', ['#i1'], {}, deadline)).complete).toBe(false);
    }
  });

  it('work on an open view of a closed fork', async () => {
    const fork = storeWith(PROGRAM, [['edge', [1, 2]]]).fork();
    const view = fork.view();
    fork.close();
    const { sets } = await suggestIn(view, 'path', [1, 3]);
    expect(sets[0]?.changes).toEqual([{ op: 'insert', path: 'edge', codes: encode(view, 'edge', [2, 3]) }]);
    expect(view.stored('edge').size).toBe(1);
    view.release();
  });

  it('omit rejected sets', async () => {
    const refused = { inspect: async () => undefined };
    expect((await check('nameless', ['#i1'], refused)).sets).toEqual([]);
  });
});

/** What suggestions may change, and what they say when a bound is reached. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../artifact/types.js';
import { DeadlineExceeded, type Pacer, unhurried } from '../../base/ports.js';
import { loadProgram } from '../program.js';
import { FactStore } from '../store.js';
import {
  aggregate,
  artifact,
  atom,
  bind,
  classOf,
  clause,
  compare,
  concept,
  condition,
  field,
  INT,
  optional,
  relation,
  rule,
  test,
  v,
} from '../testing/ir.js';
import { encode } from '../testing/random-store.js';
import { Interner } from '../values/codec.js';
import { toWire } from '../values/wire.js';
import type { Change } from './changes.js';
import { suggest } from './suggest.js';

const PERSON = classOf('Person');
const people = concept('Person', { age: INT, nick: optional(INT) });
const adult = (limit: number) =>
  clause(
    ['p'],
    [
      atom('Person', 'p'),
      test(compare('>=', field('Person.age', v('p')), { op: 'constant', type: INT, value: limit })),
    ],
    {
      p: PERSON,
    },
  );

const PROGRAM = artifact({
  schema: { concepts: [people], relations: [relation('knows', PERSON, PERSON), relation('edge', INT, INT)] },
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
    rule('path', [INT, INT], [clause(['x', 'z'], [atom('edge', 'x', 'y'), atom('edge', 'y', 'z')])]),
  ],
});

const FACTS: readonly (readonly [path: string, tuple: readonly Json[]])[] = [
  ...['#i1', '#i2', '#i3', '@dora'].flatMap((id) => [['Person', [id]] as const, ['Person.age', [id, 3]] as const]),
  ['Person.nick', ['#i1', 7]],
  ['edge', [1, 2]],
];

async function check(path: string, tuple: readonly Json[], options: object = {}, pacer: Pacer = unhurried) {
  const program = loadProgram({
    ...PROGRAM,
    individuals: [{ path: 'dora', public: true, span: rule('x', [], []).span, concept: 'Person', fields: [] }],
  });
  const store = new FactStore(program, new Interner(program));
  const transaction = store.begin();
  for (const [each, values] of FACTS) transaction.insert(each, encode(transaction.view, each, values));
  transaction.commit();
  const view = store.view();
  const wire = ({ op, path: at, codes }: Change): string => {
    const endpoints = program.relations.get(at)?.endpoints ?? [];
    return `${op} ${at}(${endpoints.map(({ type }, column) => toWire(type, view.interner.decode(type, codes[column] ?? 0))).join(', ')})`;
  };
  const isDeclared = (each: string, codes: readonly number[]): boolean =>
    each === 'edge' && codes.join() === encode(view, 'edge', [1, 2]).join();
  const inspect = async () => true;
  const { sets, complete } = await suggest(
    view,
    path,
    encode(view, path, tuple),
    { isDeclared, inspect, ...options },
    pacer,
  );
  return { sets: sets.map(({ changes }) => changes.map(wire)), complete };
}

describe('suggestions', () => {
  it('write a field with the threshold of a rule or the value beside it', async () => {
    const { sets, complete } = await check('adult', ['#i1']);
    expect(sets).toEqual([['set Person.age(#i1, 18)'], ['set Person.age(#i1, 19)']]);
    expect(complete).toBe(true);
  });

  it('clear an optional field', async () => {
    expect(await check('nameless', ['#i1'])).toEqual({ sets: [['delete Person.nick(#i1, 7)']], complete: true });
  });

  it('leave declared individuals alone, and make none', async () => {
    expect(await check('adult', ['@dora'])).toEqual({ sets: [], complete: true });
    expect(await check('adult', ['#i9'])).toEqual({ sets: [], complete: true });
  });

  it('add as many contributions as an aggregate needs', async () => {
    const { sets } = await check('popular', ['#i1']);
    expect(sets[0]).toHaveLength(2);
    expect(sets[0]?.every((change) => /^insert knows\(.*, #i1\)$/.test(change))).toBe(true);
  });

  it('stop at a number of tries and at a number of sets, and say so', async () => {
    expect(await check('path', [5, 5], { triesMax: 0 })).toEqual({ sets: [], complete: false });
    expect((await check('path', [1, 1])).complete).toBe(true);
    expect(await check('popular', ['#i1'], { setsMax: 1 })).toMatchObject({ sets: [{}], complete: false });
  });

  it('are what was found until a deadline', async () => {
    for (const polls of [1, 10, 40]) {
      let left = polls;
      const pacer: Pacer = {
        poll() {
          left -= 1;
          if (left < 0) throw new DeadlineExceeded(1);
          return undefined;
        },
      };
      expect((await check('popular', ['#i1'], {}, pacer)).complete).toBe(false);
    }
  });

  it('leave out what must not be offered', async () => {
    const refused = { inspect: async () => undefined };
    expect((await check('nameless', ['#i1'], refused)).sets).toEqual([]);
  });
});

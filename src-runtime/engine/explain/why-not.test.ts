/** The examples of a why-not: individuals of the classes that the premises need. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../artifact/types.js';
import { noDeadline } from '../../base/ports.js';
import { loadProgram } from '../program/program.js';
import { FactStore } from '../store/store.js';
import {
  absent,
  artifact,
  atom,
  classOf,
  clause,
  compare,
  concept,
  each,
  INT,
  int,
  relation,
  rule,
  test,
  v,
} from '../testing/ir.js';
import { encode } from '../testing/random-store.js';
import { Interner } from '../values/codec.js';
import { explain } from './explain.js';

const PARTY = classOf('Party');
const PERSON = classOf('Person');

/** A guarantor may be a company; a tenant is a person. */
const PROGRAM = artifact({
  schema: {
    concepts: [concept('Party'), concept('Person', {}, 'Party')],
    relations: [relation('guarantees', PARTY, INT), relation('tenantOf', INT, PERSON)],
  },
  rules: [
    rule(
      'backed',
      [INT],
      [
        clause(['l'], [atom('guarantees', 'p', 'l'), atom('guarantees', 'q', 'l'), atom('tenantOf', 'l', 't')], {
          p: PARTY,
          q: PARTY,
          t: PERSON,
        }),
      ],
    ),
    rule(
      'sound',
      [INT],
      [
        clause(
          ['l'],
          [
            atom('guarantees', 'p', 'l'),
            atom('tenantOf', 'l', 't'),
            absent('guarantees', 't', 'l'),
            test(compare('>', v('l'), int(5))),
          ],
          { p: PARTY, t: PERSON },
        ),
      ],
    ),
    rule('risky', [INT], [clause(['l'], [atom('guarantees', 'p', 'l'), atom('tenantOf', 'l', 'p')], { p: PERSON })]),
  ],
});

type Facts = readonly (readonly [path: string, tuple: readonly Json[]])[];

const COMPANY_AND_PERSON: Facts = [
  ['Party', ['#i1']],
  ['Party', ['#i2']],
  ['Person', ['#i2']],
  ['guarantees', ['#i1', 1]],
];

async function clauseOf(facts: Facts, path = 'risky', given: Readonly<Record<string, Json>> = {}) {
  const program = loadProgram(PROGRAM);
  const store = new FactStore(program, new Interner(program));
  const transaction = store.begin();
  for (const [path, tuple] of facts) transaction.insert(path, encode(transaction.view, path, tuple));
  transaction.commit();
  const view = store.view();
  const values = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, { type: PARTY, value }]));
  const options = { given: { clause: 0, values } };
  const explanation = await explain(view, path, encode(view, path, [1]), options, noDeadline);
  return explanation.holds ? undefined : explanation.whyNot.clauses[0];
}

describe('the example of a why-not', () => {
  it('has the classes that all premises need, and names the fact that it lacks', async () => {
    expect(await clauseOf([...COMPANY_AND_PERSON, ['tenantOf', [1, '#i2']]])).toMatchObject({
      bindings: { l: 1, p: '#i2' },
      satisfied: [{ relation: 'tenantOf', tuple: [1, '#i2'] }],
      fails: { relation: 'guarantees', tuple: ['#i2', 1] },
    });
  });

  it('is omitted if all individuals have another class', async () => {
    expect(await clauseOf(COMPANY_AND_PERSON)).toMatchObject({
      bindings: { l: 1 },
      satisfied: [],
      fails: { relation: 'tenantOf', tuple: [1, null] },
    });
  });

  it('uses different individuals for different variables if possible', async () => {
    const two: Facts = [...COMPANY_AND_PERSON, ['guarantees', ['#i2', 1]]];
    const { p, q } = (await clauseOf(two, 'backed'))?.bindings ?? {};
    expect([p, q].sort()).toEqual(['#i1', '#i2']);
    expect((await clauseOf(COMPANY_AND_PERSON, 'backed'))?.bindings).toMatchObject({ p: '#i1', q: '#i1' });
  });
});

describe('values given to a clause', () => {
  const facts: Facts = [...COMPANY_AND_PERSON, ['tenantOf', [1, '#i2']]];

  it('replace the binding that gets furthest, and apply to every premise', async () => {
    expect(await clauseOf(facts, 'sound', { p: '#i2', t: '#i1' })).toMatchObject({
      bindings: { l: 1, p: '#i2', t: '#i1' },
      satisfied: [],
      fails: { relation: 'guarantees', tuple: ['#i2', 1] },
      behind: [
        { state: 'fails', relation: 'tenantOf', tuple: [1, '#i1'] },
        { state: 'fails', relation: 'guarantees', blockedBy: { tuple: ['#i1', 1] } },
        { state: 'fails', reason: 'l is 1, needed > 5' },
      ],
    });
  });

  it('are accepted for all variables except those that the tuple fixes', async () => {
    expect((await clauseOf(facts, 'sound'))?.variables).toEqual([
      { name: 'p', type: PARTY },
      { name: 't', type: PERSON },
    ]);
    expect((await clauseOf(facts, 'sound', { l: '#i2' }))?.bindings).toMatchObject({ l: 1 });
  });
});

describe('premises after the failing one', () => {
  it('include other failing premises, and open ones that need its variables', async () => {
    expect(await clauseOf(COMPANY_AND_PERSON, 'sound')).toMatchObject({
      satisfied: [{ relation: 'guarantees', tuple: ['#i1', 1] }],
      fails: { relation: 'tenantOf', tuple: [1, null] },
      behind: [
        { state: 'open', text: 'not guarantees(t, l)' },
        { state: 'fails', reason: 'l is 1, needed > 5' },
      ],
    });
  });

  it('are open if only individuals of another class exist', async () => {
    expect((await clauseOf(COMPANY_AND_PERSON))?.behind).toMatchObject([{ state: 'open', text: 'guarantees(p, l)' }]);
  });

  it('are omitted if the last premise fails', async () => {
    expect(await clauseOf([...COMPANY_AND_PERSON, ['tenantOf', [1, '#i2']]])).not.toHaveProperty('behind');
  });

  it('wait for a variable that the list of an `each` contains', async () => {
    const within = rule(
      'within',
      [INT],
      [clause(['l'], [atom('small', 'l'), atom('size', 'n'), each('n', { op: 'list', of: INT, items: [v('n')] })])],
    );
    const schema = { relations: [relation('small', INT), relation('size', INT)] };
    const program = loadProgram(artifact({ rules: [within], schema }));
    const store = new FactStore(program, new Interner(program));
    const explanation = await explain(store.view(), 'within', [1], {}, noDeadline);
    expect(explanation.holds ? undefined : explanation.whyNot.clauses[0]).toMatchObject({
      fails: { relation: 'small', tuple: [1] },
      behind: [
        { state: 'fails', text: 'size(n)' },
        { state: 'open', text: 'n in' },
      ],
    });
  });
});

describe('a why-not of a least value', () => {
  it('says which value holds instead', async () => {
    const dist = rule('dist', [INT, INT, INT], [clause(['a', 'b', 'k'], [atom('edge', 'a', 'b', 'k')])], 'least');
    const program = loadProgram(artifact({ rules: [dist], schema: { relations: [relation('edge', INT, INT, INT)] } }));
    const store = new FactStore(program, new Interner(program));
    const transaction = store.begin();
    transaction.insert('edge', [1, 2, 7]);
    transaction.insert('edge', [1, 2, 9]);
    transaction.commit();
    const view = store.view();
    const message = async (...codes: number[]) => {
      const explanation = await explain(view, 'dist', codes, {}, noDeadline);
      return explanation.holds || explanation.whyNot.message;
    };
    expect(await message(1, 2, 7)).toBe(true);
    expect(await message(1, 2, 9)).toBe('dist(1, 2, 9) is false: dist(1, 2, 7) holds, and only the least p2 is kept.');
    expect(await message(2, 1, 9)).toBe('dist(2, 1, 9) is false: each of its clauses has a failing condition.');
  });
});

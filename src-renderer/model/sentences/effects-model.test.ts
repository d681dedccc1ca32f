/** Effects grouped by individual and field. */

import { describe, expect, it } from 'vitest';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { EffectFact, WireEvent } from '../../../src-runtime/api/schemas/schemas.js';
import { compile } from '../../../src-runtime/compiler/index.js';
import { servedSchema } from '../../../src-runtime/world/wire/served-schema.js';
import { effectGroups, namesOfEffects, namesOfSteps, writtenItems } from './effects-model.js';

const { artifact } = compile([
  {
    file: 'm.entail',
    text: `module m
pub concept Party { name: Text }
pub concept Person is Party { age: Int? }
pub relation knows(a: Person, b: Person)
pub derive known(p: Person) when knows(_, p)`,
  },
]);
if (artifact === undefined) throw new Error('the module has errors');
const schema: ServedSchema = servedSchema(artifact);

const fact = (change: 'added' | 'removed', relation: string, ...tuple: EffectFact['tuple']): EffectFact => ({
  change,
  kind: relation === 'known' ? 'derived' : 'stored',
  factId: '',
  relation: `m::${relation}`,
  tuple,
});

describe('effects', () => {
  it('show a created individual as one item with its fields, under its most specific concept', () => {
    const facts = [
      fact('added', 'Party', '#i2'),
      fact('added', 'Person', '#i2'),
      fact('added', 'Party.name', '#i2', 'Ada'),
      fact('added', 'knows', '#i1', '#i2'),
      fact('added', 'known', '#i2'),
    ];
    expect(effectGroups(schema, { facts })).toEqual({
      stored: [
        { change: 'added', kind: 'stored', relation: 'm::Person', tuple: ['#i2'], fields: [['name', 'Ada']] },
        { change: 'added', kind: 'stored', relation: 'm::knows', tuple: ['#i1', '#i2'] },
      ],
      derived: [{ change: 'added', kind: 'derived', relation: 'm::known', tuple: ['#i2'] }],
    });
    expect(namesOfEffects(schema, { facts })).toEqual(new Map([['#i2', 'Ada']]));
    const replaced = [fact('removed', 'Party.name', '#i1', 'Bob'), fact('added', 'Party.name', '#i1', 'Rob')];
    const gone = fact('removed', 'Party.name', '#i3', 'Cyd');
    expect(namesOfEffects(schema, { facts: [...replaced, gone] })).toEqual(
      new Map([
        ['#i1', 'Rob'],
        ['#i3', 'Cyd'],
      ]),
    );
    const nameless = [
      fact('added', 'Party', '#i4'),
      fact('added', 'Person', '#i4'),
      fact('added', 'Person.age', '#i4', 7),
    ];
    expect(namesOfEffects(schema, { facts: nameless })).toEqual(new Map([['#i4', 'Person 4']]));
  });

  it('name an individual in each batch step by its current label', () => {
    const hired = [fact('added', 'Person', '#i2'), fact('added', 'Party.name', '#i2', 'Ada')];
    const met = [fact('added', 'knows', '#i1', '#i2')];
    const renamed = [fact('removed', 'Party.name', '#i2', 'Ada'), fact('added', 'Party.name', '#i2', 'Eve')];
    const steps = [hired, met, renamed].map((facts) => ({ effects: { facts } }));
    const names = namesOfSteps(schema, [...steps, {}]).map((known) => known.get('#i2'));
    expect(names).toEqual(['Ada', 'Ada', 'Eve', 'Eve']);
  });

  it('show a changed field as one item, and a set or cleared field as added or removed', () => {
    const facts = [
      fact('removed', 'Party.name', '#i1', 'Bob'),
      fact('added', 'Party.name', '#i1', 'Rob'),
      fact('removed', 'Person.age', '#i1', 30),
      fact('added', 'Person.age', '#i3', 31),
    ];
    expect(effectGroups(schema, { facts }).stored).toEqual([
      { change: 'changed', kind: 'stored', relation: 'm::Party.name', tuple: ['#i1', 'Rob'], before: 'Bob' },
      { change: 'removed', kind: 'stored', relation: 'm::Person.age', tuple: ['#i1', 30] },
      { change: 'added', kind: 'stored', relation: 'm::Person.age', tuple: ['#i3', 31] },
    ]);
  });
});

describe('written items', () => {
  const events: WireEvent[] = [
    { seq: 1, txn: 1, at: '', kind: 'insertIndividual', id: '#i2', concept: 'm::Person' },
    { seq: 2, txn: 1, at: '', kind: 'setField', id: '#i2', field: 'm::Party.name', value: 'Ada' },
    { seq: 3, txn: 1, at: '', kind: 'insertFact', relation: 'm::knows', tuple: ['#i1', '#i2'] },
    { seq: 4, txn: 1, at: '', kind: 'setField', id: '#i1', field: 'm::Party.name', value: 'Rob' },
  ];
  const facts = [
    fact('added', 'Party', '#i2'),
    fact('added', 'Person', '#i2'),
    fact('added', 'Party.name', '#i2', 'Ada'),
    fact('added', 'knows', '#i1', '#i2'),
    fact('removed', 'Party.name', '#i1', 'Bob'),
    fact('added', 'Party.name', '#i1', 'Rob'),
  ];

  it('are equal for a dry run and a run, except for old values', () => {
    const [ada, knows] = [
      { change: 'added', kind: 'stored', relation: 'm::Person', tuple: ['#i2'], fields: [['name', 'Ada']] },
      { change: 'added', kind: 'stored', relation: 'm::knows', tuple: ['#i1', '#i2'] },
    ];
    const name = { change: 'changed', kind: 'stored', relation: 'm::Party.name', tuple: ['#i1', 'Rob'] };
    expect(writtenItems(events)).toEqual([ada, knows, name]);
    const effects = effectGroups(schema, { facts }).stored;
    expect(writtenItems(events, effects)).toEqual([ada, knows, { ...name, before: 'Bob' }]);
  });

  it('show a deletion as one item, with the deleted fields if known', () => {
    const deletion: WireEvent[] = [
      { seq: 5, txn: 2, at: '', kind: 'deleteIndividual', id: '#i2', concept: 'm::Person' },
    ];
    const deleted = { change: 'removed', kind: 'stored', relation: 'm::Person', tuple: ['#i2'] };
    expect(writtenItems(deletion)).toEqual([{ ...deleted, fields: [] }]);
    const effects = effectGroups(schema, {
      facts: [fact('removed', 'Person', '#i2'), fact('removed', 'Party.name', '#i2', 'Ada')],
    }).stored;
    expect(writtenItems(deletion, effects)).toEqual([{ ...deleted, fields: [['name', 'Ada']] }]);
  });
});

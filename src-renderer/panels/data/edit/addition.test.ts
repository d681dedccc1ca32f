/** Adding a row: form by columns, omitted fields, and the mutation. */

import { expect, it } from 'vitest';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { WireType } from '../../../../src-runtime/api/schemas/schemas.js';
import { enclosingModuleFor, pathsOfRow } from '../../../model/facts/enclosing-module.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import type { GridRow } from '../rows/use-rows.js';
import { additionOf, formOfRow, noAdditionReason, parametersOfRow } from './addition.js';

const TEXT: WireType = { kind: 'scalar', name: 'Text' };
const PERSON: WireType = { kind: 'class', path: 'm::Person' };
const field = (name: string, type: WireType, more: object = {}) => ({
  name,
  path: `m::Person.${name}`,
  type,
  unique: false,
  required: true,
  ...more,
});
const schema = {
  modules: [{ name: 'm' }],
  defines: [],
  concepts: [
    {
      path: 'm::Person',
      fields: [
        field('name', TEXT),
        field('age', { kind: 'scalar', name: 'Int' }, { required: false, default: 30 }),
        field('boss', { kind: 'optional', of: PERSON }, { required: false }),
        field('friends', { kind: 'list', of: PERSON }, { navigation: { relation: 'm::likes', endpoint: 'who' } }),
      ],
    },
  ],
} as unknown as ServedSchema;
const person = { path: 'm::Person', kind: 'concept', endpoints: [] } as unknown as RelationInfo;
const likes = {
  path: 'm::likes',
  kind: 'stored',
  endpoints: [
    { name: 'who', type: PERSON },
    { name: 'what', type: TEXT },
  ],
} as unknown as RelationInfo;

it('inserts an individual with the given fields', () => {
  const parameters = parametersOfRow(schema, person);
  expect(formOfRow(parameters, person, undefined)).toEqual({ name: '', age: '30', boss: null });
  expect(additionOf(person, parameters, { name: 'Ada', age: 36 })).toEqual({
    kind: 'adhoc',
    source:
      'mutation addRow(value0: Text, value1: Int) -> Person {\n  return insert Person { name: value0, age: value1 }\n}',
    args: { value0: 'Ada', value1: 36 },
  });
});

it('inserts a tuple, and can start from a copied row', () => {
  const parameters = parametersOfRow(schema, likes);
  const row = { cells: ['#i1', 'tea'] } as unknown as GridRow;
  expect(formOfRow(parameters, likes, row)).toEqual({ who: '#i1', what: 'tea' });
  expect(additionOf(likes, parameters, { who: '#i1', what: 'milk' })).toEqual({
    kind: 'adhoc',
    source: 'mutation addRow(value0: Person, value1: Text) {\n  insert likes(value0, value1)\n}',
    args: { value0: '#i1', value1: 'milk' },
  });
});

it('rejects additions to a derived relation', () => {
  expect(noAdditionReason(person)).toBeUndefined();
  expect(noAdditionReason({ ...likes, kind: 'derived' })).toMatch(/Conclusions/);
});

it('uses the module that can name all declarations if there are several', () => {
  const owned = {
    path: 'shop::owns',
    public: false,
    endpoints: [
      { name: 'who', type: { kind: 'class', path: 'm::Person' } },
      { name: 'what', type: { kind: 'class', path: 'shop::Shop' } },
    ],
  } as const;
  const several = {
    ...schema,
    modules: [{ name: 'm' }, { name: 'shop' }],
    concepts: [...schema.concepts.map((each) => ({ ...each, public: true })), { path: 'shop::Shop', public: false }],
    relations: [owned],
    ...{ defines: [], enums: [] },
  } as unknown as ServedSchema;
  const info = { ...likes, path: owned.path, endpoints: owned.endpoints } as unknown as RelationInfo;
  const enclosing = enclosingModuleFor(several, pathsOfRow(info.path, info.endpoints));
  expect(additionOf(info, parametersOfRow(several, info), { who: '#i1', what: '#i2' }, enclosing)).toEqual({
    kind: 'adhoc',
    source: 'mutation addRow(value0: m::Person, value1: Shop) {\n  insert owns(value0, value1)\n}',
    module: 'shop',
    args: { value0: '#i1', value1: '#i2' },
  });
});

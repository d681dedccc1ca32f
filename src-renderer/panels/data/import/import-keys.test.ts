/** Which fields rows may use to refer to individuals, and the default for a file. */

import { describe, expect, it } from 'vitest';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { WireType } from '../../../../src-runtime/api/schemas/schemas.js';
import { parseFile } from '../../../../src-runtime/api/tables/import-file.js';
import { keyedParameters, keyFields, type Parameter } from '../../../../src-runtime/api/tables/import-rows.js';
import { fittedKeys, sentKeys } from './import-keys.js';

const text: WireType = { kind: 'scalar', name: 'Text' };
const whole: WireType = { kind: 'scalar', name: 'Int' };
const unit: WireType = { kind: 'class', path: 'm::Unit' };
const field = (name: string, type: WireType, unique = false) => ({ name, path: `m::Unit.${name}`, type, unique });

const schema = {
  concepts: [
    {
      path: 'm::Unit',
      fields: [
        field('note', { kind: 'optional', of: text }),
        field('code', text, true),
        field('number', whole, true),
        field('parent', unit),
        { ...field('rooms', { kind: 'list', of: unit }), navigation: { relation: 'm::r', endpoint: 'x' } },
      ],
    },
  ],
  defines: [{ path: 'm::Vacant', class: 'm::Unit' }],
  individuals: [{ path: 'm::cellar' }],
} as unknown as ServedSchema;

const parameter = (type: WireType): Parameter => ({ name: 'unit', type, required: true });

function guessed(cell: string, kept = {}) {
  const parsing = parseFile(`unit\n${cell}\n`);
  if (!parsing.ok) throw new Error(parsing.message);
  return fittedKeys(schema, [parameter(unit)], parsing.file, { unit: 'unit' }, kept);
}

it('lists the stored value fields of the referenced class as keys, also for lists, optionals and defines', () => {
  const names = (type: WireType) => keyFields(schema, type).map(({ name }) => name);
  expect(names(unit)).toEqual(['note', 'code', 'number']);
  expect(names({ kind: 'list', of: { kind: 'class', path: 'm::Vacant' } })).toEqual(['note', 'code', 'number']);
  expect(names({ kind: 'optional', of: unit })).toHaveLength(3);
  expect(names(text)).toEqual([]);
});

describe('the default key of a file', () => {
  it('is the unique field if the first cell is not a reference', () => {
    expect(guessed('U-1')).toEqual({ unit: 'code' });
    for (const reference of ['#i1', '@cellar', 'cellar', 'm::cellar'])
      expect(guessed(reference)).toEqual({ unit: null });
  });

  it('is the previous selection while that field exists', () => {
    expect(guessed('U-1', { unit: 'number' })).toEqual({ unit: 'number' });
    expect(guessed('U-1', { unit: null })).toEqual({ unit: null });
    expect(guessed('#i1', { unit: 'gone' })).toEqual({ unit: null });
  });
});

it('reads keys by the type of their field, and sends the name of the field', () => {
  const types = (type: WireType, key: string | null) =>
    keyedParameters(schema, [parameter(type)], { unit: key }).map((each) => each.type);
  expect(types(unit, 'number')).toEqual([whole]);
  expect(types({ kind: 'list', of: unit }, 'note')).toEqual([{ kind: 'list', of: text }]);
  expect(types(unit, null)).toEqual([unit]);
  expect(sentKeys({ unit: 'code', other: null })).toEqual({ unit: 'code' });
});

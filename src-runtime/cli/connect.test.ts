/** Arguments on the command line are converted to the wire form of the parameter's type. */

import { describe, expect, it } from 'vitest';
import type { WireType } from '../api/schemas/schemas.js';
import { readArgument, readGiven } from './connect.js';

const scalar = (name: 'Bool' | 'Int' | 'Decimal' | 'Text') => ({ kind: 'scalar', name }) as const;

describe('readArgument', () => {
  it.each<[string, WireType | undefined, unknown]>([
    ['42', scalar('Int'), 42],
    ['many', scalar('Int'), 'many'],
    ['true', scalar('Bool'), true],
    ['12.50', scalar('Decimal'), '12.50'],
    ['42', scalar('Text'), '42'],
    ['#i3', { kind: 'class', path: 'lease::Lease' }, '#i3'],
    ['{"$id":"#i3"}', { kind: 'class', path: 'lease::Lease' }, { $id: '#i3' }],
    ['signed', { kind: 'enum', path: 'lease::Status' }, 'signed'],
    ['null', { kind: 'optional', of: scalar('Text') }, null],
    ['null', scalar('Text'), 'null'],
    ['["#i1"]', { kind: 'list', of: { kind: 'class', path: 'lease::Party' } }, ['#i1']],
    ['{"a":1}', { kind: 'record', fields: [{ name: 'a', type: scalar('Int') }] }, { a: 1 }],
    ['[0.12345678901234567890]', { kind: 'list', of: scalar('Decimal') }, ['0.12345678901234567890']],
    ['anything', undefined, 'anything'],
  ])('reads %s', (text, type, value) => {
    expect(readArgument(text, type)).toEqual(value);
  });
});

it('refuses an argument with a duplicate key', () => {
  const type: WireType = { kind: 'record', fields: [{ name: 'a', type: scalar('Int') }] };
  expect(() => readGiven('size', '{"a":1,"a":2}', type)).toThrow('size has the key "a" twice.');
  expect(readGiven('size', '{"a":1}', type)).toEqual({ a: 1 });
  expect(readGiven('size', '{"a":1,"a":2}', scalar('Text'))).toBe('{"a":1,"a":2}');
});

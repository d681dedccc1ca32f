import { describe, expect, it } from 'vitest';
import type { WireType } from '../../../src-runtime/api/schemas/schemas.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { changeMutation, trialName } from './change-mutation.js';

const person: WireType = { kind: 'class', path: 'm::Person' };
const rest = { doc: undefined, span: undefined };
const infos: RelationInfo[] = [
  {
    path: 'm::worksFor',
    kind: 'stored',
    endpoints: [
      { name: 'a', type: person, functional: false },
      { name: 'b', type: person, functional: true },
    ],
    ...rest,
  },
  {
    path: 'm::Person.age',
    kind: 'field',
    endpoints: [
      { name: 'of', type: person },
      { name: 'age', type: { kind: 'scalar', name: 'Int' } },
    ],
    ...rest,
  },
  { path: 'm::grown', kind: 'derived', endpoints: [{ name: 'p', type: person }], ...rest },
];
const index = new Map(infos.map((info) => [info.path, info]));

describe('a mutation', () => {
  it('inserts and deletes tuples, with one parameter for each value', () => {
    const { source, args } = changeMutation(
      [
        { op: 'insert', relation: 'm::worksFor', tuple: ['#i1', '@m::ada'] },
        { op: 'delete', relation: 'm::worksFor', tuple: ['@m::ada', '#i1'] },
      ],
      index,
    );
    expect(source).toBe(
      'mutation tryChanges(value1: Person, value2: Person) {\n  insert m::worksFor(value1, value2)\n  delete m::worksFor(value2, value1)\n}',
    );
    expect(args).toEqual({ value1: '#i1', value2: '@m::ada' });
  });

  it('deletes the old value of an endpoint that holds only one', () => {
    const { source } = changeMutation([{ op: 'set', relation: 'm::worksFor', tuple: ['#i1', '#i2'] }], index);
    expect(source).toContain('delete m::worksFor(value1, _)\n  insert m::worksFor(value1, value2)');
  });

  it('sets a field, or clears it', () => {
    const set = changeMutation([{ op: 'set', relation: 'm::Person.age', tuple: ['#i1', 7] }], index);
    expect(set.source).toContain('(value1: Person, value2: Int) {\n  set value1.age = value2\n');
    const cleared = changeMutation([{ op: 'delete', relation: 'm::Person.age', tuple: ['#i1', 7] }], index);
    expect(cleared.source).toContain('(value1: Person) {\n  set value1.age = none\n');
    expect(cleared.args).toEqual({ value1: '#i1' });
  });

  it('has an unused name', () => {
    const change = { op: 'set', relation: 'm::Person.age', tuple: ['#i1', 7] } as const;
    const { source } = changeMutation([{ ...change, tuple: [...change.tuple] }], index, new Set(['tryChanges']));
    expect(source).toMatch(/^mutation tryChanges2\(/);
  });

  it('rejects a derived relation', () => {
    expect(() => changeMutation([{ op: 'insert', relation: 'm::grown', tuple: ['#i1'] }], index)).toThrow('not stored');
  });
});

describe('the name of a trial', () => {
  it('has the words of the fact, is a valid fork name, and is unused', () => {
    expect(trialName('Ada is liable for "L-1" / x', new Set())).toBe('try Ada is liable for L-1 x');
    expect(trialName('Ada', new Set(['try Ada', 'try Ada - 2']))).toBe('try Ada - 3');
    expect(trialName('long '.repeat(50), new Set()).length).toBeLessThanOrEqual(64);
  });
});

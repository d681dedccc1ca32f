/** A field that reads a stored relation is set by its fact. */

import { expect, it } from 'vitest';
import type { WireType } from '../../../../src-runtime/api/schemas/schemas.js';
import { shortName } from '../../../model/facts/locations.js';
import { pathsOfChanges, savingOfAll } from '../edit/staged-mutation.js';
import { setStatements, viaOf } from './set-statements.js';
import type { StagedSet } from './staged.js';

const PERSON = { kind: 'class', path: 'm::Person' } as const;
const one: WireType = { kind: 'optional', of: PERSON };
const relation = (path: string, kind: string, ...names: string[]) => ({
  ...{ path, kind, endpoints: names.map((name) => ({ name, type: PERSON })) },
});
const relations = [
  relation('m::worksFor', 'stored', 'person', 'company'),
  relation('m::heads', 'stored', 'boss', 'person'),
  relation('m::pays', 'stored', 'boss', 'person', 'amount'),
  relation('m::liable', 'derived', 'person', 'company'),
] as never;
const via = (path: string, endpoint: string, type = one) =>
  viaOf({ relations }, { type, navigation: { relation: path, endpoint } });

it('finds the binary stored relation behind a single-valued field, in either direction', () => {
  expect(via('m::worksFor', 'company')).toEqual({ relation: 'm::worksFor', own: 0 });
  expect(via('m::heads', 'boss')).toEqual({ relation: 'm::heads', own: 1 });
  expect(via('m::worksFor', 'company', { kind: 'list', of: PERSON })).toBeUndefined();
  expect(via('m::pays', 'boss')).toBeUndefined();
  expect(via('m::liable', 'company')).toBeUndefined();
  expect(viaOf({ relations }, { type: one })).toBeUndefined();
});

it('deletes the old fact and inserts the new one', () => {
  const heads = { relation: 'm::heads', own: 1 } as const;
  expect(setStatements('p', 'boss', heads, 'next', shortName)).toEqual(['delete heads(_, p)', 'insert heads(next, p)']);
  expect(setStatements('p', 'boss', heads, undefined, shortName)).toEqual(['delete heads(_, p)']);
  expect(setStatements('p', 'name', undefined, 'next', shortName)).toEqual(['set p.name = next']);
});

it('writes separate statements for staged changes that clear the field', () => {
  const set = (id: string, known: string | null, next: string | null): StagedSet => ({
    ...{ kind: 'set', id, label: id, concept: 'm::Person', field: 'employer', type: one, known, next },
    via: { relation: 'm::worksFor', own: 0 },
  });
  const changes = [set('#i1', null, '#i7'), set('#i2', '#i7', null)];
  const { source, args } = savingOfAll(changes);
  expect(
    source,
  ).toBe(`mutation saveStaged(rows0: [{ told: Text, one: Person, next: Person }], rows1: [{ told: Text, one: Person, known: Person }]) {
  for row in rows0 {
    require row.one.employer == none message "employer of {row.told} has changed since"
  }
  for row in rows1 {
    require row.one.employer == row.known message "employer of {row.told} has changed since"
  }
  for row in rows0 {
    delete worksFor(row.one, _)
    insert worksFor(row.one, row.next)
  }
  for row in rows1 {
    delete worksFor(row.one, _)
  }
}`);
  expect(args).toEqual({
    rows0: [{ told: '#i1', one: '#i1', next: '#i7' }],
    rows1: [{ told: '#i2', one: '#i2', known: '#i7' }],
  });
  expect(pathsOfChanges(changes)).toContain('m::worksFor');
});

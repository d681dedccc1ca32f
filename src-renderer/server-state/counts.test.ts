/** The list that Data and Explain open on. */

import { describe, expect, it, vi } from 'vitest';
import type { RelationInfo } from '../model/facts/relation-index.js';
import { type Counts, firstList, firstToExplain } from './counts.js';

// The host is read on import and does not exist in tests.
vi.mock('../host/current-host.js', () => ({ host: {} }));

const INFOS: readonly (readonly [string, RelationInfo['kind']])[] = [
  ['m::follows', 'derived'],
  ['m::leads', 'derived'],
  ['m::knows', 'stored'],
  ['m::A', 'concept'],
  ['m::B', 'concept'],
];
const INDEX = new Map(
  INFOS.map(([path, kind]) => [path, { path, kind, endpoints: [], doc: undefined, span: undefined }]),
);

function counts(facts: Readonly<Record<string, number | null>>): Counts {
  return new Map(
    Object.entries(facts).map(([relation, count]) => [
      relation,
      { relation, kind: 'stored', facts: count, isCurrent: true, declared: 0 },
    ]),
  );
}

describe('the first list', () => {
  const opened = (facts: Readonly<Record<string, number | null>>) => firstList(INDEX, counts(facts));

  it('is the first concept with individuals', () => {
    expect(opened({ 'm::A': 0, 'm::B': 2, 'm::knows': 3 })).toBe('m::B');
    expect(opened({ 'm::A': 1, 'm::B': 2 })).toBe('m::A');
  });

  it('is a stored, else a derived relation if no concept has individuals', () => {
    expect(opened({ 'm::A': 0, 'm::B': 0, 'm::knows': 3, 'm::follows': 9 })).toBe('m::knows');
    expect(opened({ 'm::A': 0, 'm::B': 0, 'm::knows': 0, 'm::follows': 9 })).toBe('m::follows');
  });

  it('is the first in the index if none has rows or the counts are unknown', () => {
    expect(opened({ 'm::A': 0, 'm::B': null, 'm::follows': null })).toBe('m::A');
    expect(firstList(INDEX, undefined)).toBe('m::A');
    expect(firstList(new Map(), undefined)).toBeUndefined();
  });
});

describe('the first relation to explain', () => {
  const opened = (facts: Readonly<Record<string, number | null>>) => firstToExplain(INDEX, counts(facts));

  it('is the first derived one with tuples', () => {
    expect(opened({ 'm::follows': 0, 'm::leads': 2, 'm::knows': 3 })).toBe('m::leads');
    expect(opened({ 'm::follows': null, 'm::leads': 2 })).toBe('m::leads');
  });

  it('is an unevaluated derived one before a stored one', () => {
    expect(opened({ 'm::follows': 0, 'm::leads': null, 'm::knows': 3 })).toBe('m::leads');
    expect(firstToExplain(INDEX, undefined)).toBe('m::follows');
  });

  it('is a stored one if no derived one has tuples, else the first in the index', () => {
    expect(opened({ 'm::follows': 0, 'm::leads': 0, 'm::knows': 3, 'm::A': 2 })).toBe('m::knows');
    expect(opened({ 'm::follows': 0, 'm::leads': 0, 'm::knows': 0, 'm::A': 2 })).toBe('m::A');
    expect(opened({ 'm::follows': 0, 'm::leads': 0, 'm::knows': 0, 'm::A': 0, 'm::B': 0 })).toBe('m::follows');
    expect(firstToExplain(new Map(), undefined)).toBeUndefined();
  });
});

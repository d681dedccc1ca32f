/** Which list the Data panel opens on. */

import { expect, it } from 'vitest';
import type { RelationInfo } from '../data/relation-index.js';
import { firstList } from './first-list.js';

const INFOS: readonly (readonly [string, RelationInfo['kind']])[] = [
  ['m::follows', 'derived'],
  ['m::knows', 'stored'],
  ['m::A', 'concept'],
  ['m::B', 'concept'],
];
const INDEX = new Map(
  INFOS.map(([path, kind]) => [path, { path, kind, endpoints: [], doc: undefined, span: undefined }]),
);

function opened(facts: Readonly<Record<string, number | null>> | undefined): string | undefined {
  if (facts === undefined) return firstList(INDEX, undefined);
  const counts = Object.entries(facts).map(
    ([relation, count]) =>
      [relation, { relation, kind: 'stored', facts: count, isCurrent: true, declared: 0 } as const] as const,
  );
  return firstList(INDEX, new Map(counts));
}

it('is the first concept that has individuals', () => {
  expect(opened({ 'm::A': 0, 'm::B': 2, 'm::knows': 3 })).toBe('m::B');
  expect(opened({ 'm::A': 1, 'm::B': 2 })).toBe('m::A');
});

it('is a relation where no concept has any, a stored one before what follows from it', () => {
  expect(opened({ 'm::A': 0, 'm::B': 0, 'm::knows': 3, 'm::follows': 9 })).toBe('m::knows');
  expect(opened({ 'm::A': 0, 'm::B': 0, 'm::knows': 0, 'm::follows': 9 })).toBe('m::follows');
});

it('is the first of all where nothing has rows, or nothing is known of them', () => {
  expect(opened({ 'm::A': 0, 'm::B': null, 'm::follows': null })).toBe('m::A');
  expect(opened(undefined)).toBe('m::A');
  expect(firstList(new Map(), undefined)).toBeUndefined();
});

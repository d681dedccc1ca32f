/** Staged changes: one per field and row, no no-ops, and no lost changes. */

import { describe, expect, it } from 'vitest';
import { leaveSaved, stepStaged, takeBackStaged } from '../edit/staged-steps.js';
import {
  nextNumber,
  STAGED_MAX,
  type StagedChange,
  type StagedDelete,
  type StagedInsert,
  type StagedSet,
  stagedAt,
  stagedByIndividual,
  without,
  withStaged,
} from './staged.js';

const set = (more: Partial<StagedSet> = {}): StagedSet => ({
  kind: 'set',
  id: '#i1',
  label: 'QUAY-7',
  concept: 'lease::Lease',
  field: 'rent',
  type: { kind: 'scalar', name: 'Decimal' },
  known: '640',
  next: '700',
  ...more,
});
const values = [{ name: 'code', type: { kind: 'scalar', name: 'Text' }, value: 'QUAY-9' }] as const;
const insertion = (number: number): StagedInsert => ({
  kind: 'insert',
  number,
  of: 'individual',
  path: 'lease::Lease',
  label: 'QUAY-9',
  values,
  labels: {},
});
const deletion: StagedDelete = {
  kind: 'delete',
  row: '#i1',
  of: 'individual',
  path: 'lease::Lease',
  label: 'QUAY-7',
  values,
};

describe('a list of staged changes', () => {
  it('keeps one change per field, and drops it if the old value is restored', () => {
    const first = withStaged([], [set()]) ?? [];
    const second = withStaged(first, [set({ next: '720' })]) ?? [];
    expect(second).toMatchObject([{ next: '720' }]);
    expect(withStaged(second, [set({ next: '640' })])).toEqual([]);
    const both = withStaged(second, [set({ field: 'code', known: 'QUAY-7', next: 'Q' })]) ?? [];
    expect(Object.keys(stagedByIndividual(both).get('#i1') ?? {})).toEqual(['rent', 'code']);
  });

  it('keeps changes of fields with any name, and has none of others', () => {
    const both = withStaged([], [set({ field: '__proto__' }), set({ field: 'rent' })]) ?? [];
    const staged = stagedByIndividual(both).get('#i1') ?? {};
    expect(Object.keys(staged)).toEqual(['__proto__', 'rent']);
    expect(staged['constructor']).toBeUndefined();
  });

  it('replaces the changes of an individual by its deletion', () => {
    const other = set({ id: '#i2' });
    expect(withStaged([set(), other, set({ field: 'code' })], [deletion])).toEqual([other, deletion]);
    expect(withStaged([deletion], [deletion])).toEqual([deletion]);
  });

  it('keeps an edited new row at its position', () => {
    const before = [insertion(1), set(), insertion(2)];
    const edited = { ...insertion(1), label: 'QUAY-10' };
    expect(withStaged(before, [edited])).toEqual([edited, set(), insertion(2)]);
    expect(nextNumber(before)).toBe(3);
    expect(without(before, [insertion(1)])).toEqual([set(), insertion(2)]);
  });

  it('rejects all additions if they exceed the maximum', () => {
    const full: readonly StagedChange[] = Array.from({ length: STAGED_MAX }, (_, at) => insertion(at + 1));
    expect(withStaged(full, [set()])).toBeUndefined();
    expect(withStaged(full.slice(1), [set(), deletion])).toEqual([...full.slice(1), deletion]);
    expect(withStaged(full.slice(1), [set({ id: '#i2' }), deletion])).toBeUndefined();
    expect(withStaged(full, [insertion(7)])).toHaveLength(STAGED_MAX);
  });

  it('supports undo and redo by step, except for changes that were saved', () => {
    const [first, second, third] = [set(), set({ next: '720' }), set({ field: 'code', known: 'Q', next: 'R' })];
    for (const after of [[first], [second], [second, third]]) stepStaged('here', after);
    expect(takeBackStaged('here', false)).toBe(true);
    expect(takeBackStaged('here', false)).toBe(true);
    expect(stagedAt('here')).toEqual([first]);
    expect(takeBackStaged('here', true) && takeBackStaged('here', true)).toBe(true);
    expect(stagedAt('here')).toEqual([second, third]);
    expect(takeBackStaged('here', true), 'no further step to redo').toBe(false);
    expect(takeBackStaged('there', false), 'scopes have separate steps').toBe(false);

    leaveSaved('here', [second]);
    expect(stagedAt('here')).toEqual([third]);
    takeBackStaged('here', false);
    expect(stagedAt('here')).toEqual([]);
    takeBackStaged('here', true);
    leaveSaved('here', [third]);
    expect(takeBackStaged('here', false), 'a saved change cannot be undone').toBe(false);
  });
});

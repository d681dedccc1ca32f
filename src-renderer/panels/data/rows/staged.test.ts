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

describe('staged changes', () => {
  it('are one a field, and none where it is given its value back', () => {
    const first = withStaged([], [set()]) ?? [];
    const second = withStaged(first, [set({ next: '720' })]) ?? [];
    expect(second).toMatchObject([{ next: '720' }]);
    expect(withStaged(second, [set({ next: '640' })])).toEqual([]);
    const both = withStaged(second, [set({ field: 'code', known: 'QUAY-7', next: 'Q' })]) ?? [];
    expect(Object.keys(stagedByIndividual(both).get('#i1') ?? {})).toEqual(['rent', 'code']);
  });

  it('of an individual that goes are none but that', () => {
    const other = set({ id: '#i2' });
    expect(withStaged([set(), other, set({ field: 'code' })], [deletion])).toEqual([other, deletion]);
    expect(withStaged([deletion], [deletion])).toEqual([deletion]);
  });

  it('have each new row once, where it was first staged', () => {
    const before = [insertion(1), set(), insertion(2)];
    const edited = { ...insertion(1), label: 'QUAY-10' };
    expect(withStaged(before, [edited])).toEqual([edited, set(), insertion(2)]);
    expect(nextNumber(before)).toBe(3);
    expect(without(before, [insertion(1)])).toEqual([set(), insertion(2)]);
  });

  it('are refused, all at once, where they would be too many to read through, and those before stay', () => {
    const full: readonly StagedChange[] = Array.from({ length: STAGED_MAX }, (_, at) => insertion(at + 1));
    expect(withStaged(full, [set()])).toBeUndefined();
    expect(withStaged(full.slice(1), [set(), deletion])).toEqual([...full.slice(1), deletion]);
    expect(withStaged(full.slice(1), [set({ id: '#i2' }), deletion])).toBeUndefined();
    expect(withStaged(full, [insertion(7)])).toHaveLength(STAGED_MAX);
  });

  it('are taken back step by step, and staged again, but for those that are saved meanwhile', () => {
    const [first, second, third] = [set(), set({ next: '720' }), set({ field: 'code', known: 'Q', next: 'R' })];
    for (const after of [[first], [second], [second, third]]) stepStaged('here', after);
    expect(takeBackStaged('here', false)).toBe(true);
    expect(takeBackStaged('here', false)).toBe(true);
    expect(stagedAt('here')).toEqual([first]);
    expect(takeBackStaged('here', true) && takeBackStaged('here', true)).toBe(true);
    expect(stagedAt('here')).toEqual([second, third]);
    expect(takeBackStaged('here', true), 'nothing more to stage again').toBe(false);
    expect(takeBackStaged('there', false), 'each place has its own').toBe(false);

    leaveSaved('here', [second]);
    expect(stagedAt('here')).toEqual([third]);
    takeBackStaged('here', false);
    expect(stagedAt('here')).toEqual([]);
    takeBackStaged('here', true);
    leaveSaved('here', [third]);
    expect(takeBackStaged('here', false), 'what is saved is not unstaged').toBe(false);
  });
});

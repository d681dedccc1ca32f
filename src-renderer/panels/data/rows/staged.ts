/** Staged changes: stored in the browser until saved as one mutation, or discarded. */

import type { JsonValue, WireType } from '../../../../src-runtime/api/schemas/schemas.js';
import { createPersistentStore, isRecordOf, mergedMembers } from '../../../state/store.js';
import type { Via } from './set-statements.js';
import type { GridRow } from './use-rows.js';

export type StagedChange = StagedSet | StagedInsert | StagedDelete;

/** Sets a field of an individual. */
export interface StagedSet {
  /** Absent in changes stored by older versions. */
  readonly kind?: 'set';
  readonly id: string;
  /** The label of the individual, and its concept. */
  readonly label: string;
  readonly concept: string;
  readonly field: string;
  readonly type: WireType;
  /** The relation that the field reads, if it is not an own field. */
  readonly via?: Via;
  /** The old and the new value. */
  readonly known: JsonValue;
  readonly next: JsonValue;
}

/** A field of an individual, or an endpoint of a fact. */
export interface StagedValue {
  readonly name: string;
  readonly type: WireType;
  readonly value: JsonValue;
}

interface StagedRow {
  readonly of: 'individual' | 'fact';
  /** The concept or the relation. */
  readonly path: string;
  /** Its label. */
  readonly label: string;
  readonly values: readonly StagedValue[];
}

/** Inserts an individual or a fact. Omitted fields get their default, or none. */
export interface StagedInsert extends StagedRow {
  readonly kind: 'insert';
  /** Unique key. */
  readonly number: number;
  /** Labels of the referenced individuals. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Deletes an individual or a fact. */
export interface StagedDelete extends StagedRow {
  readonly kind: 'delete';
  /** The id of the individual, or the key of the fact in its list. */
  readonly row: string;
  /** Stored fields and endpoints when the deletion was staged. */
  readonly values: readonly StagedValue[];
}

/** By scope as text: forks and tenants have separate ones. */
export const stagedChanges = createPersistentStore<Readonly<Record<string, readonly StagedChange[]>>>(
  'entail.staged',
  {},
  (value): value is Record<string, StagedChange[]> =>
    isRecordOf(value, (changes): changes is StagedChange[] => Array.isArray(changes) && changes.every(isChange)),
  { merge: mergedMembers },
);

/** Maximum number: enough for a block of cells that can be reviewed; they are one request, and stored in the browser. */
export const STAGED_MAX = 500;

/** Unique key among staged changes. */
export function changeKey(change: StagedChange): string {
  if (change.kind === 'insert') return `insert ${change.number}`;
  return change.kind === 'delete' ? `delete ${change.row}` : `set ${change.id} ${change.field}`;
}

/** The key of a deletion. */
export function stagedRowOf({ individual, why }: GridRow): string {
  return individual ?? why;
}

/**
 * Adds these changes, or replaces earlier ones of the same target. Removes those that set the original value, and field changes
 * of deleted individuals. Undefined if there are too many.
 */
export function withStaged(
  before: readonly StagedChange[],
  changes: readonly StagedChange[],
): readonly StagedChange[] | undefined {
  const after = changes.reduce(withOne, before);
  return after.length > STAGED_MAX && after.length > before.length ? undefined : after;
}

function withOne(before: readonly StagedChange[], change: StagedChange): readonly StagedChange[] {
  if (isNothing(change)) return without(before, [change]);
  const others = change.kind !== 'delete' ? before : before.filter((each) => !isSet(each) || each.id !== change.row);
  const key = changeKey(change);
  const isThere = others.some((each) => changeKey(each) === key);
  return isThere ? others.map((each) => (changeKey(each) === key ? change : each)) : [...others, change];
}

export function without(before: readonly StagedChange[], changes: readonly StagedChange[]): readonly StagedChange[] {
  const keys = new Set(changes.map(changeKey));
  return before.filter((each) => !keys.has(changeKey(each)));
}

function isNothing(change: StagedChange): boolean {
  return isSet(change) && JSON.stringify(change.known) === JSON.stringify(change.next);
}

export function isSet(change: StagedChange): change is StagedSet {
  return change.kind !== 'insert' && change.kind !== 'delete';
}

/** A new number for an inserted row. */
export function nextNumber(changes: readonly StagedChange[]): number {
  return Math.max(0, ...changes.map((change) => (change.kind === 'insert' ? change.number : 0))) + 1;
}

export function setStaged(place: string, after: readonly StagedChange[]): void {
  stagedChanges.update(({ [place]: _before, ...others }) =>
    after.length === 0 ? others : { ...others, [place]: after },
  );
}

export function stagedAt(place: string): readonly StagedChange[] {
  return stagedChanges.get()[place] ?? NONE;
}

const NONE: readonly StagedChange[] = [];

/** Field changes by individual and field. */
export type StagedByIndividual = ReadonlyMap<string, Readonly<Record<string, StagedSet>>>;

export function stagedByIndividual(changes: readonly StagedChange[]): StagedByIndividual {
  const byId = new Map<string, Record<string, StagedSet>>();
  for (const change of changes) {
    // Without inherited members, a field named `constructor` has no change.
    if (isSet(change))
      byId.set(change.id, { __proto__: null, ...byId.get(change.id), [change.field]: change } as never);
  }
  return byId;
}

function isChange(value: unknown): value is StagedChange {
  const { kind = 'set', ...change } = (value ?? {}) as Partial<Record<string, unknown>>;
  const { id, label, concept, field, type, path, values, number, labels, row } = change;
  if (kind === 'set') return areTexts(id, label, concept, field) && typeof type === 'object';
  if (!areTexts(label, path) || !Array.isArray(values)) return false;
  if (kind === 'delete') return areTexts(row);
  return kind === 'insert' && typeof number === 'number' && typeof labels === 'object' && labels !== null;
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((each) => typeof each === 'string');
}

/** What is to be done to rows together: kept by the browser until it is saved as one mutation, or left. */

import type { JsonValue, WireType } from '../../../../src-runtime/api/schemas/schemas.js';
import { createKeptStore, isRecordOf, mergedMembers } from '../../../state/store.js';
import type { Via } from './set-statements.js';
import type { GridRow } from './use-rows.js';

export type StagedChange = StagedSet | StagedInsert | StagedDelete;

/** A field of an individual gets another value. */
export interface StagedSet {
  /** Pages that knew of nothing else have kept them without. */
  readonly kind?: 'set';
  readonly id: string;
  /** What the individual is called, and its concept. */
  readonly label: string;
  readonly concept: string;
  readonly field: string;
  readonly type: WireType;
  /** The relation that it reads, where it is none of its own. */
  readonly via?: Via;
  /** What it was when somebody chose to change it, and what it is to be. */
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
  /** The concept, or the relation. */
  readonly path: string;
  /** What it is called. */
  readonly label: string;
  readonly values: readonly StagedValue[];
}

/** A new individual, or a fact. What is left out has its default, or is none. */
export interface StagedInsert extends StagedRow {
  readonly kind: 'insert';
  /** Tells it from the others. */
  readonly number: number;
  /** What the individuals are called that it refers to. */
  readonly labels: Readonly<Record<string, string>>;
}

/** An individual or a fact that goes. */
export interface StagedDelete extends StagedRow {
  readonly kind: 'delete';
  /** The id of the individual, or what tells the fact from others in its list. */
  readonly row: string;
  /** Stored fields and endpoints, as they were when somebody chose to delete it. */
  readonly values: readonly StagedValue[];
}

/** By the place of the page, as text: another fork or tenant has others. */
export const stagedChanges = createKeptStore<Readonly<Record<string, readonly StagedChange[]>>>(
  'entail.staged',
  {},
  (value): value is Record<string, StagedChange[]> =>
    isRecordOf(value, (changes): changes is StagedChange[] => Array.isArray(changes) && changes.every(isChange)),
  { merge: mergedMembers },
);

/** As many as a block of cells may have that one still looks through; they are one request, and all its text is kept by the browser. */
export const STAGED_MAX = 500;

/** Tells it from the others that are staged. */
export function changeKey(change: StagedChange): string {
  if (change.kind === 'insert') return `insert ${change.number}`;
  return change.kind === 'delete' ? `delete ${change.row}` : `set ${change.id} ${change.field}`;
}

/** By what a row is deleted. */
export function stagedRowOf({ individual, why }: GridRow): string {
  return individual ?? why;
}

/**
 * With these behind the others, or in the place of an earlier change of the same: none, where a field would be what it was, and of
 * an individual that goes no fields. Undefined where they would be too many.
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

/** The number of another row that is to be inserted. */
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

/** What is to be set, by individual and field. */
export type StagedByIndividual = ReadonlyMap<string, Readonly<Record<string, StagedSet>>>;

export function stagedByIndividual(changes: readonly StagedChange[]): StagedByIndividual {
  const byId = new Map<string, Record<string, StagedSet>>();
  for (const change of changes) {
    if (isSet(change)) byId.set(change.id, { ...byId.get(change.id), [change.field]: change });
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

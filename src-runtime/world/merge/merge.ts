/**
 * Three-way merge: writes what changed from `base` to `source` onto a target, individual by individual, field by field and fact by
 * fact. Everything that takes changes from one state to another is a preset of it:
 *
 * | Preset                    | Base                     | Source                    | Target                       |
 * |---------------------------|--------------------------|---------------------------|------------------------------|
 * | promote                   | the fork at its creation | the fork                  | its parent                   |
 * | rebase                    | the fork at its creation | the fork                  | a new fork of an open parent |
 * | cherry-pick               | before the transaction   | after the transaction     | another fork                 |
 * | revert                    | after the transaction    | before the transaction    | the fork                     |
 * | fork of an earlier state  | now                      | then                      | a new fork                   |
 *
 * If the target changed a field since `base`, the value of the source wins unless the caller keeps the target's, and the conflict is
 * reported.
 */

import { ApiError } from '../../api/errors.js';
import type { ForkConflict } from '../../api/schemas/fork-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Json } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import { type FieldInfo, individualsIn, toWire, type Value, type View } from '../../engine/index.js';
import type { FieldsFromParent } from '../contract/requests.js';
import { conceptOf } from '../state/individuals.js';
import { fieldValue } from '../state/scope.js';
import { encodeTuple } from '../state/stored-tuples.js';
import {
  deleteFacts,
  deleteIndividual,
  initialValue,
  insertFact,
  invalid,
  type OpenTransaction,
  restoreIndividual,
  setField,
} from '../write/open-transaction.js';
import type { NetChange } from './changes.js';

/** What a merge reads of a state, in wire values. */
export interface MergeState {
  exists(id: string): boolean;
  /** Null if the field has no value. */
  field(id: string, field: FieldInfo): Json;
  has(relation: string, tuple: readonly Json[]): boolean;
  /** The value at position `at` in the fact that has the other values of the tuple. States without it report no conflicts of facts. */
  valueAt?(relation: string, tuple: readonly Json[], at: number, deadline: Deadline): Promise<Json | undefined>;
}

export interface Delta {
  readonly base: MergeState;
  readonly source: MergeState;
  /** Where the two may differ, in the order to write it. */
  readonly changes: Iterable<NetChange>;
}

export interface MergeTarget {
  readonly writing: OpenTransaction;
  /** The target without the merge. */
  readonly before: View;
  /** Fields whose value in the target wins. */
  readonly keep?: FieldsFromParent | undefined;
  /** A field of an individual that the target lacks, or a required field without a value, is skipped. Otherwise it refuses the merge. */
  readonly skipsUnwritable: boolean;
  /**
   * What restored individuals get where a module that was loaded since requires a value: nothing, the default if there is one, or the
   * default or a refusal.
   */
  readonly completion: 'none' | 'default' | 'required';
  /** The error for a change that the target cannot take. */
  readonly refused: (error: ApiError, change: NetChange) => ApiError;
}

/** A merge under way. */
interface Merge extends Delta, MergeTarget {
  readonly now: MergeState;
  readonly conflicts: ForkConflict[];
  /** By individual, the change that restored it. */
  readonly restored: Map<string, NetChange & { readonly kind: 'individual' }>;
}

/** Throws VALIDATION_FAILED if the target cannot take a change. Checks are up to the caller. */
export async function merge(delta: Delta, target: MergeTarget, deadline: Deadline): Promise<readonly ForkConflict[]> {
  const conflicts: ForkConflict[] = [];
  const merging: Merge = { ...delta, ...target, now: stateOf(target.before), conflicts, restored: new Map() };
  for (const change of delta.changes) {
    await deadline.checkpoint();
    await naming(target, change, () => apply(merging, change, deadline));
  }
  if (target.completion === 'none') return conflicts;
  for (const change of merging.restored.values()) await naming(target, change, async () => complete(merging, change));
  return conflicts;
}

export function stateOf(view: View): MergeState {
  const { interner } = view;
  return {
    exists: (id) => conceptOf(view, interner.encodeIndividual(id)) !== undefined,
    field: (id, { path, type }) => toWire(type, fieldValue(view, interner.encodeIndividual(id), path)),
    has(relation, tuple) {
      const codes = encodeTuple(view, relation, tuple);
      return codes !== undefined && view.stored(relation).has(codes);
    },
    async valueAt(relation, tuple, at, deadline) {
      const reader = view.stored(relation);
      const pattern = encodeTuple(view, relation, tuple)?.map((code, index) => (index === at ? null : code)) ?? [];
      const others = [...pattern.keys()].filter((index) => index !== at);
      await reader.prepare(others, deadline);
      const type = reader.info.endpoints[at]?.type;
      for (const row of reader.match(pattern)) if (type) return toWire(type, interner.decode(type, row[at] ?? 0));
      return undefined;
    },
  };
}

async function naming({ refused }: MergeTarget, change: NetChange, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'SVC_RUNTIME_VALIDATION_FAILED') throw error;
    throw refused(error, change);
  }
}

async function apply(merging: Merge, change: NetChange, deadline: Deadline): Promise<void> {
  switch (change.kind) {
    case 'individual':
      await applyIndividual(merging, change, deadline);
      return;
    case 'field':
      applyField(merging, change);
      return;
    case 'fact':
      await applyFact(merging, change, deadline);
      return;
  }
}

async function applyIndividual(
  { base, source, writing, restored }: Merge,
  change: NetChange & { readonly kind: 'individual' },
  deadline: Deadline,
): Promise<void> {
  const { id, concept } = change;
  const isThere = source.exists(id);
  if (base.exists(id) === isThere || !writing.scope.program.concepts.has(concept)) return;
  if (!isThere) await deleteIndividual(writing, id, deadline);
  else if (!isInTarget(writing, id)) {
    restoreIndividual(writing, id, concept);
    restored.set(id, change);
  }
}

function applyField(merging: Merge, change: NetChange & { readonly kind: 'field' }): void {
  const { base, source, writing, restored, skipsUnwritable } = merging;
  const { id, ifRestored = false } = change;
  const field = writing.scope.program.fields.get(change.field);
  if (field === undefined || field.navigation || (ifRestored && !restored.has(id))) return;
  if (!source.exists(id)) {
    reportConflict(merging, id, field, change.seq, true);
    return;
  }
  const [was, value] = [base.field(id, field), source.field(id, field)];
  // Erasing an individual takes the value of required fields that referred to it.
  const isMissing = value === null && field.type.kind !== 'optional';
  if (isSame(was, value) && (skipsUnwritable || !isMissing)) return;
  if (!isInTarget(writing, id) && (skipsUnwritable || (value === null && refersToDeleted(source, field, was)))) return;
  if (reportConflict(merging, id, field, change.seq) === 'parent' || (isMissing && skipsUnwritable)) return;
  setField(writing, id, field, heldValue(writing, id, field, value));
}

/** Deleting an individual clears the fields that refer to it. */
function refersToDeleted(source: MergeState, { type }: FieldInfo, was: Json): boolean {
  if (type.kind !== 'optional') return false;
  for (const { id } of individualsIn(type, was as Value)) if (!source.exists(id)) return true;
  return false;
}

async function applyFact(
  merging: Merge,
  change: NetChange & { readonly kind: 'fact' },
  deadline: Deadline,
): Promise<void> {
  const { base, source, writing } = merging;
  const { relation, tuple } = change;
  const isThere = source.has(relation, tuple);
  if (base.has(relation, tuple) === isThere) return;
  const values = decoded(writing, relation, tuple);
  if (values === undefined) {
    const isStored = writing.scope.program.relations.get(relation)?.kind === 'stored';
    if (isThere && isStored) throw invalid(`"${relation}" can no longer hold ${JSON.stringify(tuple)}.`, { relation });
    return;
  }
  if (!isThere) await deleteFacts(writing, relation, values, deadline);
  else if (!(await targetFactWins(merging, change, deadline))) insertFact(writing, relation, values);
}

/** Reports whether the target has changed the field since the base, and whose value wins. A deletion always wins. */
function reportConflict(
  { base, source, now, keep = [], conflicts }: Merge,
  id: string,
  field: FieldInfo,
  seq: number,
  deleted = false,
): ForkConflict['kept'] | undefined {
  if (field.navigation || !now.exists(id)) return undefined;
  const read = (state: MergeState) => state.field(id, field) as JsonValue;
  const [was, own, other] = [read(base), read(source), read(now)];
  if (isSame(was, other) || isSame(own, other)) return undefined;
  const kept = isKept(keep, id, field.path) && !deleted ? 'parent' : 'fork';
  const values = { base: was, fork: own, parent: other, seq, kept } as const;
  conflicts.push({ individual: id, field: field.path, ...values, ...(deleted && { deleted }) });
  return kept;
}

/**
 * Reports that the target has given a `[0..1]` endpoint of the fact another value since the base. Returns true if the target's value
 * wins. Otherwise both facts are written, and the guard refuses that.
 */
async function targetFactWins(
  { base, now, writing, keep = [], conflicts }: Merge,
  { relation, tuple, seq }: NetChange & { readonly kind: 'fact' },
  deadline: Deadline,
): Promise<boolean> {
  let wins = false;
  for (const [at, { name, functional }] of (writing.scope.program.relations.get(relation)?.endpoints ?? []).entries()) {
    if (!functional || base.valueAt === undefined) continue;
    const was = (await base.valueAt(relation, tuple, at, deadline)) ?? null;
    const other = await now.valueAt?.(relation, tuple, at, deadline);
    const own = tuple[at] ?? null;
    if (other === undefined || isSame(other, was) || isSame(other, own)) continue;
    const [only, ...more] = tuple.filter((_, index) => index !== at);
    const individual =
      typeof only === 'string' && more.length === 0 ? only : JSON.stringify(only === undefined ? [] : [only, ...more]);
    const field = `${relation}.${name}`;
    const kept = isKept(keep, individual, field) ? 'parent' : 'fork';
    const values = { base: was, fork: own, parent: other } as Pick<ForkConflict, 'base' | 'fork' | 'parent'>;
    conflicts.push({ individual, field, ...values, seq, kept });
    wins ||= kept === 'parent';
  }
  return wins;
}

function isKept(keep: FieldsFromParent, id: string, path: string): boolean {
  return keep === 'all' || keep.some(([holder, field]) => holder === id && field === path);
}

function complete({ writing, completion }: Merge, { id, concept }: NetChange & { readonly kind: 'individual' }): void {
  const code = writing.interner.encodeIndividual(id);
  for (const field of writing.scope.program.classes.get(concept)?.fields ?? []) {
    if (field.navigation || field.type.kind === 'optional') continue;
    if (fieldValue(writing.overlay.view, code, field.path) !== null) continue;
    const value = initialValue(writing, field, new Map());
    if (value !== null) setField(writing, id, field, value);
    else if (completion === 'required') {
      const message = `"${field.path}" is required, and the history has no value for ${id}.`;
      throw invalid(message, { field: field.path });
    }
  }
}

function isInTarget({ interner, overlay: transaction }: OpenTransaction, id: string): boolean {
  return conceptOf(transaction.view, interner.encodeIndividual(id)) !== undefined;
}

/** Throws VALIDATION_FAILED if the field has another type now. */
function heldValue(writing: OpenTransaction, id: string, { path }: FieldInfo, value: Json): Value {
  if (value === null) return null;
  const found = decoded(writing, path, [id, value])?.[1];
  if (found !== undefined) return found;
  throw invalid(`"${path}" can no longer hold ${JSON.stringify(value)}.`, { individual: id, field: path });
}

/** Undefined if the module has no place for the tuple. */
function decoded(
  { scope, interner, overlay: transaction }: OpenTransaction,
  path: string,
  tuple: readonly Json[],
): Value[] | undefined {
  const codes = encodeTuple(transaction.view, path, tuple);
  const endpoints = scope.program.relations.get(path)?.endpoints ?? [];
  return codes && endpoints.map(({ type }, index) => interner.decode(type, codes[index] ?? 0));
}

function isSame(left: Json, right: Json): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/**
 * Merges what a fork, or one transaction, changed all in all into another state: field by field, individual by individual, fact
 * by fact. What was done and undone again is no change. Where both sides changed a field since the changes began, the value of
 * the changes is kept, unless that of the other state is asked for, and the conflict is told.
 */

import { ApiError } from '../../api/errors.js';
import type { ForkConflict } from '../../api/schemas/fork-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Json } from '../../artifact/types.js';
import { invariant } from '../../base/invariant.js';
import type { Deadline } from '../../base/ports.js';
import { type FieldInfo, toWire, type Value, type View } from '../../engine/index.js';
import type { KeptOfParent } from '../contract/requests.js';
import { requireClosable, requireOpen, writingAlone } from '../state/forks.js';
import { conceptOf } from '../state/individuals.js';
import { type NetChange, netChanges } from '../state/net-changes.js';
import { ownTransactions } from '../state/open-scope.js';
import { type Branch, type Fork, fieldValue } from '../state/scope.js';
import type { SessionParts } from '../state/session-parts.js';
import { encodeTuple } from '../state/stored-tuples.js';
import {
  deleteFacts,
  deleteIndividual,
  insertFact,
  restoreIndividual,
  setField,
  type Writing,
} from '../write/writing.js';

/** What is merged: the changes, what they began as, and what they came to. Whoever merges them releases the views. */
export interface Changes {
  /** The fork whose events they are, by its id. */
  readonly of: string;
  readonly net: readonly NetChange[];
  readonly base: View;
  readonly mine: View;
}

/** A merge under way: the changes, the other state as it was before, and as it becomes. */
export interface Merge extends Omit<Changes, 'net'> {
  /** Whose state the other one is. */
  readonly parent: Fork;
  readonly before: View;
  readonly writing: Writing;
  readonly keep: KeptOfParent;
  readonly conflicts: ForkConflict[];
}

/** What is done with a fork: where it goes, and in words. */
export interface MergeKind {
  /** The fork that its changes go onto, which has to be open. */
  readonly onto: (fork: Fork) => Fork | null;
  /** `promoted`, behind "cannot be". */
  readonly done: string;
  /** What helps where the other state cannot take an event: whole sentences. */
  readonly wayOut: string;
}

/** The nearest of the forks that this one came from that is open; `main` always is. */
export function openAncestor({ parent }: Fork): Fork | null {
  return parent === null || parent.status === 'open' ? parent : openAncestor(parent);
}

/**
 * Hands over the open fork that the session's one goes onto, while nobody else writes. Throws VALIDATION_FAILED for `main`, and
 * FORK_CLOSED for the fork and for what it would go onto.
 */
export function withTarget<T>(
  { scope, fork }: Pick<SessionParts, 'scope' | 'fork'>,
  { onto, done }: MergeKind,
  deadline: Deadline,
  work: (target: Fork, branch: Branch) => Promise<T>,
): Promise<T> {
  requireClosable(fork, done);
  return writingAlone(scope, deadline, async () => {
    requireOpen(fork);
    const target = onto(fork);
    invariant(target !== null, 'a fork that is not main has a parent');
    if (target.branch !== undefined && target.status === 'open') return work(target, target.branch);
    throw new ApiError(
      'SVC_RUNTIME_FORK_CLOSED',
      `The fork "${fork.id}" cannot be ${done}: its parent "${target.id}" has been ${target.status} and takes no more changes. Bring it up to date first (POST /v1/forks/{fork}/update): that makes a fork of an open one with its changes, which can be ${done}.`,
      { fork: target.id, status: target.status },
    );
  });
}

/** Where a merge goes. */
interface Target {
  readonly parent: Fork;
  /** The parent's, or one that begins as it is. */
  readonly branch: Branch;
  readonly begin: () => Writing;
  readonly keep: KeptOfParent | undefined;
  readonly words: Pick<MergeKind, 'wayOut'>;
}

/** All that the session's fork has changed since it was made. */
export async function changesOfFork({ scope, store, fork }: SessionParts, deadline: Deadline): Promise<Changes> {
  const own = requireOpen(fork);
  invariant(own.base !== null, 'a fork that can be merged has begun as something');
  const net = await netChanges(ownTransactions(store, scope.scopeId, fork), deadline);
  return { of: fork.id, net, base: own.base.view(), mine: own.facts.view() };
}

/**
 * Writes the changes onto the target and hands that to `work`. It is undone afterwards, unless `work` commits it and says so.
 * Throws VALIDATION_FAILED for what the target cannot take.
 */
export async function merging<T>(
  { net, ...changes }: Changes,
  { parent, branch, begin, keep, words }: Target,
  deadline: Deadline,
  work: (merge: Merge, committed: () => void) => Promise<T>,
): Promise<T> {
  const before = branch.facts.view();
  const writing = begin();
  let isCommitted = false;
  try {
    const merge: Merge = { ...changes, parent, before, writing, keep: keep ?? [], conflicts: [] };
    const touched = new Set(net.map((change) => (change.kind === 'field' ? `${change.id} ${change.field}` : '')));
    for (const change of net) {
      await deadline.checkpoint();
      await naming(merge, words, change, () => apply(merge, change, deadline));
      if (change.kind !== 'individual') continue;
      for (const field of fieldsLeftBehind(merge, change, touched))
        await naming(merge, words, change, async () => applyField(merge, change.id, field, change.seq));
    }
    return await work(merge, () => {
      isCommitted = true;
    });
  } finally {
    if (!isCommitted) writing.transaction.rollback();
    for (const view of [changes.base, changes.mine, before]) view.release();
  }
}

/** Of who went and came back: the fields that went with it, without events of their own, and have none since either. */
function fieldsLeftBehind(
  { base, mine, writing }: Merge,
  { id, concept }: NetChange & { readonly kind: 'individual' },
  touched: ReadonlySet<string>,
): readonly string[] {
  const code = writing.interner.encodeIndividual(id);
  if (conceptOf(base, code) === undefined || conceptOf(mine, code) === undefined) return [];
  const fields = writing.scope.program.classes.get(concept)?.fields ?? [];
  return fields.map(({ path }) => path).filter((path) => !touched.has(`${id} ${path}`));
}

async function apply(merge: Merge, change: NetChange, deadline: Deadline): Promise<void> {
  switch (change.kind) {
    case 'individual':
      await applyIndividual(merge, change, deadline);
      return;
    case 'field':
      applyField(merge, change.id, change.field, change.seq);
      return;
    case 'fact':
      await applyFact(merge, change, deadline);
      return;
  }
}

async function applyIndividual(
  merge: Merge,
  { id, concept, seq }: NetChange & { readonly kind: 'individual' },
  deadline: Deadline,
): Promise<void> {
  const { base, mine, writing } = merge;
  const { program } = writing.scope;
  const code = writing.interner.encodeIndividual(id);
  const [was, is] = [conceptOf(base, code) !== undefined, conceptOf(mine, code) !== undefined];
  if (was === is || !program.concepts.has(concept)) return;
  if (is) {
    // One that came or comes back in the fork may be here already.
    if (conceptOf(writing.transaction.view, code) === undefined) restoreIndividual(writing, id, concept);
    return;
  }
  for (const field of program.classes.get(concept)?.fields ?? []) noteConflict(merge, id, field, seq, true);
  await deleteIndividual(writing, id, deadline);
}

function applyField(merge: Merge, id: string, path: string, seq: number): void {
  const { base, mine, writing } = merge;
  const { program } = writing.scope;
  const field = program.fields.get(path);
  const code = writing.interner.encodeIndividual(id);
  if (field === undefined || field.navigation || conceptOf(mine, code) === undefined) return;
  const value = fieldValue(mine, code, path);
  // A required field loses its value with an individual that is forgotten; its holder cannot go to the parent like that.
  const isMissing = value === null && field.type.kind !== 'optional';
  const was = fieldValue(base, code, path);
  if (!isMissing && isSame(wireOf(field, was), wireOf(field, value))) return;
  const isGone = conceptOf(writing.transaction.view, code) === undefined;
  if (isGone && value === null && isOfDeleted(mine, field, was)) return;
  if (noteConflict(merge, id, field, seq) !== 'parent') setField(writing, id, field, value);
}

/** Whether the value is an individual that is no more, with which references to it were cleared. */
function isOfDeleted(mine: View, { type }: FieldInfo, was: Value): boolean {
  const isReference = type.kind === 'optional' && type.of.kind === 'class';
  return isReference && typeof was === 'string' && conceptOf(mine, mine.interner.encodeIndividual(was)) === undefined;
}

/** Tells where the parent has changed a field that was changed otherwise, and whose value is kept. Of who was deleted nothing is. */
function noteConflict(
  { base, mine, before, keep, conflicts }: Merge,
  id: string,
  field: FieldInfo,
  seq: number,
  deleted = false,
): ForkConflict['kept'] | undefined {
  const code = before.interner.encodeIndividual(id);
  if (field.navigation || conceptOf(before, code) === undefined) return undefined;
  const read = (from: View) => wireOf(field, fieldValue(from, code, field.path));
  const [was, own, other] = [read(base), read(mine), read(before)];
  if (isSame(was, other) || isSame(own, other)) return undefined;
  const kept = isAsked(keep, id, field.path) && !deleted ? 'parent' : 'fork';
  const values = { base: was, fork: own, parent: other, seq, kept } as const;
  conflicts.push({ individual: id, field: field.path, ...values, ...(deleted && { deleted }) });
  return kept;
}

function isAsked(keep: KeptOfParent, id: string, path: string): boolean {
  return keep === 'all' || keep.some(([holder, field]) => holder === id && field === path);
}

async function applyFact(
  merge: Merge,
  { relation, tuple, seq }: NetChange & { readonly kind: 'fact' },
  deadline: Deadline,
): Promise<void> {
  const { base, mine, writing } = merge;
  const codes = encodeTuple(mine, relation, tuple);
  if (codes === undefined) return;
  const [was, is] = [base.stored(relation).has(codes), mine.stored(relation).has(codes)];
  if (was === is) return;
  const endpoints = writing.scope.program.relations.get(relation)?.endpoints ?? [];
  const values = endpoints.map(({ type }, index) => mine.interner.decode(type, codes[index] ?? 0));
  if (!is) await deleteFacts(writing, relation, values, deadline);
  else if (!(await keepsOther(merge, relation, codes, seq, deadline))) insertFact(writing, relation, values);
}

/**
 * Tells where a `[0..1]` endpoint of the fact has got another value in the parent since, which both cannot have: true where the
 * parent's is asked for. Where it is not, both are written, and a guard refuses that.
 */
async function keepsOther(
  { base, before, keep, conflicts }: Merge,
  relation: string,
  codes: readonly number[],
  seq: number,
  deadline: Deadline,
): Promise<boolean> {
  const { endpoints } = before.stored(relation).info;
  let isOfParent = false;
  for (const [at, { name, type, functional }] of endpoints.entries()) {
    if (!functional) continue;
    const pattern = codes.map((code, index) => (index === at ? null : code));
    const valueIn = async (view: View): Promise<number | undefined> => {
      const reader = view.stored(relation);
      await reader.prepare(
        [...pattern.keys()].filter((index) => index !== at),
        deadline,
      );
      for (const row of reader.match(pattern)) return row[at];
      return undefined;
    };
    const [was, other, own] = [await valueIn(base), await valueIn(before), codes[at]];
    if (other === undefined || other === was || other === own) continue;
    const wire = (code: number | undefined, of = type): Json =>
      code === undefined ? null : toWire(of, before.interner.decode(of, code));
    const others = endpoints.flatMap((each, index) => (index === at ? [] : [wire(codes[index], each.type)]));
    const [only, ...more] = others;
    const individual = typeof only === 'string' && more.length === 0 ? only : JSON.stringify(others);
    const field = `${relation}.${name}`;
    const kept = isAsked(keep, individual, field) ? 'parent' : 'fork';
    const values = { base: wire(was), fork: wire(own), parent: wire(other) } as Pick<
      ForkConflict,
      'base' | 'fork' | 'parent'
    >;
    conflicts.push({ individual, field, ...values, seq, kept });
    isOfParent ||= kept === 'parent';
  }
  return isOfParent;
}

/** What the parent cannot take is told with the event that brings it. */
async function naming(
  { of, parent }: Merge,
  { wayOut }: Target['words'],
  { seq, txn }: NetChange,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'SVC_RUNTIME_VALIDATION_FAILED') throw error;
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `Event ${seq} of the fork "${of}" cannot be replayed on "${parent.id}": ${error.message} ${wayOut}`,
      { ...error.details, fork: of, parent: parent.id, seq, txn },
    );
  }
}

function wireOf(field: FieldInfo, value: Value): JsonValue {
  return toWire(field.type, value) as JsonValue;
}

/** Of values on the wire. */
export function isSame(left: Json | JsonValue, right: Json | JsonValue): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

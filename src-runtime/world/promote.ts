/**
 * Promotes a fork: what it changed, all in all, is written onto its parent as one transaction under the parent's guards,
 * and the fork is closed with it.
 *
 * What the fork did and undid again is no change. Where both sides changed a field since the fork was created, the
 * fork's value is kept, unless the parent's is asked for, and the conflict is told.
 */

import { ApiError } from '../api/errors.js';
import type { ForkConflict } from '../api/fork-schemas.js';
import type { JsonValue } from '../api/schemas.js';
import type { Json } from '../artifact/types.js';
import { invariant } from '../base/invariant.js';
import type { Pacer, Soon } from '../base/ports.js';
import { drive, type FieldInfo, toWire, type Value, type View } from '../engine/index.js';
import { StorageError, type StoredTransaction } from '../storage/event-store.js';
import { explanationSite } from './explanation-site.js';
import { closeFork, forkInfo, isoNow, requireClosable, requireOpen, writingAlone } from './forks.js';
import { guard } from './guard.js';
import { wireEvents } from './history.js';
import { conceptOf } from './individuals.js';
import { type NetChange, netChanges } from './net-changes.js';
import { ownTransactions } from './open-scope.js';
import { provingRefusal } from './refusals.js';
import type { KeptOfParent, PromoteAnswer, PromoteOptions } from './runtime.js';
import { type Branch, type Fork, fieldValue } from './scope.js';
import type { SessionParts } from './session-parts.js';
import { encodeTuple } from './stored-tuples.js';
import { commitStored, storedTransaction } from './transact.js';
import {
  beginWriting,
  deleteFacts,
  deleteIndividual,
  insertFact,
  restoreIndividual,
  setField,
  type Writing,
} from './writing.js';

/** A promotion under way: what both began as, the fork as it is, its parent as it was before, and as it becomes. */
interface Merge {
  readonly fork: Fork;
  readonly parent: Fork;
  readonly base: View;
  readonly mine: View;
  readonly before: View;
  readonly writing: Writing;
  readonly keep: KeptOfParent;
  readonly conflicts: ForkConflict[];
}

/** Throws VALIDATION_FAILED, FORK_CLOSED, CHECK_VIOLATION; nothing is kept then, nor of a dry run. */
export function promoteFork(parts: SessionParts, options: PromoteOptions, pacer: Pacer): Promise<PromoteAnswer> {
  return replayed(parts, options.keep, pacer, async ({ fork, parent, before, writing, conflicts }, commit) => {
    const { view } = writing.transaction;
    const site = options.explain === true ? explanationSite(parts, view, writing.branch, parent) : undefined;
    const warnings = await tellingConflicts(conflicts, () =>
      provingRefusal(site, before, pacer, () => guard(before, view, writing.changed, pacer)),
    );
    const stored = await drive(storedTransaction(parts, parent.id, writing, promotionCause(fork)), pacer);
    const events = await drive(wireEvents(stored), pacer);
    const answer = { events, warnings, conflicts };
    const closedAt = isoNow(parts.clock);
    if (options.dryRun) {
      const result = { ...forkInfo(fork, parts.clock), status: 'promoted' as const, closedAt };
      return { result, txn: null, ...answer };
    }
    await pacer.poll();
    const promoted = events.length === 0 ? undefined : stored;
    await store(parts, closedAt, promoted);
    if (promoted) commit(promoted);
    closeFork(parts.scope, fork, 'promoted', closedAt);
    return { result: forkInfo(fork, parts.clock), txn: promoted?.txn ?? null, ...answer };
  });
}

/** Whoever mends what a check forbids has to know of the conflicts too. */
export async function tellingConflicts<T>(conflicts: readonly unknown[], work: () => Soon<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'SVC_RUNTIME_CHECK_VIOLATION') throw error;
    throw new ApiError(error.code, error.message, { ...error.details, conflicts }, { cause: error.cause });
  }
}

/** What the history says of the transaction that promoted a fork; no other of its id can be promoted. */
export function promotionCause({ id }: Pick<Fork, 'id'>): string {
  return `promote ${id}`;
}

/**
 * Writes what the fork changed onto its parent and hands that to `work`. It is undone afterwards, unless `work` commits it.
 * Throws VALIDATION_FAILED and FORK_CLOSED.
 */
export function replayed<T>(
  parts: SessionParts,
  keep: KeptOfParent | undefined,
  pacer: Pacer,
  work: (merge: Merge, commit: (promoted: StoredTransaction) => void) => Promise<T>,
): Promise<T> {
  const { scope, fork } = parts;
  requireClosable(fork, 'promoted');
  return writingAlone(scope, async () => {
    const branch = requireOpen(fork);
    const { parent } = fork;
    invariant(parent !== null && branch.base !== null, 'a fork that can be promoted has a parent');
    const parentBranch = requireOpenParent(fork, parent);
    const changes = await netChanges(ownTransactions(parts.store, scope.scopeId, fork), pacer);
    const base = branch.base.view();
    const mine = branch.facts.view();
    const before = parentBranch.facts.view();
    const writing = beginWriting(scope, parentBranch);
    let committed = false;
    try {
      const merge: Merge = { fork, parent, base, mine, before, writing, keep: keep ?? [], conflicts: [] };
      for (const change of changes) {
        await pacer.poll();
        await naming(merge, change, () => apply(merge, change, pacer));
      }
      return await work(merge, (promoted) => {
        committed = true;
        commitStored(writing, parent, parentBranch, promoted);
      });
    } finally {
      if (!committed) writing.transaction.rollback();
      for (const view of [base, mine, before]) view.release();
    }
  });
}

function requireOpenParent(fork: Fork, parent: Fork): Branch {
  if (parent.branch !== undefined && parent.status === 'open') return parent.branch;
  throw new ApiError(
    'SVC_RUNTIME_FORK_CLOSED',
    `The fork "${fork.id}" cannot be promoted: its parent "${parent.id}" has been ${parent.status} and takes no more changes. Make the changes anew in a fork of an open one.`,
    { fork: parent.id, status: parent.status },
  );
}

async function apply(merge: Merge, change: NetChange, pacer: Pacer): Promise<void> {
  switch (change.kind) {
    case 'individual':
      await applyIndividual(merge, change, pacer);
      return;
    case 'field':
      applyField(merge, change.id, change.field, change.seq);
      return;
    case 'fact':
      await applyFact(merge, change.relation, change.tuple, pacer);
      return;
  }
}

async function applyIndividual(
  merge: Merge,
  { id, concept, seq }: NetChange & { readonly kind: 'individual' },
  pacer: Pacer,
): Promise<void> {
  const { base, mine, writing } = merge;
  const { program } = writing.scope;
  const code = writing.interner.encodeIndividual(id);
  const [was, is] = [conceptOf(base, code) !== undefined, conceptOf(mine, code) !== undefined];
  if (was === is || !program.concepts.has(concept)) return;
  if (is) {
    // One that comes back in the fork may have come back here too.
    if (conceptOf(writing.transaction.view, code) === undefined) restoreIndividual(writing, id, concept);
    return;
  }
  for (const field of program.classes.get(concept)?.fields ?? []) noteConflict(merge, id, field, seq, true);
  await deleteIndividual(writing, id, pacer);
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

/** Tells where the parent has changed a field that the fork has changed otherwise, and whose value is kept. Of whom the fork has deleted nothing is. */
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
  const isAsked = keep === 'all' || keep.some(([holder, path]) => holder === id && path === field.path);
  const kept = isAsked && !deleted ? 'parent' : 'fork';
  const values = { base: was, fork: own, parent: other, seq, kept } as const;
  conflicts.push({ individual: id, field: field.path, ...values, ...(deleted && { deleted }) });
  return kept;
}

async function applyFact(merge: Merge, relation: string, tuple: readonly Json[], pacer: Pacer): Promise<void> {
  const { base, mine, writing } = merge;
  const codes = encodeTuple(mine, relation, tuple);
  if (codes === undefined) return;
  const [was, is] = [base.stored(relation).has(codes), mine.stored(relation).has(codes)];
  if (was === is) return;
  const endpoints = writing.scope.program.relations.get(relation)?.endpoints ?? [];
  const values = endpoints.map(({ type }, index) => mine.interner.decode(type, codes[index] ?? 0));
  if (is) insertFact(writing, relation, values);
  else await deleteFacts(writing, relation, values, pacer);
}

/** What the parent cannot take is told with the event that brings it. */
async function naming({ fork, parent }: Merge, { seq, txn }: NetChange, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'SVC_RUNTIME_VALIDATION_FAILED') throw error;
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `Event ${seq} of the fork "${fork.id}" cannot be replayed on "${parent.id}": ${error.message} Undo it in the fork, then promote again.`,
      { ...error.details, fork: fork.id, parent: parent.id, seq, txn },
    );
  }
}

async function store(parts: SessionParts, closedAt: string, promoted: StoredTransaction | undefined): Promise<void> {
  const { id, txn } = parts.fork;
  try {
    await parts.store.closeFork(parts.scope.scopeId, { fork: id, txn, status: 'promoted', closedAt }, promoted);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new ApiError(
      'SVC_RUNTIME_STORAGE_ERROR',
      'The disk refused the promotion; the fork is still open and nothing was kept. Free space or bring the data directory back, then promote again.',
      {},
      { cause: error },
    );
  }
}

function wireOf(field: FieldInfo, value: Value): JsonValue {
  return toWire(field.type, value) as JsonValue;
}

function isSame(left: JsonValue, right: JsonValue): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

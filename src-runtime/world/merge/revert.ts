/**
 * Reverts a transaction of a fork's history, or the promotion of a fork, with one more transaction under the fork's blocking checks.
 *
 * The two states around the transaction are known only where it changed something: what it wrote is in its events, and what a field
 * held before is read from the history. So a revert costs no replay.
 */

import { ApiError } from '../../api/errors.js';
import type { ForkConflict, UndoConflict } from '../../api/schemas/fork-schemas.js';
import type { Firing } from '../../api/schemas/schemas.js';
import type { Json } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import type { Cause, StoredEvent, StoredTransaction } from '../../storage/event-store.js';
import type { DryRunOptions, RevertResponse, UndoneTransaction } from '../contract/requests.js';
import { explanationSite } from '../explain/explanation-site.js';
import type { HistorySite } from '../read/events.js';
import { forkInfo, requireOpen } from '../state/forks.js';
import { historyOf } from '../state/open-scope.js';
import type { Branch, Fork } from '../state/scope.js';
import type { Session } from '../state/session.js';
import type { OpenTransaction } from '../write/open-transaction.js';
import { guarded, type TransactionResult, transact } from '../write/transact.js';
import { inReverse, type NetChange, netChanges } from './changes.js';
import { type Delta, type MergeState, merge } from './merge.js';
import { withConflicts } from './merge-transaction.js';
import { partsOf, requireTransaction, wireTransaction } from './transactions.js';

interface RevertOptions extends DryRunOptions {
  /** Sees the state with the revert before a dry run drops it. */
  readonly look?: ((writing: OpenTransaction) => Promise<void>) | undefined;
}

/** Throws VALIDATION_FAILED, FORK_CLOSED, CHECK_VIOLATION; then, and on a dry run, nothing is kept. */
export async function revertTransaction(
  parts: Session,
  site: HistorySite,
  txn: number,
  options: RevertOptions,
  deadline: Deadline,
): Promise<UndoneTransaction> {
  requireOpen(parts.fork);
  const first = await requireTransaction(site, txn);
  if (first.cause.kind === 'compaction') {
    const message = `Transaction ${txn} has the facts of the history before it, which was compacted; it cannot be reverted.`;
    throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', message, { txn });
  }
  let count = 0;
  const { value, ...written } = await reverted(
    parts,
    { cause: causeOf(parts, first), written: `transaction ${txn} wrote`, details: { txn } },
    options,
    async () => {
      const whole = await wholeTransaction(site, first, deadline);
      count = whole.events.length;
      return whole;
    },
    deadline,
  );
  return { result: wireTransaction(first, count), ...written, ...value };
}

/** The fork stays closed. Throws VALIDATION_FAILED, FORK_CLOSED for the parent, CHECK_VIOLATION; then, and on a dry run, nothing is kept. */
export async function revertPromotion(
  parts: Session,
  options: RevertOptions,
  deadline: Deadline,
): Promise<RevertResponse> {
  const { fork, clock } = parts;
  const parent = promotedTo(fork);
  const { value, ...written } = await reverted(
    { ...parts, fork: parent },
    {
      cause: { kind: 'undoPromotion', fork: fork.id },
      written: `the promotion of "${fork.id}" wrote to "${parent.id}"`,
      details: { fork: fork.id },
    },
    options,
    () => promotionOf(parts, parent),
    deadline,
  );
  return { result: forkInfo(fork, clock), ...written, ...value };
}

/** What is reverted, for the history and for errors. */
interface Subject {
  readonly cause: Cause;
  /** `transaction 7 wrote` */
  readonly written: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Reverted {
  readonly warnings: readonly Firing[];
  readonly conflicts: readonly UndoConflict[];
}

/** On the fork of the parts. `find` returns the transaction, or undefined if nothing was written. */
function reverted(
  parts: Session,
  { cause, written, details }: Subject,
  { dryRun, explain, look }: RevertOptions,
  find: () => Promise<StoredTransaction | undefined>,
  deadline: Deadline,
): Promise<TransactionResult<Reverted>> {
  const siteOf = (view: View, branch: Branch) => explanationSite(parts, view, branch, parts.fork);
  const refused = (error: ApiError, { seq }: NetChange) =>
    new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `Event ${seq}, which ${written}, cannot be reverted: ${error.message} Restore that first, or revert the rest by hand.`,
      { ...error.details, ...details, seq },
    );
  return transact(parts, { cause, dryRun }, deadline, async (writing) => {
    const transaction = await find();
    let conflicts: readonly UndoConflict[] = [];
    let warnings: readonly Firing[] = [];
    if (transaction !== undefined) {
      const delta = await reverseOf(parts, transaction, deadline);
      const before = writing.branch.facts.latest();
      const target = { writing, before, skipsUnwritable: true, completion: 'required', refused } as const;
      const work = async () => {
        conflicts = (await merge(delta, target, deadline)).map(asUndoConflict);
      };
      try {
        const told = explain === true ? { siteOf } : {};
        ({ warnings } = await withConflicts(
          () => conflicts,
          () => guarded(writing, work, deadline, told),
        ));
      } finally {
        before.release();
      }
    }
    await look?.(writing);
    return { warnings, conflicts };
  });
}

function asUndoConflict({ individual, field, base, fork, parent, seq }: ForkConflict): UndoConflict {
  return { individual, field, before: fork, promoted: base, now: parent, seq };
}

/** From the state after the transaction back to the one before it. */
async function reverseOf(parts: Session, transaction: StoredTransaction, deadline: Deadline): Promise<Delta> {
  const { before: source, after: base } = await statesAround(parts, transaction, deadline);
  async function* whole() {
    yield { ...transaction, isLast: true };
  }
  const changes = inReverse(await netChanges(whole(), deadline), { base, source }, parts.scope.program);
  return { base, source, changes };
}

/** The states before and after a transaction, as far as it changed them. */
async function statesAround(
  { store, scope, fork }: Session,
  { txn, events }: StoredTransaction,
  deadline: Deadline,
): Promise<{ readonly before: MergeState; readonly after: MergeState }> {
  // Of what changed more than once, the first event shows the state before, the last one the state after.
  const first = new Map<string, StoredEvent>();
  const last = new Map<string, StoredEvent>();
  for (const event of events) {
    const key = keyOf(event);
    if (!first.has(key)) first.set(key, event);
    last.set(key, event);
  }
  const existed = (id: string) => first.get(individualKey(id))?.kind !== 'insertIndividual';
  const touched = new Set(events.flatMap((event) => holderOf(event) ?? []).filter(existed));
  const past = await fieldsBefore(historyOf(store, scope.scopeId, fork, txn - 1), touched, deadline);
  const before: MergeState = {
    exists: existed,
    field: (id, { path }) => past.get(id)?.get(path) ?? null,
    has: (relation, tuple) => first.get(factKey(relation, tuple))?.kind === 'deleteFact',
  };
  const after: MergeState = {
    exists: (id) => last.get(individualKey(id))?.kind !== 'deleteIndividual',
    field(id, { path }) {
      const event = last.get(fieldKey(id, path));
      return event?.kind === 'setField' ? event.value : null;
    },
    has: (relation, tuple) => last.get(factKey(relation, tuple))?.kind === 'insertFact',
  };
  return { before, after };
}

function keyOf(event: StoredEvent): string {
  switch (event.kind) {
    case 'insertFact':
    case 'deleteFact':
      return factKey(event.relation, event.tuple);
    case 'setField':
      return fieldKey(event.id, event.field);
    case 'redacted':
      return event.clears ? fieldKey(event.clears.id, event.clears.field) : individualKey(event.id);
    default:
      return individualKey(event.id);
  }
}

/** The individual whose fields the event changed, unless it was new. */
function holderOf(event: StoredEvent): string | undefined {
  if (event.kind === 'redacted') return event.clears?.id;
  return event.kind === 'setField' || event.kind === 'deleteIndividual' ? event.id : undefined;
}

const factKey = (relation: string, tuple: readonly Json[]) => `fact ${relation} ${JSON.stringify(tuple)}`;
const fieldKey = (id: string, path: string) => `field ${id} ${path}`;
const individualKey = (id: string) => `individual ${id}`;

/** By individual and field, the values at the end of the history. Reads nothing if no individual is wanted. */
async function fieldsBefore(
  history: ReturnType<typeof historyOf>,
  wanted: ReadonlySet<string>,
  deadline: Deadline,
): Promise<ReadonlyMap<string, ReadonlyMap<string, Json>>> {
  const values = new Map<string, Map<string, Json>>();
  if (wanted.size === 0) return values;
  for await (const { events } of history) {
    await deadline.checkpoint();
    for (const event of events) noteField(values, wanted, event);
  }
  return values;
}

function noteField(values: Map<string, Map<string, Json>>, wanted: ReadonlySet<string>, event: StoredEvent): void {
  if (event.kind === 'redacted') {
    if (event.clears !== undefined) values.get(event.clears.id)?.delete(event.clears.field);
    return;
  }
  if (!('id' in event) || !wanted.has(event.id)) return;
  if (event.kind !== 'setField') values.delete(event.id);
  else if (event.value === null) values.get(event.id)?.delete(event.field);
  else {
    const fields = values.get(event.id) ?? new Map<string, Json>();
    values.set(event.id, fields.set(event.field, event.value));
  }
}

/** Reverting a promotion to this fork is recorded as that, because the record of the promoted fork shows it. */
function causeOf({ scope, fork }: Session, { txn, cause, fork: writtenTo }: StoredTransaction): Cause {
  const promoted = cause.kind === 'promote' ? scope.forks.get(cause.fork) : undefined;
  const isPromotion = promoted?.status === 'promoted' && promoted.parent === fork && writtenTo === fork.id;
  return isPromotion ? { kind: 'undoPromotion', fork: promoted.id } : { kind: 'undo', txn };
}

/** Throws VALIDATION_FAILED if the transaction has erased an individual, which cannot be restored. */
async function wholeTransaction(
  site: HistorySite,
  first: StoredTransaction,
  deadline: Deadline,
): Promise<StoredTransaction> {
  const events: StoredEvent[] = [];
  for await (const part of partsOf(site, first.txn)) {
    for (const event of part.events) events.push(event);
    await deadline.checkpoint();
  }
  const forgotten = events.find(({ kind }) => kind === 'forgetIndividual');
  if (forgotten === undefined) return { ...first, events };
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `Transaction ${first.txn} erased an individual, which cannot be restored. Revert the rest by hand.`,
    { txn: first.txn, seq: forgotten.seq },
  );
}

function promotedTo({ id, status, parent }: Fork): Fork {
  if (status === 'promoted' && parent !== null) return parent;
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `"${id}" has not been promoted, so there is nothing to revert. Name a fork that GET /v1/forks lists as promoted.`,
    { fork: id, status },
  );
}

/** Undefined if the promotion wrote nothing. A promoted id is never given again, so the first match is the one. */
async function promotionOf({ store, scope, fork }: Session, parent: Fork): Promise<StoredTransaction | undefined> {
  let promotion: StoredTransaction | undefined;
  const events: StoredEvent[] = [];
  for await (const part of store.read(scope.scopeId, parent.id, fork.txn)) {
    if (part.cause.kind !== 'promote' || part.cause.fork !== fork.id) continue;
    promotion = { ...part, events };
    for (const event of part.events) events.push(event);
    if (part.isLast) break;
  }
  return promotion;
}

/** A transaction from its first step to durable events: each mutation run, guarded and rendered; stored; and only then shown. */

import type { Effects, Firing, JsonValue, WireEvent } from '../../api/schemas/schemas.js';
import type { MutationDeclaration } from '../../artifact/types.js';
import type { Deadline, MaybePromise } from '../../base/ports.js';
import type { FactStore, Transaction } from '../../engine/index.js';
import { drive, mapped, type Surroundings, type Value, type View } from '../../engine/index.js';
import { type Cause, type Erasure, redactor, StorageError, type StoredTransaction } from '../../storage/event-store.js';
import type { MutationResponse } from '../contract/requests.js';
import type { ExplanationSite } from '../explain/explanations.js';
import { provingRefusal } from '../explain/refusals.js';
import { guard } from '../read/guard.js';
import { isoNow, requireCurrent, requireOpen } from '../state/forks.js';
import { wireEvents } from '../state/history.js';
import { noteTransaction } from '../state/open-scope.js';
import type { Branch, Fork, Scope } from '../state/scope.js';
import { isMain, isStoredKind } from '../state/scope.js';
import type { Session } from '../state/session.js';
import type { Prepared } from '../state/writers.js';
import { readArguments, requireMembers } from '../wire/arguments.js';
import { createRenderer } from '../wire/entities.js';
import { refusedByDisk, withFaults } from '../wire/faults.js';
import { effectsOf } from './effects.js';
import { runMutation } from './mutations.js';
import { beginTransaction, erasureOf, type OpenTransaction } from './open-transaction.js';

export interface TransactionOptions {
  readonly cause: Cause;
  readonly dryRun: boolean;
}

/** `txn` is null where nothing changed, and for a dry run. */
export interface TransactionResult<T> {
  readonly value: T;
  readonly txn: number | null;
  readonly events: readonly WireEvent[];
}

/**
 * Waits for earlier writers of the scope, though not for the disk, and goes on from what they wrote. The answer waits for
 * the disk: whatever it is, a refusal or a dry run too, it may tell of what they wrote. Where the disk refuses that, this
 * fails with it. Nothing is kept where anything fails, nor of a dry run.
 */
export async function transact<T>(
  session: Session,
  options: TransactionOptions,
  deadline: Deadline,
  work: (transaction: OpenTransaction) => Promise<T>,
): Promise<TransactionResult<T>> {
  const { scope, fork, onPhase } = session;
  let durable = Promise.resolve();
  onPhase?.('waiting');
  const attempt = scope.writers.next(async () => {
    onPhase?.('evaluating');
    requireCurrent(scope);
    const branch = requireOpen(fork);
    await deadline.checkpoint();
    durable = scope.writers.durable();
    const transaction = beginTransaction(scope, branch, onPhase);
    let isCommitted = false;
    try {
      const value = await work(transaction);
      onPhase?.('storing');
      const erasure = erasureOf(transaction);
      const stored = await drive(storedTransaction(session, fork.id, transaction, options.cause, erasure), deadline);
      const events = await drive(wireEvents(stored), deadline);
      if (options.dryRun || events.length === 0) return { value, txn: null, events };
      await deadline.checkpoint();
      if (erasure === undefined) {
        isCommitted = true;
        durable = scope.writers.add(prepare(transaction, fork, branch, stored), (next) => append(session, [next]));
      } else {
        // What is forgotten leaves the whole history at once, and nothing may be on its way there meanwhile.
        await durable;
        await append(session, [stored], erasure);
        isCommitted = true;
        commitStored(transaction, fork, branch, stored);
        eraseFromForks(scope, erasure);
      }
      return { value, txn: stored.txn, events };
    } finally {
      if (!isCommitted) transaction.overlay.rollback();
    }
  });
  await Promise.allSettled([attempt]);
  onPhase?.('storing');
  await durable;
  onPhase?.('evaluating');
  return await attempt;
}

/** A mutation that is to run, and what it is given. */
export interface MutationCall {
  readonly mutation: MutationDeclaration;
  readonly args: Readonly<Record<string, JsonValue>>;
  readonly surroundings: Surroundings;
}

/** What is told beside the result of a mutation. */
export interface ReportOptions {
  /** Of all that it changed, up to that many facts; nothing where it is undefined. */
  readonly effectRows?: number | undefined;
  /** Where a refusal proves its firings. */
  readonly siteOf?: ((view: View, branch: Branch) => ExplanationSite) | undefined;
}

/** One mutation as a transaction of its own. */
export async function transactMutation(
  session: Session,
  call: MutationCall,
  options: TransactionOptions & ReportOptions,
  deadline: Deadline,
): Promise<MutationResponse> {
  const { value, txn, events } = await transact(session, options, deadline, (transaction) =>
    runGuarded(transaction, call, deadline, options),
  );
  return { ...value, txn, events };
}

/** Runs a mutation in a transaction under way; the guard compares what it leaves with what it found. */
export async function runGuarded(
  transaction: OpenTransaction,
  call: MutationCall,
  deadline: Deadline,
  report: ReportOptions,
): Promise<{ readonly result: JsonValue; readonly warnings: readonly Firing[]; readonly effects?: Effects }> {
  const { value, ...reported } = await guarded(
    transaction,
    () => runCall(transaction, call, deadline),
    deadline,
    report,
  );
  const { result: type } = call.mutation;
  const renderer = await createRenderer(transaction.overlay.view, type ? [type] : [], deadline);
  return { result: type ? await renderer.render(type, value) : null, ...reported };
}

/** Does the work, then throws CHECK_VIOLATION where that has added a firing of a blocking check. */
export async function guarded<T>(
  { branch, overlay, events, changed, onPhase }: OpenTransaction,
  work: () => MaybePromise<T>,
  deadline: Deadline,
  { effectRows, siteOf }: ReportOptions = {},
): Promise<{ readonly value: T; readonly warnings: readonly Firing[]; readonly effects?: Effects }> {
  // What there will be if this is refused; earlier steps of a batch may have made more.
  const unchanged = branch.facts.latest();
  // What is derived from the state that the transaction began with outlives it.
  const before = events.length === 0 ? unchanged : overlay.mark();
  changed.clear();
  try {
    const value = await work();
    const { view } = overlay;
    onPhase?.('guarding');
    const warnings = await provingRefusal(siteOf?.(view, branch), unchanged, deadline, () =>
      guard(before, view, changed, deadline, unchanged),
    );
    onPhase?.('evaluating');
    if (effectRows === undefined) return { value, warnings };
    return { value, warnings, effects: await effectsOf(before, view, changed, effectRows, deadline) };
  } finally {
    before.release();
    if (before !== unchanged) unchanged.release();
  }
}

/** Reads the arguments and runs the statements; nobody has guarded yet what that leaves. */
export function runCall(
  transaction: OpenTransaction,
  { mutation, args, surroundings }: MutationCall,
  deadline: Deadline,
): MaybePromise<Value> {
  const { view } = transaction.overlay;
  return withFaults(transaction.scope.program, mutation.path, 'SVC_RUNTIME_COMPUTE_EVAL_FAILED', async () => {
    const bound = readArguments(view, mutation.path, mutation.parameters, args);
    const checking = requireMembers(view, mutation.parameters, bound, deadline);
    if (checking !== undefined) await checking;
    return runMutation(transaction, mutation, bound, surroundings, deadline);
  });
}

/** What was written, as the next transaction of a fork. */
export function* storedTransaction(
  session: Session,
  fork: string,
  transaction: OpenTransaction,
  cause: Cause,
  erasure?: Erasure,
): Generator<void, StoredTransaction> {
  return {
    fork,
    txn: transaction.after.lastTransaction + 1,
    at: isoNow(session.clock),
    cause,
    principal: session.context.principal,
    events: erasure ? yield* mapped(transaction.events, redactor(erasure)) : transaction.events,
  };
}

/** Makes what is on disk the committed state. */
export function commitStored(
  transaction: OpenTransaction,
  fork: Fork,
  branch: Branch,
  stored: StoredTransaction,
): void {
  transaction.overlay.commit();
  branch.lineage.own.push(stored.txn);
  noteTransaction(transaction.scope, fork, stored);
  transaction.scope.nextIndividual = Math.max(transaction.scope.nextIndividual, transaction.nextIndividual);
}

/** Ends the writing; the next transaction can begin. */
function prepare(transaction: OpenTransaction, fork: Fork, branch: Branch, stored: StoredTransaction): Prepared {
  const { overlay, after, nextIndividual } = transaction;
  overlay.prepare();
  return {
    stored,
    nextIndividual,
    lastTransaction: stored.txn,
    lastSeq: stored.events.at(-1)?.seq ?? after.lastSeq,
    commit: () => commitStored(transaction, fork, branch, stored),
    rollback: () => overlay.rollback(),
  };
}

/** Waits for the disk, then tells those who follow the scope. Throws STORAGE_ERROR. */
export async function append(
  { store, scope, writes }: Session,
  transactions: readonly StoredTransaction[],
  erasure?: Erasure,
): Promise<void> {
  try {
    await store.append(scope.scopeId, transactions, erasure);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw refusedByDisk(error);
  }
  if (erasure !== undefined) writes.announceErasure();
  writes.announce(scope.scopeId);
}

/**
 * What was forgotten, taken out of the forks in memory: each saw its parent as of its creation, when the individual was
 * still there. On disk their history has lost it already, so that this comes to what replaying that would make.
 */
function eraseFromForks(scope: Scope, { individuals }: Erasure): void {
  const codes = individuals.map((id) => scope.interner.encodeIndividual(id));
  for (const fork of scope.forks.values()) if (!isMain(fork)) eraseFrom(fork, codes);
  scope.closedBranches.clear();
}

function eraseFrom(fork: Fork, individuals: readonly number[]): void {
  // What a derive found counted facts of the forgotten.
  fork.projection = undefined;
  if (fork.branch === undefined) return;
  const { facts, base, lineage } = fork.branch;
  if (eraseAll(facts, individuals)) lineage.own.push(0);
  if (base !== null) eraseAll(base, individuals);
}

/** False where there was nothing to erase, and so no commit. */
function eraseAll(facts: FactStore, individuals: readonly number[]): boolean {
  const overlay = facts.begin();
  let erased = 0;
  for (const code of individuals) erased += eraseIndividual(overlay, code);
  if (erased > 0) overlay.commit();
  else overlay.rollback();
  return erased > 0;
}

/** Deletes every fact that mentions the individual, also a required reference to it; returns how many. */
function eraseIndividual(overlay: Transaction, code: number): number {
  let erased = 0;
  for (const info of overlay.view.program.relations.values()) {
    if (!isStoredKind(info.kind)) continue;
    for (const [position, { type }] of info.endpoints.entries()) {
      if (type.kind !== 'class') continue;
      const pattern = info.endpoints.map((_, index) => (index === position ? code : null));
      erased += overlay.deleteMatching(info.path, pattern).length;
    }
  }
  return erased;
}

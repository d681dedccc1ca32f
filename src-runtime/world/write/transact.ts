/** Runs a transaction: the work under its guard, rendering, storing, and then the commit that makes it visible. */

import type { Effects, Firing, JsonValue, WireEvent } from '../../api/schemas/schemas.js';
import type { MutationDeclaration } from '../../artifact/types.js';
import type { Deadline, MaybePromise } from '../../base/ports.js';
import type { FactStore, Transaction } from '../../engine/index.js';
import { drive, type ExpressionContext, mapped, type Value, type View } from '../../engine/index.js';
import {
  type Cause,
  type Erasure,
  eventsIn,
  type Outcome,
  redactor,
  StorageError,
  type WriteOptions,
  type WrittenTransaction,
} from '../../storage/event-store.js';
import type { MutationResponse, RequestKey } from '../contract/requests.js';
import type { ExplanationSite } from '../explain/explanations.js';
import { provingRefusal } from '../explain/refusals.js';
import { guard } from '../read/guard.js';
import { isoNow, requireCurrent, requireOpen } from '../state/forks.js';
import { wireEvents } from '../state/history.js';
import { codesMentioning } from '../state/individuals.js';
import { noteTransaction } from '../state/open-scope.js';
import type { Branch, Fork, Scope } from '../state/scope.js';
import { countWrite, isMain, isStoredKind, nextPosition } from '../state/scope.js';
import type { Session } from '../state/session.js';
import type { Prepared } from '../state/writers.js';
import { readArguments, requireMembers } from '../wire/arguments.js';
import { createRenderer } from '../wire/entities.js';
import { refusedByDisk, withFaults } from '../wire/faults.js';
import { effectsOf } from './effects.js';
import { runMutation } from './mutations.js';
import { beginTransaction, erasureOf, nextSeq, type OpenTransaction } from './open-transaction.js';
import { earlierResult, outcomeOf } from './outcomes.js';

export interface TransactionOptions {
  readonly cause: Cause;
  readonly dryRun: boolean;
  readonly requestKey?: RequestKey | undefined;
  /** Leaves the events out of the result, for transactions of very many. */
  readonly withoutEvents?: boolean;
}

/** `txn` is null for a dry run, and if nothing changed. */
export interface TransactionResult<T> {
  readonly value: T;
  readonly txn: number | null;
  readonly events: readonly WireEvent[];
}

/**
 * Runs `work` in a transaction that builds on earlier ones, even if they are not durable yet. The response waits until those are durable,
 * also for a refusal or a dry run, because it may depend on them. If the disk refuses them, this fails too. A failure or a dry run is
 * rolled back.
 *
 * With a key of the request, its result is stored with the transaction. If the key has a result, this returns that one, and runs nothing.
 */
export async function transact<T>(
  session: Session,
  options: TransactionOptions,
  deadline: Deadline,
  work: (transaction: OpenTransaction) => Promise<T>,
): Promise<TransactionResult<T>> {
  const { scope, fork, onPhase } = session;
  const { cause, dryRun } = options;
  const requestKey = dryRun ? undefined : options.requestKey;
  let durable = Promise.resolve();
  onPhase?.('waiting');
  const attempt = scope.writers.next(async () => {
    onPhase?.('evaluating');
    requireCurrent(scope);
    if (requestKey !== undefined) {
      durable = scope.writers.durable();
      const earlier = await earlierResult<T>(session, requestKey);
      if (earlier !== undefined) return earlier;
    }
    const branch = requireOpen(fork);
    const pause = deadline.checkpoint();
    if (pause !== undefined) await pause;
    durable = scope.writers.durable();
    const transaction = beginTransaction(scope, branch, onPhase);
    let isCommitted = false;
    try {
      const value = await work(transaction);
      onPhase?.('storing');
      const erasure = erasureOf(transaction);
      const storing = drive(storedTransaction(session, fork.id, transaction, cause, erasure), deadline);
      const stored = storing instanceof Promise ? await storing : storing;
      const reporting = options.withoutEvents === true ? [] : drive(wireEvents(stored), deadline);
      const events = reporting instanceof Promise ? await reporting : reporting;
      if (dryRun || stored.events.length === 0) return { value, txn: null, events };
      const lastPause = deadline.checkpoint();
      if (lastPause !== undefined) await lastPause;
      const result = { value, txn: stored.txn, events };
      const outcome = requestKey && (await outcomeOf(requestKey, result, stored.at, erasure !== undefined, deadline));
      if (erasure === undefined) {
        isCommitted = true;
        durable = scope.writers.add(prepare(session, transaction, branch, stored, outcome), (next) =>
          append(session, [next], { outcome }),
        );
      } else {
        // Forgetting rewrites the whole history at once, so nothing may be pending meanwhile.
        await durable;
        await append(session, [stored], { erasure, outcome });
        isCommitted = true;
        commitStored(transaction, fork, branch, stored);
        countWrite(scope, true);
        eraseFromForks(scope, erasure);
        session.writes.announceErasure();
        session.writes.announce(scope.scopeId);
      }
      return result;
    } finally {
      if (!isCommitted) transaction.overlay.rollback();
    }
  });
  try {
    return await attempt;
  } finally {
    onPhase?.('storing');
    await durable;
    onPhase?.('evaluating');
  }
}

/** A mutation to run, with its arguments. */
export interface MutationCall {
  readonly mutation: MutationDeclaration;
  readonly args: Readonly<Record<string, JsonValue>>;
  readonly expressionContext: ExpressionContext;
}

/** What to add to the result of a mutation. */
export interface ReportOptions {
  /** The most changed facts to report; none if undefined. */
  readonly effectRows?: number | undefined;
  /** Where the violations of a refusal are proved. */
  readonly siteOf?: ((view: View, branch: Branch) => ExplanationSite) | undefined;
}

/** Runs one mutation in its own transaction. */
export async function transactMutation(
  session: Session,
  call: MutationCall,
  options: TransactionOptions & ReportOptions,
  deadline: Deadline,
): Promise<MutationResponse> {
  const { value, txn, events } = await transact(session, options, deadline, (transaction) =>
    runGuarded(transaction, call, deadline, options),
  );
  const { result, warnings, effects } = value;
  return effects === undefined ? { result, warnings, txn, events } : { result, warnings, effects, txn, events };
}

/** Runs a mutation in an open transaction. The guard compares the state before and after. */
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
  if (type === null) return { result: null, ...reported };
  const creating = createRenderer(transaction.overlay.view, [type], deadline);
  const renderer = creating instanceof Promise ? await creating : creating;
  const rendered = renderer.render(type, value);
  const result = rendered instanceof Promise ? await rendered : rendered;
  return { result, ...reported };
}

/** Does the work. Throws CHECK_VIOLATION if that adds a violation of a blocking check. */
export async function guarded<T>(
  { branch, overlay, events, changed, onPhase }: OpenTransaction,
  work: () => MaybePromise<T>,
  deadline: Deadline,
  { effectRows, siteOf }: ReportOptions = {},
): Promise<{ readonly value: T; readonly warnings: readonly Firing[]; readonly effects?: Effects }> {
  // The state after a refusal. Earlier steps of a batch may have created more individuals.
  const unchanged = branch.facts.latest();
  // What is materialised for the first state outlives the transaction, so that state is used if nothing has been written.
  const before = events.length === 0 ? unchanged : overlay.mark();
  changed.clear();
  try {
    const working = work();
    const value = working instanceof Promise ? await working : working;
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

/** Reads the arguments and runs the statements, without a guard. */
export function runCall(
  transaction: OpenTransaction,
  { mutation, args, expressionContext }: MutationCall,
  deadline: Deadline,
): MaybePromise<Value> {
  const { view } = transaction.overlay;
  return withFaults(transaction.scope.program, mutation.path, 'SVC_RUNTIME_COMPUTE_EVAL_FAILED', () => {
    const bound = readArguments(view, mutation.path, mutation.parameters, args);
    const run = () => runMutation(transaction, mutation, bound, expressionContext, deadline);
    const checking = requireMembers(view, mutation.parameters, bound, deadline);
    return checking === undefined ? run() : checking.then(run);
  });
}

/** The stored form of an open transaction. */
export function* storedTransaction(
  session: Session,
  fork: string,
  transaction: OpenTransaction,
  cause: Cause,
  erasure?: Erasure,
): Generator<void, WrittenTransaction> {
  return {
    fork,
    txn: transaction.after.lastTransaction + 1,
    at: isoNow(session.clock),
    cause,
    principal: session.context.principal,
    events: erasure ? yield* mapped(eventsIn(transaction.events), redactor(erasure)) : transaction.events,
  };
}

/** Commits a durable transaction. */
export function commitStored(
  transaction: OpenTransaction,
  fork: Fork,
  branch: Branch,
  stored: WrittenTransaction,
): void {
  transaction.overlay.commit();
  branch.lineage.own.push(stored.txn);
  noteTransaction(transaction.scope, fork, stored);
  transaction.scope.nextIndividual = Math.max(transaction.scope.nextIndividual, transaction.nextIndividual);
}

/** Prepares the transaction for the commit, so that the next one can begin. */
function prepare(
  { scope, fork, writes }: Session,
  transaction: OpenTransaction,
  branch: Branch,
  stored: WrittenTransaction,
  outcome: Outcome | undefined,
): Prepared {
  const { overlay, nextIndividual } = transaction;
  overlay.prepare();
  return {
    stored,
    outcome,
    nextIndividual,
    lastTransaction: stored.txn,
    lastSeq: nextSeq(transaction) - 1,
    commit() {
      commitStored(transaction, fork, branch, stored);
      countWrite(scope);
      writes.announce(scope.scopeId);
    },
    rollback: () => overlay.rollback(),
  };
}

/** Waits until the transactions are durable. Rejects with STORAGE_ERROR. */
export function append(
  { store, scope }: Session,
  transactions: readonly WrittenTransaction[],
  { erasure, outcome }: Pick<WriteOptions, 'erasure' | 'outcome'> = {},
): Promise<void> {
  return store
    .append(scope.scopeId, transactions, { at: nextPosition(scope), erasure, outcome })
    .catch((error: unknown) => {
      if (!(error instanceof StorageError)) throw error;
      throw refusedByDisk(error);
    });
}

/**
 * Erases forgotten individuals from the forks in memory, which hold their parent as of their creation. The history on disk is already
 * erased, so the result equals a replay.
 */
function eraseFromForks(scope: Scope, { individuals }: Erasure): void {
  const codes = individuals.map((id) => scope.interner.encodeIndividual(id));
  for (const fork of scope.forks.values()) if (!isMain(fork)) eraseFrom(fork, codes);
  scope.replayedBranches.clear();
  // The store dropped the saved state, which may have had them.
  scope.savedEvents = 0;
}

function eraseFrom(fork: Fork, individuals: readonly number[]): void {
  // Its counts include forgotten individuals.
  fork.projection = undefined;
  if (fork.branch === undefined) return;
  const { facts, base, lineage } = fork.branch;
  if (eraseAll(facts, individuals)) lineage.own.push(0);
  if (base !== null) eraseAll(base, individuals);
}

/** False if there was nothing to erase, and therefore no commit. */
function eraseAll(facts: FactStore, individuals: readonly number[]): boolean {
  const overlay = facts.begin();
  let erased = 0;
  for (const code of individuals) erased += eraseIndividual(overlay, code);
  if (erased > 0) overlay.commit();
  else overlay.rollback();
  return erased > 0;
}

/** Deletes every fact that mentions the individual, also in required references. Returns how many. */
function eraseIndividual(overlay: Transaction, code: number): number {
  let erased = 0;
  for (const info of overlay.view.program.relations.values()) {
    if (!isStoredKind(info.kind)) continue;
    for (const [position, { type }] of info.endpoints.entries()) {
      for (const mentioning of codesMentioning(overlay.view.interner, type, code)) {
        const pattern = info.endpoints.map((_, index) => (index === position ? mentioning : null));
        erased += overlay.deleteMatching(info.path, pattern).length;
      }
    }
  }
  return erased;
}

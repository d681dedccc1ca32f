/** One mutation from arguments to durable events: run, guard, render, store, and only then show. */

import { ApiError } from '../api/errors.js';
import type { JsonValue } from '../api/schemas.js';
import type { MutationDeclaration } from '../artifact/types.js';
import type { Pacer } from '../base/ports.js';
import type { Surroundings } from '../engine/index.js';
import { type Erasure, redactEvent, StorageError, type StoredTransaction } from '../storage/event-store.js';
import { readArguments, requireMembers } from './arguments.js';
import { createRenderer } from './entities.js';
import { withFaults } from './faults.js';
import { guard } from './guard.js';
import { wireEvent } from './history.js';
import { runMutation } from './mutations.js';
import type { MutationAnswer } from './runtime.js';
import { ScopeRetired } from './scope.js';
import type { SessionParts } from './session.js';
import { beginWriting, erasureOf, type Writing } from './writing.js';

/** Waits for earlier writers of the scope. Nothing is kept where anything fails, nor of a dry run. */
export function transact(
  parts: SessionParts,
  mutation: MutationDeclaration,
  args: Readonly<Record<string, JsonValue>>,
  surroundings: Surroundings,
  options: { readonly dryRun: boolean },
  pacer: Pacer,
): Promise<MutationAnswer> {
  const { scope } = parts;
  return scope.writers.run(async () => {
    if (scope.retired) throw new ScopeRetired();
    await pacer.poll();
    const before = scope.facts.view();
    const writing = beginWriting(scope);
    let committed = false;
    try {
      const { result, warnings } = await run(parts, writing, before, mutation, args, surroundings, pacer);
      const erasure = erasureOf(writing);
      const stored = storedTransaction(parts, writing, mutation, erasure);
      const events = stored.events.map((event) => wireEvent(stored, event));
      if (options.dryRun || events.length === 0) return { result, txn: null, events, warnings };
      await pacer.poll();
      await append(parts, stored, erasure);
      writing.transaction.commit();
      committed = true;
      scope.lastTransaction = stored.txn;
      scope.lastSeq += stored.events.length;
      scope.nextIndividual = writing.nextIndividual;
      return { result, txn: stored.txn, events, warnings };
    } finally {
      if (!committed) writing.transaction.rollback();
      before.release();
    }
  });
}

async function run(
  { scope }: SessionParts,
  writing: Writing,
  before: Parameters<typeof guard>[0],
  mutation: MutationDeclaration,
  args: Readonly<Record<string, JsonValue>>,
  surroundings: Surroundings,
  pacer: Pacer,
) {
  const { view } = writing.transaction;
  const value = await withFaults(scope.program, mutation.path, 'SVC_RUNTIME_COMPUTE_EVAL_FAILED', async () => {
    const bound = readArguments(view, mutation.path, mutation.parameters, args);
    await requireMembers(view, mutation.path, mutation.parameters, bound, pacer);
    return runMutation(writing, mutation, bound, surroundings, pacer);
  });
  const warnings = await guard(before, view, writing.changed, pacer);
  const { result: type } = mutation;
  const renderer = await createRenderer(view, type ? [type] : [], pacer);
  return { result: type ? await renderer.render(type, value) : null, warnings };
}

function storedTransaction(
  parts: SessionParts,
  writing: Writing,
  mutation: MutationDeclaration,
  erasure: Erasure | undefined,
): StoredTransaction {
  return {
    fork: parts.fork,
    txn: parts.scope.lastTransaction + 1,
    at: new Date(parts.clock.now()).toISOString(),
    cause: mutation.path,
    principal: parts.context.principal,
    events: erasure ? writing.events.map((event) => redactEvent(event, erasure)) : writing.events,
  };
}

async function append(
  { store, scope }: SessionParts,
  stored: StoredTransaction,
  erasure: Erasure | undefined,
): Promise<void> {
  try {
    await store.append(scope.scopeId, stored, erasure);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new ApiError(
      'SVC_RUNTIME_STORAGE_ERROR',
      'The disk refused the write; nothing was kept. Free space or bring the data directory back, then send the request again.',
      {},
      { cause: error },
    );
  }
}

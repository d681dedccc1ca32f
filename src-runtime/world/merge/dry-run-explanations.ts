/**
 * Explains facts of a state that does not exist yet: runs a call or a merge as a dry run, and explains before the rollback.
 */

import { ApiError } from '../../api/errors.js';
import type { Explanation } from '../../api/schemas/explanation-schemas.js';
import type { Capability } from '../../api/schemas/health-schemas.js';
import { invariant } from '../../base/invariant.js';
import type { Deadline } from '../../base/ports.js';
import type { DryRunCall, DryRunMerge } from '../contract/requests.js';
import { explanationSite } from '../explain/explanation-site.js';
import type { ExplanationSite } from '../explain/explanations.js';
import { type UnmetRequirement, unmetIn } from '../explain/requirements.js';
import { prepareMutation } from '../read/adhoc.js';
import { requireFork, requireOpen } from '../state/forks.js';
import type { Fork } from '../state/scope.js';
import type { Session } from '../state/session.js';
import { requireForgettable, requireGranted } from '../wire/callables.js';
import { namesIn } from '../wire/labels.js';
import { type BatchOptions, tryBatch } from '../write/batch.js';
import { listedRows, runImport } from '../write/imports.js';
import type { OpenTransaction } from '../write/open-transaction.js';
import { runGuarded, transact } from '../write/transact.js';
import { cherryPicking } from './cherry-pick.js';
import { mergingFork } from './promote.js';
import { REBASING } from './rebase.js';
import { revertPromotion, revertTransaction } from './revert.js';

/** Explains in the tried state, on the fork of the request unless another one is written to. `unmet` is what ended the call. */
type Look = (writing: OpenTransaction, on?: Fork, unmet?: UnmetRequirement) => Promise<void>;

interface TriedOptions extends Pick<BatchOptions, 'expressionContext' | 'request'> {
  /** Explains the state that checks refuse, up to the refused step. */
  readonly isUnguarded?: boolean;
}

/** Includes the names of individuals that the fork does not know. Throws what the call or merge throws. */
export async function explainAfter(
  parts: Session,
  tried: DryRunCall,
  explain: (site: ExplanationSite, unmet: UnmetRequirement | undefined) => Promise<Explanation>,
  options: TriedOptions,
  deadline: Deadline,
): Promise<Explanation> {
  const { fork } = parts;
  requireOpen(fork);
  let found: Explanation | undefined;
  await tryOut(parts, tried, options, deadline, async (writing, on = fork, unmet?: UnmetRequirement) => {
    const kept = requireOpen(fork).facts.latest();
    try {
      const { view } = writing.overlay;
      const site = explanationSite(parts, view, writing.branch, on);
      const explanation = await explain({ ...site, before: kept }, unmet);
      found = { ...explanation, names: await namesIn(explanation, view, deadline, kept) };
    } finally {
      kept.release();
    }
  });
  invariant(found !== undefined, 'what was tried has been looked at');
  return found;
}

async function tryOut(
  parts: Session,
  { call, granted }: DryRunCall,
  options: TriedOptions,
  deadline: Deadline,
  look: Look,
): Promise<unknown> {
  const { scope, fork, store } = parts;
  const { isUnguarded = false } = options;
  if ('import' in call) {
    const { rows, keys, columns, ...target } = call.import;
    const { expressionContext } = options;
    return runImport(
      parts,
      target,
      listedRows(rows),
      {
        columns,
        expressionContext,
        granted,
        dryRun: true,
        keys,
        inspect: (writing, unmet) => look(writing, fork, unmet),
        isUnguarded,
      },
      deadline,
    );
  }
  if ('keep' in call) return tryMerge(parts, call, granted, deadline, look);
  if ('undo' in call) {
    requireGranted('fork', granted);
    const site = { store, scopeId: scope.scopeId, fork, firstSeq: scope.firstSeq };
    return revertTransaction(parts, site, call.undo, { dryRun: true, look }, deadline);
  }
  if ('undoPromotion' in call) {
    requireGranted('fork', granted);
    return revertPromotion(childParts(parts, call.undoPromotion), { dryRun: true, look }, deadline);
  }
  return transact(parts, { cause: { kind: 'adhoc' }, dryRun: true }, deadline, async (writing) => {
    let unmet: UnmetRequirement | undefined;
    try {
      if ('steps' in call) await tryBatch(parts, call.steps, { ...options, granted, dryRun: true }, writing, deadline);
      else {
        const mutation = prepareMutation(scope.program, call);
        requireForgettable(scope.program, mutation, fork.id, granted);
        const { expressionContext } = options;
        await runGuarded(writing, { mutation, args: call.args, expressionContext }, deadline, {});
      }
    } catch (error) {
      // What a check refuses stays written until the rollback.
      const isRefusal = error instanceof ApiError && error.code === 'SVC_RUNTIME_CHECK_VIOLATION';
      if (!isRefusal || !isUnguarded) throw error;
      unmet = unmetIn(error);
    }
    await look(writing, fork, unmet);
  });
}

/** Checks do not refuse it, as in a preview. */
function tryMerge(
  parts: Session,
  call: DryRunMerge,
  granted: readonly Capability[],
  deadline: Deadline,
  look: Look,
): Promise<void> {
  requireGranted('fork', granted);
  if ('pick' in call)
    return cherryPicking(parts, { ...call.pick, keep: call.keep }, deadline, ({ merged }) => look(merged.writing));
  if ('update' in call) {
    return mergingFork(parts, call.keep, deadline, ({ writing }, target) => look(writing, target), REBASING);
  }
  return mergingFork(childParts(parts, call.promote), call.keep, deadline, ({ writing }) => look(writing));
}

/** Throws FORK_NOT_FOUND, and VALIDATION_FAILED if the fork has another parent. */
function childParts(parts: Session, id: string): Session {
  const fork = requireFork(parts.scope, id);
  if (fork.parent === parts.fork) return { ...parts, fork };
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `"${id}" is no fork of "${parts.fork.id}"${fork.parent === null ? '' : `; explain on "${fork.parent.id}", its parent`}.`,
    { fork: id, parent: fork.parent?.id ?? null },
  );
}

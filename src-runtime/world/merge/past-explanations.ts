/**
 * Explains facts of an earlier state or under other rules. The history is replayed in a separate store, under the loaded rules, those
 * of the previous module, or those of a candidate module.
 */

import { ApiError } from '../../api/errors.js';
import type { Explanation } from '../../api/schemas/explanation-schemas.js';
import type { Deadline } from '../../base/ports.js';
import { Interner, type Program, type View } from '../../engine/index.js';
import type { Candidate } from '../contract/requests.js';
import { explanationSite } from '../explain/explanation-site.js';
import type { ExplanationSite } from '../explain/explanations.js';
import type { HistorySite } from '../read/events.js';
import { reading } from '../state/forks.js';
import { replayAlone } from '../state/open-scope.js';
import type { Branch, Scope } from '../state/scope.js';
import type { Session } from '../state/session.js';
import { decodeOrRefuse, programOf } from '../wire/artifact-program.js';
import { namesIn } from '../wire/labels.js';
import { requireTransaction } from './transactions.js';

interface Asked {
  readonly explain: (site: ExplanationSite) => Promise<Explanation>;
  /** Values that only the request mentions are dropped afterwards. */
  readonly isAside: boolean;
  /** The transaction before which to explain. */
  readonly before?: number | undefined;
}

/** Includes the names of individuals that were deleted since. Throws VALIDATION_FAILED for an unknown transaction. */
export async function explainBefore(
  parts: Session,
  history: HistorySite,
  { before = Number.POSITIVE_INFINITY, ...asked }: Asked,
  deadline: Deadline,
): Promise<Explanation> {
  const { scope, fork, store } = parts;
  if (Number.isFinite(before)) await requireTransaction(history, before);
  const past = await replayAlone(scope, store, fork, deadline, before - 1);
  return explainIn(parts, past, scope, asked, async (explanation, view) => ({
    ...explanation,
    names: await reading(parts, (now) => namesIn(explanation, view, deadline, now)),
  }));
}

/**
 * Explains under the rules of the previous module, on its last facts. Throws VALIDATION_FAILED for the hash of any other module, and
 * for a scope or transaction that it did not have.
 */
export async function explainByReplaced(
  parts: Session,
  history: HistorySite,
  moduleHash: string,
  { before = Number.POSITIVE_INFINITY, ...asked }: Asked,
  deadline: Deadline,
): Promise<Explanation> {
  const { predecessor } = parts;
  const last = predecessor?.lastTransactions.get(parts.scope.scopeId);
  if (predecessor?.program.artifact.integrity !== moduleHash || last === undefined) throw notKept(moduleHash);
  if (Number.isFinite(before)) await requireTransaction(history, before);
  const { program, sources } = predecessor;
  const rules = { moduleHash, sources: [...sources] };
  return explainUnder(parts, program, rules, Math.min(last, before - 1), asked, deadline);
}

/**
 * Explains under the rules of a module that is not loaded, on the current facts. Throws VALIDATION_FAILED for an invalid artifact.
 */
export async function explainByCandidate(
  parts: Session,
  { artifact, sources }: Candidate,
  asked: Asked,
  deadline: Deadline,
): Promise<Explanation> {
  const program = programOf(decodeOrRefuse(artifact));
  const rules = { moduleHash: program.artifact.integrity, sources: [...sources] };
  return explainUnder(parts, program, rules, Number.POSITIVE_INFINITY, asked, deadline);
}

/** Uses a new interner and the facts that the given program declares. */
async function explainUnder(
  parts: Session,
  program: Program,
  rules: NonNullable<Explanation['rules']>,
  txnMax: number,
  asked: Asked,
  deadline: Deadline,
): Promise<Explanation> {
  const declared = new Set<string>();
  const scope = { ...parts.scope, program, interner: new Interner(program), declared };
  const state = await replayAlone({ ...scope, noted: declared }, parts.store, parts.fork, deadline, txnMax);
  return explainIn(parts, state, scope, asked, async (explanation, view) => ({
    ...explanation,
    names: await namesIn(explanation, view, deadline),
    rules,
  }));
}

async function explainIn(
  parts: Session,
  past: Branch,
  scope: Scope,
  { explain, isAside }: Asked,
  completed: (explanation: Explanation, view: View) => Promise<Explanation>,
): Promise<Explanation> {
  const view = isAside ? past.facts.viewAside() : past.facts.view();
  try {
    return await completed(await explain(explanationSite({ ...parts, scope }, view, past, parts.fork)), view);
  } finally {
    view.release();
  }
}

function notKept(moduleHash: string): ApiError {
  return new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    'The rules of this module are not kept: it is not the last one that was replaced, or the reload renamed stored declarations. "from" of GET /v1/module/change names the last one.',
    { moduleHash },
  );
}

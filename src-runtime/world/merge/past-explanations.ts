/**
 * Explanations of a state that is past, or under other rules: the history up to then is replayed aside of all others, under the rules
 * that are loaded now, under those of the module that they have replaced, or under those of one that may replace them.
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
import type { SessionParts } from '../state/session-parts.js';
import { decodeOrRefuse, programOf } from '../wire/artifact-program.js';
import { namesIn } from '../wire/labels.js';
import { requireTransaction } from './transactions.js';

interface Asked {
  readonly explain: (site: ExplanationSite) => Promise<Explanation>;
  /** Values that only the question has met are forgotten with the answer. */
  readonly isAside: boolean;
  /** The transaction before which it is asked. */
  readonly before?: number | undefined;
}

/** With what those were called in it that have gone since. Throws VALIDATION_FAILED for a transaction that the history does not have. */
export async function explainBefore(
  parts: SessionParts,
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
 * By the rules of the module that was replaced, on the facts that there were then. Throws VALIDATION_FAILED for the hash of
 * any other module, and for a scope or transaction that it did not have.
 */
export async function explainByReplaced(
  parts: SessionParts,
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
 * By the rules of a module that is not loaded, on the facts that there are. Throws VALIDATION_FAILED for an artifact that is none.
 */
export async function explainByCandidate(
  parts: SessionParts,
  { artifact, sources }: Candidate,
  asked: Asked,
  deadline: Deadline,
): Promise<Explanation> {
  const program = programOf(decodeOrRefuse(artifact));
  const rules = { moduleHash: program.artifact.integrity, sources: [...sources] };
  return explainUnder(parts, program, rules, Number.POSITIVE_INFINITY, asked, deadline);
}

/** The values that it meets are numbered anew, and what the program declares is its own. */
async function explainUnder(
  parts: SessionParts,
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
  parts: SessionParts,
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
    'No module with this hash has been replaced last here, so that its rules are not known any more; GET /v1/module/change says in "from" which one was. Where a reload gave other names to what is stored, none is kept.',
    { moduleHash },
  );
}

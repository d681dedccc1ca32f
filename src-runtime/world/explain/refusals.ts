/** Proofs of what a write is refused for: its firings hold in a state that is never kept, so that nobody can ask for them later. */

import { ApiError } from '../../api/errors.js';
import type { Explanation } from '../../api/schemas/explanation-schemas.js';
import type { Firing, JsonValue } from '../../api/schemas/schemas.js';
import { type Deadline, DeadlineExceeded, type MaybePromise } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import { namesIn } from '../wire/labels.js';
import { type ExplanationSite, explainTuple } from './explanations.js';

/** Of more firings than these the first are proved; they share what one explanation may have of nodes. */
const PROVED_MAX = 10;

/**
 * Runs the guard. Where it throws CHECK_VIOLATION, and there is a site, `details.explanations` has the proofs of the first firings of
 * `details.diagnostics`, in their order, and `details.names` what individuals in them are called that `kept` has not. They take
 * half of the time that is left at most: those that take longer are missing, and the refusal stays what it is.
 */
export async function provingRefusal<T>(
  site: ExplanationSite | undefined,
  unchanged: View,
  deadline: Deadline,
  guard: () => MaybePromise<T>,
): Promise<T> {
  try {
    return await guard();
  } catch (error) {
    const isRefusal = error instanceof ApiError && error.code === 'SVC_RUNTIME_CHECK_VIOLATION';
    if (!isRefusal || site === undefined) throw error;
    const shortened = deadline.half?.() ?? deadline;
    const explanations = await proofsOf(error.details['diagnostics'] as readonly Firing[], site, shortened);
    const names = {
      ...(error.details['names'] as Record<string, string> | undefined),
      ...(await namesIn(explanations, site.view, deadline, unchanged)),
    };
    const details = { ...error.details, explanations, ...(Object.keys(names).length > 0 && { names }) };
    throw new ApiError(error.code, error.message, details, { cause: error });
  }
}

async function proofsOf(
  violations: readonly Firing[],
  site: ExplanationSite,
  deadline: Deadline,
): Promise<Explanation[]> {
  const { program } = site.view;
  const proved = violations.slice(0, PROVED_MAX);
  const shared = { ...site, nodesMax: Math.max(1, Math.floor(site.nodesMax / Math.max(1, proved.length))) };
  const explanations: Explanation[] = [];
  try {
    for (const { check, tuple } of proved) {
      const values: JsonValue[] = Object.values(tuple);
      explanations.push(await explainTuple(shared, program.relationOfCheck(check), values, deadline));
    }
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
  }
  return explanations;
}

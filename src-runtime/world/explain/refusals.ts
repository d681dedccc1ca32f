/** Proofs for a refused write. Its violations exist only in a state that is discarded, so they cannot be explained later. */

import { ApiError } from '../../api/errors.js';
import type { Explanation } from '../../api/schemas/explanation-schemas.js';
import type { Firing, JsonValue } from '../../api/schemas/schemas.js';
import { type Deadline, DeadlineExceeded, type MaybePromise } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import { namesIn } from '../wire/labels.js';
import { type ExplanationSite, explainTuple } from './explanations.js';

/** The most violations that are proved. They share the node limit of one explanation. */
const PROVED_MAX = 10;

/**
 * Runs the guard. If it throws CHECK_VIOLATION and a site is given, adds `details.explanations` with proofs of the first violations of
 * `details.diagnostics`, in that order, and `details.names` with labels of individuals that `unchanged` does not have. Proofs take at most
 * half of the remaining time. The ones that take longer are left out.
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

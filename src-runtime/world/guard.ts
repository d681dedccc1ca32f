/** The guard: a transaction may not add a firing of a blocking check. Firings that were there before do not block. */

import { ApiError } from '../api/errors.js';
import type { Firing } from '../api/schemas.js';
import type { CheckDeclaration } from '../artifact/types.js';
import { DeadlineExceeded, type Pacer } from '../base/ports.js';
import { EvaluationFault, type View } from '../engine/index.js';
import { withFaults } from './faults.js';
import { addedRows, renderFiring } from './firings.js';

/**
 * Compares the firings before and after. `changed` names the stored relations that the transaction touched: a check
 * that reads none of them is not asked. Throws CHECK_VIOLATION; returns the firings of warning checks that came about.
 */
export async function guard(
  before: View,
  after: View,
  changed: ReadonlySet<string>,
  pacer: Pacer,
): Promise<readonly Firing[]> {
  const { program } = after;
  const blocking = await blockingFirings(before, after, changed, pacer);
  const warnings: Firing[] = [];
  const [first] = blocking;
  if (first) {
    const more = blocking.length > 1 ? ` (and ${blocking.length - 1} more)` : '';
    throw new ApiError(
      'SVC_RUNTIME_CHECK_VIOLATION',
      `The check "${first.check}" forbids it: ${first.message}${more}`,
      {
        diagnostics: blocking,
      },
    );
  }
  for (const check of program.checks.values()) {
    if (check.severity === 'warning') warnings.push(...(await warningsOf(before, after, check, changed, pacer)));
  }
  return warnings;
}

/** The firings of blocking checks that `after` has and `before` has not. Throws CHECK_EVAL_FAILED. */
export async function blockingFirings(
  before: View,
  after: View,
  changed: ReadonlySet<string>,
  pacer: Pacer,
): Promise<Firing[]> {
  const { program } = after;
  const firings: Firing[] = [];
  for (const check of program.checks.values()) {
    if (check.severity !== 'blocking') continue;
    const added = await withFaults(
      program,
      check.path,
      'SVC_RUNTIME_CHECK_EVAL_FAILED',
      () => newFirings(before, after, check, changed, pacer),
      'SVC_RUNTIME_CHECK_EVAL_FAILED',
    );
    firings.push(...added);
  }
  return firings;
}

async function newFirings(
  before: View,
  after: View,
  check: CheckDeclaration,
  changed: ReadonlySet<string>,
  pacer: Pacer,
): Promise<Firing[]> {
  const relation = after.program.relationOfCheck(check.path);
  if (!readsAny(after, relation, changed)) return [];
  const old = await before.materialise(relation, pacer);
  const now = await after.materialise(relation, pacer);
  const firings: Firing[] = [];
  for (const row of await addedRows(old, now, pacer)) firings.push(await renderFiring(after, check, row, pacer));
  return firings;
}

/** A warning check that cannot be evaluated, or never ends, must not fail a write that it could not have stopped. */
async function warningsOf(
  before: View,
  after: View,
  check: CheckDeclaration,
  changed: ReadonlySet<string>,
  pacer: Pacer,
): Promise<readonly Firing[]> {
  try {
    return await newFirings(before, after, check, changed, pacer.half?.() ?? pacer);
  } catch (error) {
    if (error instanceof EvaluationFault || error instanceof DeadlineExceeded) return [];
    throw error;
  }
}

/** Whether evaluating the rule reads one of the stored relations. */
export function readsAny(view: View, path: string, changed: ReadonlySet<string>): boolean {
  return view.program.storedReadsOf(path).some((read) => changed.has(read));
}

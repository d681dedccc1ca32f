/** The guard: a transaction may not add a firing of a blocking check. Firings that were there before do not block. */

import { ApiError } from '../../api/errors.js';
import type { Firing } from '../../api/schemas/schemas.js';
import type { CheckDeclaration } from '../../artifact/types.js';
import { type Deadline, DeadlineExceeded } from '../../base/ports.js';
import { EvaluationFault, type Program, type View } from '../../engine/index.js';
import { withFaults } from '../wire/faults.js';
import { namesIn } from '../wire/labels.js';
import { addedRows, renderViolation } from '../wire/violations.js';

/** Firings whose individuals are named where they are not kept: nobody reads more of them one by one. */
const NAMED_VIOLATIONS_MAX = 1_000;

/**
 * Compares the firings before and after. `changed` names the stored relations that the transaction touched: a check
 * that reads none of them is not asked. Throws CHECK_VIOLATION, with the names of individuals that there will not be, which
 * are those that `kept` has not; returns the firings of warning checks that came about.
 */
export async function guard(
  before: View,
  after: View,
  changed: ReadonlySet<string>,
  deadline: Deadline,
  kept: View = before,
): Promise<readonly Firing[]> {
  const blocking = await blockingViolations(before, after, changed, deadline);
  const [first] = blocking;
  if (first) {
    const more = blocking.length > 1 ? ` (and ${blocking.length - 1} more)` : '';
    const tuples = blocking.slice(0, NAMED_VIOLATIONS_MAX).map(({ tuple }) => tuple);
    const names = await namesIn(tuples, after, deadline, kept);
    throw new ApiError(
      'SVC_RUNTIME_CHECK_VIOLATION',
      `The check "${first.check}" forbids it: ${first.message}${more}`,
      { diagnostics: blocking, ...(Object.keys(names).length > 0 && { names }) },
    );
  }
  return warningViolations(before, after, changed, deadline);
}

/** The same where nothing is refused: all firings that came about, those of blocking checks first. Throws CHECK_EVAL_FAILED. */
export async function addedViolations(
  before: View,
  after: View,
  changed: ReadonlySet<string>,
  deadline: Deadline,
): Promise<readonly Firing[]> {
  const blocking = await blockingViolations(before, after, changed, deadline);
  return [...blocking, ...(await warningViolations(before, after, changed, deadline))];
}

async function warningViolations(
  before: View,
  after: View,
  changed: ReadonlySet<string>,
  deadline: Deadline,
): Promise<readonly Firing[]> {
  const violations: Firing[] = [];
  for (const check of checksOn(after.program, 'warning', changed))
    violations.push(...(await warningsOf(before, after, check, deadline)));
  return violations;
}

/** The firings of blocking checks that `after` has and `before` has not. Throws CHECK_EVAL_FAILED. */
export async function blockingViolations(
  before: View,
  after: View,
  changed: ReadonlySet<string>,
  deadline: Deadline,
): Promise<Firing[]> {
  const { program } = after;
  const violations: Firing[] = [];
  for (const check of checksOn(program, 'blocking', changed)) {
    const added = await withFaults(
      program,
      check.path,
      'SVC_RUNTIME_CHECK_EVAL_FAILED',
      () => newViolations(before, after, check, deadline),
      'SVC_RUNTIME_CHECK_EVAL_FAILED',
    );
    violations.push(...added);
  }
  return violations;
}

async function newViolations(
  before: View,
  after: View,
  check: CheckDeclaration,
  deadline: Deadline,
): Promise<Firing[]> {
  const relation = after.program.relationOfCheck(check.path);
  const old = await before.materialise(relation, deadline);
  const now = await after.materialise(relation, deadline);
  const violations: Firing[] = [];
  for (const row of await addedRows(old, now, deadline))
    violations.push(await renderViolation(after, check, row, deadline));
  return violations;
}

/** A warning check that cannot be evaluated, or never ends, must not fail a write that it could not have stopped. */
async function warningsOf(
  before: View,
  after: View,
  check: CheckDeclaration,
  deadline: Deadline,
): Promise<readonly Firing[]> {
  try {
    return await newViolations(before, after, check, deadline.half?.() ?? deadline);
  } catch (error) {
    if (error instanceof EvaluationFault || error instanceof DeadlineExceeded) return [];
    throw error;
  }
}

/** Whether evaluating the rule reads one of the stored relations. */
export function readsAny(view: View, path: string, changed: ReadonlySet<string>): boolean {
  return view.program.storedReadsOf(path).some((read) => changed.has(read));
}

/** Of a program: its checks, and which of them read a stored relation. */
interface CheckIndex {
  readonly checks: readonly CheckDeclaration[];
  /** Their numbers, by relation. */
  readonly reading: ReadonlyMap<string, readonly number[]>;
  /** Those of which that cannot be told, as their bodies are damaged. */
  readonly unknown: readonly number[];
}

/** Made once, so that a mutation does not pay for the checks that it has nothing to do with. */
const INDEXES = new WeakMap<Program, CheckIndex>();

/** The checks that read what has changed, in their order. */
function checksOn(
  program: Program,
  severity: CheckDeclaration['severity'],
  changed: ReadonlySet<string>,
): readonly CheckDeclaration[] {
  const index = INDEXES.get(program) ?? indexChecks(program);
  INDEXES.set(program, index);
  const numbers = new Set(index.unknown);
  for (const path of changed) for (const number of index.reading.get(path) ?? []) numbers.add(number);
  const found: CheckDeclaration[] = [];
  for (const number of [...numbers].sort((left, right) => left - right)) {
    const check = index.checks[number];
    if (check?.severity === severity) found.push(check);
  }
  return found;
}

function indexChecks(program: Program): CheckIndex {
  const checks = [...program.checks.values()];
  const reading = new Map<string, number[]>();
  const unknown: number[] = [];
  for (const [number, { path }] of checks.entries()) {
    try {
      for (const read of program.storedReadsOf(program.relationOfCheck(path))) {
        const numbers = reading.get(read) ?? [];
        numbers.push(number);
        reading.set(read, numbers);
      }
    } catch (error) {
      if (!(error instanceof EvaluationFault)) throw error;
      unknown.push(number);
    }
  }
  return { checks, reading, unknown };
}

/** The guard: a transaction must not add a violation of a blocking check. Earlier violations do not block. */

import { ApiError } from '../../api/errors.js';
import type { Firing } from '../../api/schemas/schemas.js';
import { localName } from '../../artifact/expression-text.js';
import type { CheckDeclaration } from '../../artifact/types.js';
import { type Deadline, DeadlineExceeded, type MaybePromise } from '../../base/ports.js';
import { EvaluationFault, type Program, type View } from '../../engine/index.js';
import { withFaults } from '../wire/faults.js';
import { namesIn } from '../wire/labels.js';
import { addedRows, renderViolation } from '../wire/violations.js';

/** The most violations whose individuals are labelled. Nobody reads more of them one by one. */
const NAMED_VIOLATIONS_MAX = 1_000;

/**
 * Compares violations before and after. Checks that read none of the `changed` stored relations are skipped. Throws CHECK_VIOLATION, with
 * labels of individuals that `kept` does not have. Returns the new violations of warning checks.
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
      `Blocked by check ${localName(first.check)}: ${first.message}${more}`,
      { diagnostics: blocking, ...(Object.keys(names).length > 0 && { names }) },
    );
  }
  return warningViolations(before, after, changed, deadline);
}

/** Like `guard` without refusing: returns all new violations, those of blocking checks first. Throws CHECK_EVAL_FAILED. */
export async function addedViolations(
  before: View,
  after: View,
  changed: ReadonlySet<string>,
  deadline: Deadline,
): Promise<readonly Firing[]> {
  const blocking = await blockingViolations(before, after, changed, deadline);
  return [...blocking, ...(await warningViolations(before, after, changed, deadline))];
}

function warningViolations(
  before: View,
  after: View,
  changed: ReadonlySet<string>,
  deadline: Deadline,
): MaybePromise<readonly Firing[]> {
  const checks = checksOn(after.program, 'warning', changed);
  return checks.length === 0 ? [] : allWarnings(before, after, checks, deadline);
}

async function allWarnings(
  before: View,
  after: View,
  checks: readonly CheckDeclaration[],
  deadline: Deadline,
): Promise<readonly Firing[]> {
  const violations: Firing[] = [];
  for (const check of checks) violations.push(...(await warningsOf(before, after, check, deadline)));
  return violations;
}

/** Violations of blocking checks that only `after` has. Throws CHECK_EVAL_FAILED. */
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
  const known = before.materialise(relation, deadline);
  const old = known instanceof Promise ? await known : known;
  const maintained = after.materialise(relation, deadline);
  const now = maintained instanceof Promise ? await maintained : maintained;
  const added = addedRows(old, now, deadline);
  const violations: Firing[] = [];
  for (const row of added instanceof Promise ? await added : added)
    violations.push(await renderViolation(after, check, row, deadline));
  return violations;
}

/** A warning check that fails or never ends must not fail the write. */
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

/** The checks of a program, and the stored relations that each reads. */
interface CheckIndex {
  readonly checks: readonly CheckDeclaration[];
  /** Indexes of checks, by relation. */
  readonly reading: ReadonlyMap<string, readonly number[]>;
  /** Checks with undecodable bodies, whose relations are unknown. */
  readonly unknown: readonly number[];
}

/** Cached, so that a mutation does no work for checks that it cannot affect. */
const INDEXES = new WeakMap<Program, CheckIndex>();

/** The checks that read a changed relation, in declaration order. */
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

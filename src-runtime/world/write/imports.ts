/** An import: one mutation run for many rows of arguments, as one transaction, with what is wrong told row by row. */

import { ApiError } from '../../api/errors.js';
import type { Capability } from '../../api/schemas/health-schemas.js';
import type { ImportFailure, ImportSummary } from '../../api/schemas/import-schemas.js';
import type { Effects, Firing, JsonValue } from '../../api/schemas/schemas.js';
import type { MutationDeclaration } from '../../artifact/types.js';
import { type Deadline, DeadlineExceeded } from '../../base/ports.js';
import type { Surroundings } from '../../engine/index.js';
import type { ImportResponse } from '../contract/requests.js';
import { requireOpen } from '../state/forks.js';
import type { Session } from '../state/session.js';
import { requireForgettable, requireMutation } from '../wire/callables.js';
import { timedOut } from '../wire/faults.js';
import { namesIn } from '../wire/labels.js';
import { type ImportKey, importKeys, withoutKeys } from './import-keys.js';
import type { OpenTransaction } from './open-transaction.js';
import { createSavepoint } from './savepoint.js';
import { guarded, type ReportOptions, runCall, transact } from './transact.js';

export interface ImportOptions extends ReportOptions {
  readonly surroundings: Surroundings;
  readonly granted: readonly Capability[];
  readonly dryRun: boolean;
  /** By parameter, the field whose values stand in the rows for individuals. */
  readonly keys: Readonly<Record<string, string>>;
  /** Sees what all rows come to, before that is gone where it is only tried. */
  readonly inspect?: ((transaction: OpenTransaction) => Promise<void>) | undefined;
}

type Rows = readonly Readonly<Record<string, JsonValue>>[];

/** Failures, and warnings, that are told of; more are counted. Behind that many failures no further row is tried. */
const REPORTED_MAX = 100;

/**
 * All rows, or none. Each sees what those before it did; all of them together are guarded as one mutation is. What a row
 * fails with has the code that it would have alone, its number from 0 in `details.row`, and all that fail in
 * `details.failures`.
 */
export async function runImport(
  session: Session,
  path: string,
  rows: Rows,
  { surroundings, granted, dryRun, keys: named, siteOf, effectRows, inspect }: ImportOptions,
  deadline: Deadline,
): Promise<ImportResponse> {
  requireOpen(session.fork);
  const { program } = session.scope;
  const mutation = requireMutation(program, path);
  requireForgettable(program, mutation, session.fork.id, granted);
  const keys = importKeys(program, mutation, named);
  const { value, txn, events } = await transact(
    session,
    { cause: { kind: 'mutation', path }, dryRun },
    deadline,
    async (transaction) => {
      const report = { siteOf, effectRows };
      const run: Run = { mutation, keys, surroundings, rows, deadline, ...report, failures: new Map(), warnings: [] };
      await tryRows(run, transaction, 0, rows.length);
      throwFailures(run, run.failures.size >= REPORTED_MAX && run.failures.size < rows.length);
      await inspect?.(transaction);
      const warnings = run.warnings.slice(0, REPORTED_MAX);
      const { effects } = run;
      return {
        warnings,
        effects,
        count: run.warnings.length,
        names: dryRun ? await namesOfCreated(transaction, warnings, deadline) : {},
      };
    },
  );
  const { warnings, effects, count, names } = value;
  const result: ImportSummary = { rows: rows.length, events: events.length, warnings: count };
  const report = { ...(effects !== undefined && { effects }), ...(Object.keys(names).length > 0 && { names }) };
  return { result, txn, warnings, ...report };
}

/** What the individuals are called that the warnings are about and that there will not be. */
async function namesOfCreated(transaction: OpenTransaction, warnings: readonly Firing[], deadline: Deadline) {
  const committed = transaction.branch.facts.latest();
  try {
    const tuples = warnings.map(({ tuple }) => tuple);
    return await namesIn(tuples, transaction.overlay.view, deadline, committed);
  } finally {
    committed.release();
  }
}

interface Run extends ReportOptions {
  readonly mutation: MutationDeclaration;
  readonly keys: readonly ImportKey[];
  readonly surroundings: Surroundings;
  readonly rows: Rows;
  readonly deadline: Deadline;
  /** By row. */
  readonly failures: Map<number, ApiError>;
  readonly warnings: Firing[];
  /** Of all rows together, where they are wanted. */
  effects?: Effects | undefined;
  /** What forbids all rows together, while those that it is about are looked for. */
  forbidden?: ApiError;
}

/**
 * Runs these rows and guards them together. Where a check forbids it they are undone, and each half is tried by itself, down
 * to the rows that it is about: it costs little where all is well, and finds all that is wrong where it is not.
 */
async function tryRows(run: Run, transaction: OpenTransaction, from: number, to: number): Promise<void> {
  if (run.failures.size >= REPORTED_MAX) return;
  const savepoint = createSavepoint(transaction);
  try {
    const work = () => runRows(run, savepoint.transaction, from, to);
    const isFirst = run.forbidden === undefined || (to - from === 1 && run.failures.size === 0);
    // What refuses the first row, or all of them together, is proved.
    const { siteOf, effectRows } = run;
    const report = { ...(isFirst && { siteOf }), ...(run.forbidden === undefined && { effectRows }) };
    const { warnings, effects } = await guarded(savepoint.transaction, work, run.deadline, report);
    run.effects = effects;
    savepoint.release();
    run.warnings.push(...warnings);
  } catch (thrown) {
    if (thrown instanceof DeadlineExceeded) {
      // What was found is what the caller can mend; that the time was up as well is told beside it.
      throwFailures(run, true);
      throw run.forbidden ?? timedOut(thrown);
    }
    if (!(thrown instanceof ApiError) || thrown.code !== 'SVC_RUNTIME_CHECK_VIOLATION') throw thrown;
    savepoint.rollBack();
    run.forbidden ??= thrown;
    if (to - from === 1) {
      run.failures.set(from, thrown);
      return;
    }
    const middle = (from + to) >> 1;
    await tryRows(run, transaction, from, middle);
    await tryRows(run, transaction, middle, to);
  }
}

/** A row that fails by itself is undone, and the next one run. */
async function runRows(run: Run, transaction: OpenTransaction, from: number, to: number): Promise<void> {
  const { mutation, keys, surroundings, rows, failures, deadline } = run;
  for (let row = from; row < to && failures.size < REPORTED_MAX; row++) {
    await deadline.checkpoint();
    if (failures.has(row)) continue;
    const savepoint = createSavepoint(transaction);
    try {
      const args = await withoutKeys(savepoint.transaction.overlay.view, keys, rows[row] ?? {}, deadline);
      await runCall(savepoint.transaction, { mutation, args, surroundings }, deadline);
      savepoint.release();
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      savepoint.rollBack();
      failures.set(row, thrown);
    }
  }
}

/** Throws nothing where no row has failed. `cut` says that not every row was tried. */
function throwFailures({ failures }: Run, cut: boolean): void {
  const inOrder = [...failures].sort(([left], [right]) => left - right);
  const [first] = inOrder;
  if (first === undefined) return;
  const [row, error] = first;
  const report = inOrder.map(
    ([at, { code, message, details }]): ImportFailure => ({ row: at, code, message, details }),
  );
  const others = inOrder.length - 1;
  const more = others === 0 ? '' : ` (and ${others} ${others === 1 ? 'row' : 'rows'} more)`;
  throw new ApiError(
    error.code,
    `In row ${row}: ${error.message}${more}`,
    { ...error.details, row, failures: report, cut },
    { cause: error },
  );
}

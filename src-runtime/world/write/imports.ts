/** An import: one mutation run for many rows of arguments, as one transaction, with what is wrong told row by row. */

import { ApiError } from '../../api/errors.js';
import type { Capability } from '../../api/schemas/health-schemas.js';
import type { ImportFailure, ImportSummary } from '../../api/schemas/import-schemas.js';
import type { Effects, Firing, JsonValue } from '../../api/schemas/schemas.js';
import type { MutationDeclaration } from '../../artifact/types.js';
import { type Deadline, DeadlineExceeded } from '../../base/ports.js';
import type { Surroundings } from '../../engine/index.js';
import type { ImportAnswer } from '../contract/requests.js';
import { requireOpen } from '../state/forks.js';
import type { SessionParts } from '../state/session-parts.js';
import { requireForgettable, requireMutation } from '../wire/callables.js';
import { timedOut } from '../wire/faults.js';
import { namesIn } from '../wire/labels.js';
import { type ImportKey, importKeys, withoutKeys } from './import-keys.js';
import { guarded, runCall, type Told, transact } from './transact.js';
import { undoable } from './undoable.js';
import type { Writing } from './writing.js';

export interface ImportOptions extends Told {
  readonly surroundings: Surroundings;
  readonly granted: readonly Capability[];
  readonly dryRun: boolean;
  /** By parameter, the field whose values stand in the rows for individuals. */
  readonly keys: Readonly<Record<string, string>>;
  /** Sees what all rows come to, before that is gone where it is only tried. */
  readonly look?: ((writing: Writing) => Promise<void>) | undefined;
}

type Rows = readonly Readonly<Record<string, JsonValue>>[];

/** Failures, and warnings, that are told of; more are counted. Behind that many failures no further row is tried. */
const TOLD_MAX = 100;

/**
 * All rows, or none. Each sees what those before it did; all of them together are guarded as one mutation is. What a row
 * fails with has the code that it would have alone, its number from 0 in `details.row`, and all that fail in
 * `details.failures`.
 */
export async function runImport(
  parts: SessionParts,
  path: string,
  rows: Rows,
  { surroundings, granted, dryRun, keys: named, siteOf, effectRows, look }: ImportOptions,
  deadline: Deadline,
): Promise<ImportAnswer> {
  requireOpen(parts.fork);
  const { program } = parts.scope;
  const mutation = requireMutation(program, path);
  requireForgettable(program, mutation, parts.fork.id, granted);
  const keys = importKeys(program, mutation, named);
  const { value, txn, events } = await transact(
    parts,
    { cause: { kind: 'mutation', path }, dryRun },
    deadline,
    async (writing) => {
      const told = { siteOf, effectRows };
      const run: Run = { mutation, keys, surroundings, rows, deadline, ...told, failures: new Map(), warnings: [] };
      await tryRows(run, writing, 0, rows.length);
      throwFailures(run, run.failures.size >= TOLD_MAX && run.failures.size < rows.length);
      await look?.(writing);
      const warnings = run.warnings.slice(0, TOLD_MAX);
      const { effects } = run;
      return {
        warnings,
        effects,
        count: run.warnings.length,
        names: dryRun ? await namesOfMade(writing, warnings, deadline) : {},
      };
    },
  );
  const { warnings, effects, count, names } = value;
  const result: ImportSummary = { rows: rows.length, events: events.length, warnings: count };
  const told = { ...(effects !== undefined && { effects }), ...(Object.keys(names).length > 0 && { names }) };
  return { result, txn, warnings, ...told };
}

/** What the individuals are called that the warnings are about and that there will not be. */
async function namesOfMade(writing: Writing, warnings: readonly Firing[], deadline: Deadline) {
  const kept = writing.branch.facts.latest();
  try {
    const tuples = warnings.map(({ tuple }) => tuple);
    return await namesIn(tuples, writing.transaction.view, deadline, kept);
  } finally {
    kept.release();
  }
}

interface Run extends Told {
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
async function tryRows(run: Run, writing: Writing, from: number, to: number): Promise<void> {
  if (run.failures.size >= TOLD_MAX) return;
  const attempt = undoable(writing);
  try {
    const work = () => runRows(run, attempt.writing, from, to);
    const isFirst = run.forbidden === undefined || (to - from === 1 && run.failures.size === 0);
    // What refuses the first row, or all of them together, is proved.
    const { siteOf, effectRows } = run;
    const told = { ...(isFirst && { siteOf }), ...(run.forbidden === undefined && { effectRows }) };
    const { warnings, effects } = await guarded(attempt.writing, work, run.deadline, told);
    run.effects = effects;
    attempt.keep();
    run.warnings.push(...warnings);
  } catch (thrown) {
    if (thrown instanceof DeadlineExceeded) {
      // What was found is what the caller can mend; that the time was up as well is told beside it.
      throwFailures(run, true);
      throw run.forbidden ?? timedOut(thrown);
    }
    if (!(thrown instanceof ApiError) || thrown.code !== 'SVC_RUNTIME_CHECK_VIOLATION') throw thrown;
    attempt.undo();
    run.forbidden ??= thrown;
    if (to - from === 1) {
      run.failures.set(from, thrown);
      return;
    }
    const middle = (from + to) >> 1;
    await tryRows(run, writing, from, middle);
    await tryRows(run, writing, middle, to);
  }
}

/** A row that fails by itself is undone, and the next one run. */
async function runRows(run: Run, writing: Writing, from: number, to: number): Promise<void> {
  const { mutation, keys, surroundings, rows, failures, deadline } = run;
  for (let row = from; row < to && failures.size < TOLD_MAX; row++) {
    await deadline.checkpoint();
    if (failures.has(row)) continue;
    const attempt = undoable(writing);
    try {
      const args = await withoutKeys(attempt.writing.transaction.view, keys, rows[row] ?? {}, deadline);
      await runCall(attempt.writing, { mutation, args, surroundings }, deadline);
      attempt.keep();
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      attempt.undo();
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
  const told = inOrder.map(([at, { code, message, details }]): ImportFailure => ({ row: at, code, message, details }));
  const others = inOrder.length - 1;
  const more = others === 0 ? '' : ` (and ${others} ${others === 1 ? 'row' : 'rows'} more)`;
  throw new ApiError(
    error.code,
    `In row ${row}: ${error.message}${more}`,
    { ...error.details, row, failures: told, cut },
    { cause: error },
  );
}

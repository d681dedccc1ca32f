/** An import: runs one mutation, or inserts, for many rows in one transaction, and reports failures row by row. */

import { ApiError } from '../../api/errors.js';
import type { Capability } from '../../api/schemas/health-schemas.js';
import type { ImportFailure, ImportSummary, ImportTarget } from '../../api/schemas/import-schemas.js';
import type { Effects, Firing, JsonValue } from '../../api/schemas/schemas.js';
import type { MutationDeclaration, Statement } from '../../artifact/types.js';
import { didYouMean } from '../../base/nearest.js';
import { type Deadline, DeadlineExceeded } from '../../base/ports.js';
import type { ExpressionContext, Program } from '../../engine/index.js';
import type { ImportResponse } from '../contract/requests.js';
import { type UnmetRequirement, unmetIn } from '../explain/requirements.js';
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
  readonly expressionContext: ExpressionContext;
  readonly granted: readonly Capability[];
  readonly dryRun: boolean;
  /** By parameter, the field that identifies individuals in the rows. */
  readonly keys: Readonly<Record<string, string>>;
  /** Reads the state after all rows, before a dry run is rolled back. `unmet` is what refused the first failing row. */
  readonly inspect?: ((transaction: OpenTransaction, unmet?: UnmetRequirement) => Promise<void>) | undefined;
  /** Only for a dry run: checks refuse nothing, and a row that a `require` refuses is left out. */
  readonly isUnguarded?: boolean;
}

type Rows = readonly Readonly<Record<string, JsonValue>>[];

/** The most failures and warnings that are reported. More warnings are counted; after this many failures no row is tried. */
const REPORTED_MAX = 100;

/**
 * Imports all rows or none. Each row sees the changes of earlier rows, and one guard covers all of them. A failing row has the code that it
 * would have alone, its number from 0 in `details.row`, and all failures are in `details.failures`.
 */
export async function runImport(
  session: Session,
  target: ImportTarget,
  rows: Rows,
  { expressionContext, granted, dryRun, keys: named, siteOf, effectRows, inspect, isUnguarded }: ImportOptions,
  deadline: Deadline,
): Promise<ImportResponse> {
  requireOpen(session.fork);
  const { program } = session.scope;
  const mutation =
    target.mutation === undefined
      ? insertingInto(program, target.into ?? '')
      : requireMutation(program, target.mutation);
  requireForgettable(program, mutation, session.fork.id, granted);
  const keys = importKeys(program, mutation, named);
  const { value, txn, events } = await transact(
    session,
    { cause: target.mutation === undefined ? { kind: 'adhoc' } : { kind: 'mutation', path: target.mutation }, dryRun },
    deadline,
    async (transaction) => {
      const report = { siteOf, effectRows };
      const run: Run = {
        mutation,
        keys,
        expressionContext,
        rows,
        deadline,
        ...report,
        failures: new Map(),
        warnings: [],
      };
      await (isUnguarded === true ? runRows : tryRows)(run, transaction, 0, rows.length);
      const [refused] = run.failures.values();
      const unmet = isUnguarded === true ? unmetIn(refused) : undefined;
      if (unmet === undefined) throwFailures(run, run.failures.size >= REPORTED_MAX && run.failures.size < rows.length);
      await inspect?.(transaction, unmet);
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

/**
 * A mutation that inserts one individual or fact: its parameters are the stored fields of the concept, or the endpoints of the relation.
 * Throws VALIDATION_FAILED for what is neither.
 */
function insertingInto(program: Program, path: string): MutationDeclaration {
  const concept = program.concepts.get(path);
  const relation = program.artifact.schema.relations.find((each) => each.path === path);
  const declaration = concept ?? relation;
  if (declaration === undefined) {
    const known = [...program.concepts.keys(), ...program.artifact.schema.relations.map((each) => each.path)];
    const why = program.relations.has(path)
      ? ', which is neither.'
      : didYouMean(path, known) || ', which is not declared.';
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `Expected a concept or a stored relation, got "${path}"${why}`,
      { path: '$.into' },
    );
  }
  const { span } = declaration;
  const variable = (name: string) => ({ op: 'variable', name }) as const;
  const fields =
    (concept && program.classes.get(path)?.fields.filter(({ navigation }) => navigation === undefined)) ?? [];
  const statement: Statement =
    relation === undefined
      ? {
          op: 'insertIndividual',
          concept: path,
          fields: fields.map((field) => ({ field: field.path, value: variable(field.name) })),
          bind: null,
          span,
        }
      : { op: 'insertFact', relation: path, args: relation.endpoints.map(({ name }) => variable(name)), span };
  const parameters = relation === undefined ? fields : relation.endpoints;
  return { path, public: true, span, parameters, result: null, body: { op: 'block', statements: [statement] } };
}

/** Labels of individuals in the warnings that will not exist after the dry run. */
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
  readonly expressionContext: ExpressionContext;
  readonly rows: Rows;
  readonly deadline: Deadline;
  /** By row. */
  readonly failures: Map<number, ApiError>;
  readonly warnings: Firing[];
  /** The effects of all rows together, if requested. */
  effects?: Effects | undefined;
  /** The violation of all rows together, while the rows that cause it are searched. */
  forbidden?: ApiError;
}

/**
 * Runs these rows under one guard. If a check refuses them, rolls back and tries each half, down to single rows. This costs little if all
 * rows pass, and finds every failing row otherwise.
 */
async function tryRows(run: Run, transaction: OpenTransaction, from: number, to: number): Promise<void> {
  if (run.failures.size >= REPORTED_MAX) return;
  const savepoint = createSavepoint(transaction);
  try {
    const work = () => runRows(run, savepoint.transaction, from, to);
    const isFirst = run.forbidden === undefined || (to - from === 1 && run.failures.size === 0);
    // Proves the refusal of the first row, or of all rows together.
    const { siteOf, effectRows } = run;
    const report = { ...(isFirst && { siteOf }), ...(run.forbidden === undefined && { effectRows }) };
    const { warnings, effects } = await guarded(savepoint.transaction, work, run.deadline, report);
    run.effects = effects;
    savepoint.release();
    run.warnings.push(...warnings);
  } catch (thrown) {
    if (thrown instanceof DeadlineExceeded) {
      // The caller can fix the failures found so far. That the time was up is reported with them.
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

/** Rolls back a failing row and continues with the next. */
async function runRows(run: Run, transaction: OpenTransaction, from: number, to: number): Promise<void> {
  const { mutation, keys, expressionContext, rows, failures, deadline } = run;
  for (let row = from; row < to && failures.size < REPORTED_MAX; row++) {
    await deadline.checkpoint();
    if (failures.has(row)) continue;
    const savepoint = createSavepoint(transaction);
    try {
      const args = await withoutKeys(savepoint.transaction.overlay.view, keys, rows[row] ?? {}, deadline);
      await runCall(savepoint.transaction, { mutation, args, expressionContext }, deadline);
      savepoint.release();
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      savepoint.rollBack();
      failures.set(row, thrown);
    }
  }
}

/** Throws if a row has failed. `cut` says that not every row was tried. */
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

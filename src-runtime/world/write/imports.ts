/** An import: runs one mutation, or inserts, for many rows in one transaction, and reports failures row by row. */

import { ApiError } from '../../api/errors.js';
import type { ImportFailure, ImportSummary, ImportTarget } from '../../api/schemas/import-schemas.js';
import type { Effects, Firing, JsonValue } from '../../api/schemas/schemas.js';
import type { MutationDeclaration, Statement } from '../../artifact/types.js';
import { bareRecord } from '../../base/bare-record.js';
import { didYouMean } from '../../base/nearest.js';
import { type Deadline, DeadlineExceeded } from '../../base/ports.js';
import { BLOCK_ITEMS, drive, type ExpressionContext, type Program } from '../../engine/index.js';
import { type Cause, countEvents } from '../../storage/event-store.js';
import type { ImportOptions, ImportResponse, ImportRow, ImportRows } from '../contract/requests.js';
import { type UnmetRequirement, unmetIn } from '../explain/requirements.js';
import { requireOpen } from '../state/forks.js';
import type { Session } from '../state/session.js';
import { checkNames } from '../wire/arguments.js';
import { requireForgettable, requireMutation } from '../wire/callables.js';
import { timedOut } from '../wire/faults.js';
import { namesIn } from '../wire/labels.js';
import { bulkInserts } from './bulk-inserts.js';
import { type ImportKey, importKeys, withoutKeys } from './import-keys.js';
import type { OpenTransaction } from './open-transaction.js';
import { createRowSavepoints, createSavepoint, type RowSavepoints } from './savepoint.js';
import { guarded, type ReportOptions, runCall, transact } from './transact.js';

export interface RunImportOptions extends ReportOptions, Omit<ImportOptions, 'effects' | 'explain'> {
  readonly expressionContext: ExpressionContext;
  /** Reads the state after all rows, before a dry run is rolled back. `unmet` is what refused the first failing row. */
  readonly inspect?: ((transaction: OpenTransaction, unmet?: UnmetRequirement) => Promise<void>) | undefined;
  /** Only for a dry run: checks refuse nothing, and a row that a `require` refuses is left out. */
  readonly isUnguarded?: boolean;
}

/**
 * The most failures and warnings that are reported. More warnings are counted; after this many failures no row is tried, unless failing
 * rows are left out.
 */
const REPORTED_MAX = 100;

/**
 * Imports all rows or none, or with `rejects` all but the failing ones. Each row sees the changes of earlier rows, and one guard covers all
 * of them. A failing row has the code that it would have alone, its number from 0 in `details.row`, and all failures are in
 * `details.failures`.
 */
export async function runImport(
  session: Session,
  target: ImportTarget,
  rows: ImportRows,
  options: RunImportOptions,
  deadline: Deadline,
): Promise<ImportResponse> {
  const { expressionContext, granted, dryRun, keys: named, siteOf, effectRows, inspect, isUnguarded } = options;
  const { columns, rejects = false, source } = options;
  requireOpen(session.fork);
  const { program } = session.scope;
  const mutation =
    target.mutation === undefined
      ? insertingInto(program, target.into ?? '')
      : requireMutation(program, target.mutation);
  requireForgettable(program, mutation, session.fork.id, granted);
  const keys = importKeys(program, mutation, named);
  if (columns !== undefined) checkColumns(mutation, columns);
  const from = source !== undefined && { source };
  const cause: Cause =
    target.mutation === undefined ? { kind: 'adhoc', ...from } : { kind: 'mutation', path: target.mutation, ...from };
  const { value, txn } = await transact(
    session,
    { cause, dryRun, withoutEvents: true },
    deadline,
    async (transaction) => {
      const report = { siteOf, effectRows };
      const run: Run = {
        mutation,
        keys,
        expressionContext,
        rows,
        columns,
        rejects,
        deadline,
        ...report,
        failures: new Map(),
        warnings: [],
        isInexact: false,
      };
      await (isUnguarded === true ? runRows(run, transaction, 0, rows.count) : tryAll(run, transaction));
      const [refused] = run.failures.values();
      const unmet = isUnguarded === true ? unmetIn(refused) : undefined;
      if (unmet === undefined && !rejects) {
        throwFailures(run, run.failures.size >= REPORTED_MAX && run.failures.size < rows.count);
      }
      await inspect?.(transaction, unmet);
      const warnings = run.warnings.slice(0, REPORTED_MAX);
      const { effects, failures } = run;
      return {
        warnings,
        effects,
        failures,
        events: countEvents(transaction.events),
        count: run.warnings.length,
        names: dryRun ? await namesOfCreated(transaction, warnings, deadline) : {},
      };
    },
  );
  const { warnings, effects, failures, events, count, names } = value;
  const rejected = rejects && { rejected: failures.size };
  const result: ImportSummary = { rows: rows.count - failures.size, events, warnings: count, ...rejected };
  const report = {
    ...(effects !== undefined && { effects }),
    ...(rejects && { failures: reportOf(failures) }),
    ...(Object.keys(names).length > 0 && { names }),
  };
  return { result, txn, warnings, ...report };
}

/** Rows that are all in memory. */
export function listedRows(rows: readonly ImportRow[]): ImportRows {
  return { count: rows.length, blocksFrom: () => [{ first: 0, rows }] };
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
  readonly rows: ImportRows;
  readonly columns: readonly string[] | undefined;
  readonly rejects: boolean;
  readonly deadline: Deadline;
  /** By row. */
  readonly failures: Map<number, ApiError>;
  warnings: Firing[];
  /** Whether the rollback of a row restored a deleted fact. */
  isInexact: boolean;
  /** The effects of all rows together, if requested. */
  effects?: Effects | undefined;
  /** The violation of all rows together, while the rows that cause it are searched. */
  forbidden?: ApiError;
}

/** Runs all rows. Runs the good ones again, without the others, if the others have left traces. */
async function tryAll(run: Run, transaction: OpenTransaction): Promise<void> {
  for (;;) {
    const savepoint = createSavepoint(transaction);
    run.isInexact = false;
    run.warnings = [];
    await tryRows(run, savepoint.transaction, 0, run.rows.count);
    if (!run.rejects || !run.isInexact) return savepoint.release();
    savepoint.rollBack();
  }
}

/**
 * Runs these rows under one guard. If a check refuses them, rolls back and tries each half, down to single rows. This costs little if all
 * rows pass, and finds every failing row otherwise.
 */
async function tryRows(run: Run, transaction: OpenTransaction, from: number, to: number): Promise<void> {
  if (isFull(run)) return;
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
  const { keys, deadline, failures } = run;
  for (const { field } of keys) await transaction.overlay.view.stored(field.path).prepare([1], deadline);
  // Made anew for these rows, because it remembers individuals of earlier rows, which may have been rolled back.
  const inserts = bulkInserts(transaction, run);
  const savepoints = createRowSavepoints(transaction);
  for (const { first, rows } of run.rows.blocksFrom(from)) {
    for (let at = Math.max(first, from); at < first + rows.length; at++) {
      if (at >= to || isFull(run)) {
        inserts?.flush();
        return;
      }
      if (failures.has(at)) continue;
      const row = rows[at - first] as ImportRow;
      if (inserts === undefined || at % BLOCK_ITEMS === 0) {
        inserts?.flush();
        const pause = deadline.checkpoint();
        if (pause !== undefined) await pause;
        if (inserts !== undefined) await drive(inserts.makeRoom(BLOCK_ITEMS), deadline);
      }
      if (inserts?.add(row) === true) continue;
      inserts?.flush();
      await runRow(run, savepoints, at, row);
    }
    inserts?.flush();
  }
}

async function runRow(run: Run, savepoints: RowSavepoints, at: number, row: ImportRow): Promise<void> {
  const { mutation, keys, expressionContext, columns, failures, deadline } = run;
  const { transaction } = savepoints;
  savepoints.begin();
  try {
    const members = membersOf(row, columns, mutation);
    const args = keys.length === 0 ? members : await withoutKeys(transaction.overlay.view, keys, members, deadline);
    await runCall(transaction, { mutation, args, expressionContext }, deadline);
    savepoints.release();
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    run.isInexact ||= savepoints.isInexact;
    savepoints.rollBack();
    failures.set(at, thrown);
  }
}

/** Whether enough failures are known. */
function isFull({ rejects, failures }: Run): boolean {
  return !rejects && failures.size >= REPORTED_MAX;
}

/** Throws SIGNATURE_MISMATCH for an unknown column or a missing one, and VALIDATION_FAILED for one that is named twice. */
function checkColumns({ path, parameters }: MutationDeclaration, columns: readonly string[]): void {
  const twice = columns.find((name, at) => columns.indexOf(name) < at);
  if (twice !== undefined) {
    throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', `The column "${twice}" is named twice ($.columns).`, {
      path: '$.columns',
    });
  }
  checkNames(path, parameters, Object.fromEntries(columns.map((name) => [name, null])));
}

/** A row with its arguments by name. Throws what makes it unreadable. */
function membersOf(
  row: ImportRow,
  columns: readonly string[] | undefined,
  { parameters }: MutationDeclaration,
): Readonly<Record<string, JsonValue>> {
  if (row instanceof ApiError) throw row;
  if (!isList(row)) return row;
  if (row.length !== columns?.length) {
    const expected = columns === undefined ? 'an object, as no columns are named' : `${columns.length} cells`;
    throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', `Expected ${expected}, got ${row.length} cells.`, {});
  }
  const members = bareRecord<JsonValue>();
  for (const [at, name] of columns.entries()) {
    const cell = row[at] ?? null;
    const isOptional = cell !== null || parameters.find((each) => each.name === name)?.type.kind === 'optional';
    if (isOptional) members[name] = cell;
  }
  return members;
}

function isList(row: ImportRow): row is readonly JsonValue[] {
  return Array.isArray(row);
}

/** Throws if a row has failed. `cut` says that not every row was tried. */
function throwFailures({ failures }: Run, cut: boolean): void {
  const report = reportOf(failures);
  const [first] = report;
  const error = first && failures.get(first.row);
  if (error === undefined) return;
  const { row } = first as ImportFailure;
  const others = report.length - 1;
  const more = others === 0 ? '' : ` (and ${others} more ${others === 1 ? 'row' : 'rows'})`;
  throw new ApiError(
    error.code,
    `In row ${row}${more}: ${error.message}`,
    { ...error.details, row, failures: report, cut },
    { cause: error },
  );
}

/** The failures in order of their rows. Those past the first hundred list no violations, which may be many for each. */
function reportOf(failures: Run['failures']): ImportFailure[] {
  const inOrder = [...failures].sort(([left], [right]) => left - right);
  return inOrder.map(([row, { code, message, details }], index) => {
    const { diagnostics, ...rest } = details;
    return { row, code, message, details: index < REPORTED_MAX ? details : rest };
  });
}

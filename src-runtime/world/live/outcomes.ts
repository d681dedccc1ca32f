/** The rows or the value that a declaration gives, compared with what it gives in the loaded module. */

import { ApiError } from '../../api/errors.js';
import type { LiveOutcome, LiveResult } from '../../api/schemas/live-schemas.js';
import type { JsonValue, WireType } from '../../api/schemas/schemas.js';
import type { FunctionDeclaration, QueryDeclaration } from '../../artifact/types.js';
import { type Deadline, DeadlineExceeded } from '../../base/ports.js';
import type { PartlyCompiled, SourceDeclaration } from '../../compiler/index.js';
import { callFunction, type Program, type RelationReader, type View } from '../../engine/index.js';
import { runQuery } from '../read/queries.js';
import type { Branch } from '../state/scope.js';
import { expressionContextOf, pageRequest, type Session } from '../state/session.js';
import { runModuleTest } from '../tests/module-tests.js';
import { readArguments } from '../wire/arguments.js';
import { requireSupportedFunction, requireSupportedQuery } from '../wire/callables.js';
import { createRenderer } from '../wire/entities.js';
import { withFaults } from '../wire/faults.js';
import { tableColumns, typedColumn } from '../wire/row-blocks.js';
import { renderViolation } from '../wire/violations.js';
import type { CandidateState } from './candidate.js';
import { shownRows, wireRow } from './rows.js';
import { isRequired, type LiveQuestion, parametersOf, type Target } from './target.js';

export interface Site {
  readonly session: Session;
  /** The state of the fork. */
  readonly branch: Branch;
  /** Of the loaded module. */
  readonly view: View;
  /** Of the texts. */
  readonly state: CandidateState;
  readonly deadline: Deadline;
}

/** Null if the time is up. Faults of the texts and of arguments are outcomes too. */
export async function outcomeOf(
  site: Site,
  target: Target,
  question: LiveQuestion,
  cut: LiveResult['cut'],
): Promise<LiveOutcome | null> {
  const missing = parametersOf(target).filter((each) => isRequired(each) && !Object.hasOwn(question.args, each.name));
  if (missing.length > 0) return { kind: 'arguments', missing: missing.map(({ name }) => name) };
  try {
    if (target.kind === 'relation') return await relationOutcome(site, target.path, question.rows, cut);
    if (target.kind === 'query') return await queryOutcome(site, target.query, question, cut);
    return await functionOutcome(site, target.fn, question.args);
  } catch (error) {
    if (error instanceof ApiError) {
      const { code, message, details } = error;
      return { kind: 'failed', code, message, details: { ...details } };
    }
    if (!(error instanceof DeadlineExceeded)) throw error;
    cut.push({ what: 'rows', reason: 'deadline' });
    return null;
  }
}

/** Null if the texts have no such test. */
export async function testOutcome(
  { stopwatch, limits }: Session,
  { tests }: PartlyCompiled,
  program: Program,
  { module, name }: SourceDeclaration,
  deadline: Deadline,
): Promise<LiveOutcome | null> {
  const test = tests.find((each) => each.module === module && each.name === name);
  if (test === undefined) return null;
  const options = { clock: stopwatch, factsPerRule: limits.factsPerRule, createDeadline: () => deadline };
  return { kind: 'test', result: await runModuleTest(program, test, options) };
}

/** Rendering the message of a violation runs its check again. */
const VIOLATIONS_MAX = 50;

async function relationOutcome(
  { view, state, deadline }: Site,
  path: string,
  rowsMax: number,
  cut: LiveResult['cut'],
): Promise<LiveOutcome> {
  // Before the texts are evaluated, so that values that both derive have the same codes.
  const old = await rowsBefore(view, state.view.program, path, deadline);
  const { program } = state.view;
  const rows = await withFaults(program, path, 'SVC_RUNTIME_DERIVE_FAILED', () =>
    state.view.materialise(path, deadline),
  );
  const after = { view: state.view, rows };
  const check = program.checks.get(path);
  const most = check === undefined ? rowsMax : Math.min(rowsMax, VIOLATIONS_MAX);
  const compared =
    old === 'unknown'
      ? undefined
      : await shownRows(after, old && { view, rows: old }, state.sharesCodes, most, deadline);
  const { shown, added, removed } =
    compared ?? ((await shownRows(after, undefined, true, most, deadline)) as NonNullable<typeof compared>);
  const isNew = old === undefined;
  const wire: LiveOutcome & { kind: 'rows' } = {
    kind: 'rows',
    columns: rows.info.endpoints.map(typedColumn),
    rows: [],
    total: rows.size,
    added: isNew ? rows.size : added,
    removed,
    compared: compared !== undefined,
  };
  for (const row of shown) {
    const own = wireRow(isNew ? { ...row, change: 'added' } : row);
    if (check === undefined || row.change === 'removed') wire.rows.push(own);
    else wire.rows.push({ ...own, message: (await renderViolation(state.view, check, row.codes, deadline)).message });
  }
  if (rows.size + removed > shown.length) cut.push({ what: 'rows', reason: 'limit' });
  if (compared === undefined) cut.push({ what: 'comparison', reason: 'limit' });
  return wire;
}

/** Undefined if the loaded module lacks the relation, `unknown` if its rows cannot be compared. */
async function rowsBefore(
  view: View,
  program: Program,
  path: string,
  deadline: Deadline,
): Promise<RelationReader | 'unknown' | undefined> {
  const [old, now] = [view.program.relations.get(path), program.relations.get(path)];
  if (old === undefined) return undefined;
  if (JSON.stringify(old.endpoints.map(({ type }) => type)) !== JSON.stringify(now?.endpoints.map(({ type }) => type)))
    return 'unknown';
  try {
    return await withFaults(view.program, path, 'SVC_RUNTIME_DERIVE_FAILED', () => view.materialise(path, deadline));
  } catch (error) {
    if (error instanceof ApiError) return 'unknown';
    throw error;
  }
}

async function queryOutcome(
  site: Site,
  query: QueryDeclaration,
  { args, rows: rowsMax }: LiveQuestion,
  cut: LiveResult['cut'],
): Promise<LiveOutcome> {
  const { state } = site;
  const { program } = state.view;
  const loaded = site.view.program.queries.get(query.path);
  const old =
    loaded && isSameSignature(loaded, query)
      ? await queried(site, site.view, loaded, args).catch(unlessFault)
      : undefined;
  const now = await queried(site, state.view, query, args);
  if (query.result.kind !== 'list') {
    const changed = old !== undefined && JSON.stringify(old.result) !== JSON.stringify(now.result);
    return { kind: 'value', value: now.result, type: query.result as WireType, ...(changed && { before: old.result }) };
  }
  const compared = old !== undefined && old.nextCursor === undefined && now.nextCursor === undefined;
  const [before, after] = [compared ? (old.result as JsonValue[]) : [], now.result as JsonValue[]];
  const marked = compared ? markedRows(before, after) : after.map((value) => ({ value }));
  const changes = marked.filter((row) => 'change' in row);
  if (marked.length > rowsMax || now.nextCursor !== undefined) cut.push({ what: 'rows', reason: 'limit' });
  return {
    kind: 'rows',
    columns: tableColumns(program, query.result.of).map(({ name, type }) => ({ name, type })),
    rows: marked.slice(0, rowsMax),
    ...(now.nextCursor === undefined && { total: after.length }),
    added: changes.filter(({ change }) => change === 'added').length,
    removed: changes.filter(({ change }) => change === 'removed').length,
    compared,
  };
}

/** More rows of a query are neither counted nor compared. */
const QUERIED_MAX = 1000;

async function queried({ session, deadline }: Site, view: View, query: QueryDeclaration, args: LiveQuestion['args']) {
  requireSupportedQuery(view.program, query);
  const limit = Math.min(QUERIED_MAX, session.limits.rows);
  const request = pageRequest(session, { limit, page: undefined }, () => ['live', query.path]);
  return runQuery(view, query, args, expressionContextOf(session), request, deadline);
}

function unlessFault(error: unknown): undefined {
  if (error instanceof ApiError) return undefined;
  throw error;
}

function isSameSignature(one: QueryDeclaration, other: QueryDeclaration): boolean {
  const signature = ({ parameters, result }: QueryDeclaration) =>
    JSON.stringify([parameters.map(({ name, type }) => [name, type]), result]);
  return signature(one) === signature(other);
}

/** The rows after, in order, with removed ones where they were. */
function markedRows(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): (LiveOutcome & { kind: 'rows' })['rows'] {
  const texts = (rows: readonly JsonValue[]) => rows.map((row) => JSON.stringify(row));
  const [old, now] = [texts(before), texts(after)];
  const [oldSet, nowSet] = [new Set(old), new Set(now)];
  const marked: (LiveOutcome & { kind: 'rows' })['rows'] = [];
  let at = 0;
  for (const [index, text] of now.entries()) {
    const place = oldSet.has(text) ? old.indexOf(text, at) : -1;
    for (; at < place; at++)
      if (!nowSet.has(old[at] as string)) marked.push({ value: before[at] as JsonValue, change: 'removed' });
    if (place >= 0) at = place + 1;
    const value = after[index] as JsonValue;
    marked.push(oldSet.has(text) ? { value } : { value, change: 'added' });
  }
  for (; at < old.length; at++)
    if (!nowSet.has(old[at] as string)) marked.push({ value: before[at] as JsonValue, change: 'removed' });
  return marked;
}

async function functionOutcome(
  { view, state, deadline }: Site,
  fn: FunctionDeclaration,
  args: LiveQuestion['args'],
): Promise<LiveOutcome> {
  const value = await computed(state.view, fn, args, deadline);
  const loaded = view.program.functions.get(fn.path);
  const before = loaded && (await computed(view, loaded, args, deadline).catch(unlessFault));
  const changed = before !== undefined && JSON.stringify(before) !== JSON.stringify(value);
  return { kind: 'value', value, type: fn.result as WireType, ...(changed && { before }) };
}

function computed(
  view: View,
  fn: FunctionDeclaration,
  args: LiveQuestion['args'],
  deadline: Deadline,
): Promise<JsonValue> {
  const { program } = view;
  requireSupportedFunction(program, fn);
  const work = async () => {
    const bound = readArguments(view, fn.path, fn.parameters, args);
    const values = fn.parameters.map(({ name }) => bound[name]?.value ?? null);
    const renderer = await createRenderer(view, [], deadline);
    return renderer.render(fn.result, await callFunction(program, fn.path, values, deadline));
  };
  return Promise.resolve(withFaults(program, fn.path, 'SVC_RUNTIME_COMPUTE_EVAL_FAILED', work));
}

/** Runs queries: solves, projects, sorts, pages and renders. */

import type { JsonValue } from '../../api/schemas/schemas.js';
import type { QueryBody, QueryDeclaration, Type } from '../../artifact/types.js';
import { bareRecord } from '../../base/bare-record.js';
import type { Deadline, MaybePromise } from '../../base/ports.js';
import {
  awaited,
  type Bindings,
  driveAsync,
  EvaluationFault,
  type ExpressionContext,
  evaluateExpression,
  type Goal,
  goalFor,
  type PreparedExpression,
  type Program,
  prepareExpression,
  requireForm,
  type Solution,
  solveAtOnce,
  toWire,
  type Value,
  type View,
  wantedOf,
} from '../../engine/index.js';
import type { Page } from '../contract/requests.js';
import type { PageRequest } from '../state/cursor.js';
import { readArguments, requireMembers } from '../wire/arguments.js';
import { createRenderer, type Renderer } from '../wire/entities.js';
import { withFaults } from '../wire/faults.js';
import { FirstRows } from '../wire/first-rows.js';
import {
  cursorKey,
  cutPage,
  enforceRowCap,
  type KeyColumn,
  type KeyComparison,
  keyComparison,
  requireOwnCursor,
  type Sortable,
} from '../wire/pages.js';

/** Runs a query on wire arguments. Throws SIGNATURE_MISMATCH, VALIDATION_FAILED, QUERY_EVAL_FAILED, DERIVE_FAILED. */
export function runQuery(
  view: View,
  query: QueryDeclaration,
  args: Readonly<Record<string, JsonValue>>,
  expressionContext: ExpressionContext,
  request: PageRequest,
  deadline: Deadline,
): MaybePromise<Page<JsonValue>> {
  return withFaults(view.program, query.path, 'SVC_RUNTIME_QUERY_EVAL_FAILED', () =>
    driveAsync(pageOfQuery(view, query, args, expressionContext, request, deadline)),
  );
}

function* pageOfQuery(
  view: View,
  query: QueryDeclaration,
  args: Readonly<Record<string, JsonValue>>,
  expressionContext: ExpressionContext,
  request: PageRequest,
  deadline: Deadline,
): Generator<Promise<void>, Page<JsonValue>> {
  const solved = yield* solveQuery(view, query, args, expressionContext, request, deadline);
  const { value, selection, renderer } = solved;
  if (selection !== undefined) return yield* renderedPage(view, selection, renderer, request);
  return { result: yield* ready(renderer.render(query.result, value)) };
}

/** The rows of a list, or the value of any other result. */
interface Solved {
  readonly renderer: Renderer;
  readonly selection: (Selection & { readonly type: Type }) | undefined;
  readonly value: Value;
}

/** Without `request`, all rows. Throws EvaluationFault as well as ApiError. */
export function* solveQuery(
  view: View,
  query: QueryDeclaration,
  given: Readonly<Record<string, JsonValue>>,
  expressionContext: ExpressionContext,
  request: PageRequest | undefined,
  deadline: Deadline,
): Generator<Promise<void>, Solved> {
  const { path, body, result } = query;
  const args = yield* readCall(view, query, given, deadline);
  // A single result has no pages, so any cursor belongs to another request.
  if (request !== undefined) requireOwnCursor(request);
  const renderer = yield* ready(createRenderer(view, [result], deadline));
  if (body.op === 'select' && result.kind === 'list') {
    const onRows = (rows: number) => request && enforceRowCap(rows, request);
    const selection = yield* selecting(view, body, args, expressionContext, deadline, onRows, request);
    return { renderer, selection: { ...selection, type: body.row }, value: null };
  }
  const value =
    body.op === 'select'
      ? yield* selectedOne(view, path, body, args, expressionContext, deadline)
      : yield* ready(evaluateExpression(view, body.value, args, expressionContext, deadline));
  return { renderer, selection: undefined, value };
}

/** Throws EvaluationFault as well as ApiError. */
export function* readCall(
  view: View,
  query: QueryDeclaration,
  given: Readonly<Record<string, JsonValue>>,
  deadline: Deadline,
): Generator<Promise<void>, Bindings> {
  const { path, parameters } = query;
  const args = readArguments(view, path, parameters, given);
  const checking = requireMembers(view, parameters, args, deadline);
  if (checking !== undefined) yield checking;
  requireKnownBody(query);
  return args;
}

/** Awaits only promises. Awaiting every row would take most of the time of a plain query. */
function* ready<T>(value: MaybePromise<T>): Generator<Promise<void>, T> {
  return value instanceof Promise ? yield* awaited(value) : value;
}

function* renderedPage(
  view: View,
  { type, columns, rows }: Selection & { readonly type: Type },
  renderer: Renderer,
  request: PageRequest,
): Generator<Promise<void>, Page<JsonValue>> {
  const page = cutPage(view.program, columns, rows, request);
  const result: JsonValue[] = [];
  for (const row of page.rows) {
    const rendered = renderer.render(type, row);
    result.push(rendered instanceof Promise ? yield* awaited(rendered) : rendered);
  }
  return page.nextCursor === undefined ? { result } : { result, nextCursor: page.nextCursor };
}

/** Throws an undecodable EvaluationFault for a body that this runtime does not know. */
export function requireKnownBody({ path, body }: QueryDeclaration): void {
  requireForm('query', body, { path });
}

/** Null without a row. Two rows are an evaluation error. */
function* selectedOne(
  view: View,
  path: string,
  body: SelectBody,
  args: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Generator<Promise<void>, Value> {
  const { rows } = yield* selecting(view, body, args, expressionContext, deadline, () => undefined);
  if (rows.length > 1) {
    throw new EvaluationFault('fault', `it may give one row at most, but gives ${rows.length}.`, { path });
  }
  return rows[0]?.row ?? null;
}

export type SelectBody = QueryBody & { readonly op: 'select' };

export interface Selection {
  readonly columns: readonly KeyColumn[];
  /** Distinct rows in order, with `limit` applied. For a page, at least its rows and the next one. */
  readonly rows: readonly Sortable<Value>[];
}

/**
 * The distinct rows of a select, sorted by `order by` and then by the whole row. `onRows` receives the count so far and may throw, unless
 * the query has a limit. Rows that the page does not need are dropped.
 */
export function selectRows(...args: Parameters<typeof selecting>): MaybePromise<Selection> {
  return driveAsync(selecting(...args));
}

function* selecting(
  view: View,
  body: SelectBody,
  bound: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
  onRows: (rows: number) => void,
  request?: PageRequest,
): Generator<Promise<void>, Selection> {
  const { goal, columns, compareKeys, compare, identityOf } = orderOf(view.program, body);
  const limit = yield* limitOf(view, body, bound, expressionContext, deadline);
  const types = bareRecord<Type>();
  for (const name in bound) types[name] = (bound[name] as Bindings[string]).type;
  for (const { name, type } of wantedOf(goal)) types[name] = type;
  const project = yield* ready(prepareExpression(view, body.select, types, expressionContext, deadline));
  const keys: PreparedExpression[] = [];
  for (const { key } of body.orderBy) {
    keys.push(yield* ready(prepareExpression(view, key, types, expressionContext, deadline)));
  }
  const after = limit === null && isOrderOfRows(body, goal) ? keyBefore(view, columns, request) : null;
  const rows = new FirstRows(compare, Math.min(limit ?? Number.POSITIVE_INFINITY, pageRows(request, after)));
  for (const batch of solveAtOnce(view, goal, bound, expressionContext, deadline)) {
    if (batch instanceof Promise) {
      yield batch;
      continue;
    }
    for (const solution of batch) {
      const values = withOuter(solution, bound);
      const projected = project(values);
      const row = projected instanceof Promise ? yield* awaited(projected) : projected;
      const key: Value[] = [];
      for (const evaluate of keys) {
        const evaluated = evaluate(values);
        key.push(evaluated instanceof Promise ? yield* awaited(evaluated) : evaluated);
      }
      key.push(row);
      const found = { key, row };
      if (after === null || compareKeys(key, after) > 0) rows.add(found, identityOf);
    }
    if (limit === null) onRows(rows.size);
    const pause = deadline.checkpoint();
    if (pause !== undefined) yield pause;
  }
  return { columns, rows: yield* ready(rows.inOrder(deadline)) };
}

/** Null without a limit. */
export function* limitOf(
  view: View,
  { limit }: SelectBody,
  bound: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Generator<Promise<void>, number | null> {
  if (!limit) return null;
  return Math.max(0, Number(yield* ready(evaluateExpression(view, limit, bound, expressionContext, deadline))));
}

/** Solutions with the same row and the same key are found once. */
export function goalOf(program: Program, body: SelectBody): Goal {
  return orderOf(program, body).goal;
}

/** Row shape and order of a select, the same for every request. */
interface RowOrderOfSelect {
  readonly goal: Goal;
  readonly columns: readonly KeyColumn[];
  readonly compareKeys: KeyComparison;
  compare(left: Sortable<Value>, right: Sortable<Value>): number;
  identityOf(row: Sortable<Value>): string;
}

/** A body belongs to one program. */
const ORDERS = new WeakMap<SelectBody, RowOrderOfSelect>();

function orderOf(program: Program, body: SelectBody): RowOrderOfSelect {
  const known = ORDERS.get(body);
  if (known !== undefined) return known;
  const columns: readonly KeyColumn[] = [...body.orderBy, { type: body.row, descending: false }];
  const compareKeys = keyComparison(program, columns);
  const made: RowOrderOfSelect = {
    goal: goalFor(body.condition, [body.select, ...body.orderBy.map(({ key }) => key)]),
    columns,
    compareKeys,
    compare: (left, right) => compareKeys(left.key, right.key),
    identityOf: ({ row }) => (typeof row === 'string' ? `"${row}` : JSON.stringify(toWire(body.row, row))),
  };
  ORDERS.set(body, made);
  return made;
}

/** A solution with the outer variables added. An outer variable wins over one with the same name. */
function withOuter(solution: Solution, bound: Bindings): Solution {
  const values: Record<string, Value> = solution;
  for (const name in bound) if (!(name in values)) values[name] = bound[name]?.value ?? null;
  return values;
}

/** The key after which the page starts; null for the first page, and without paging. */
function keyBefore(
  { program }: View,
  columns: readonly KeyColumn[],
  request: PageRequest | undefined,
): readonly Value[] | null {
  const page = request?.paging.page;
  return request === undefined || page === undefined ? null : cursorKey(program, columns, request, page);
}

/** The rows of a page and one more, which shows if there is another page. */
function pageRows(request: PageRequest | undefined, after: readonly Value[] | null): number {
  if (request === undefined) return Number.POSITIVE_INFINITY;
  const { paging, rowsMax } = request;
  const isFirst = paging.page === undefined;
  if (isFirst && paging.limit === undefined) return Number.POSITIVE_INFINITY;
  return isFirst || after !== null ? (paging.limit ?? rowsMax) + 1 : Number.POSITIVE_INFINITY;
}

/**
 * True if solutions with the same row always have the same key. Otherwise a row of an earlier page may appear again with a later key, so
 * the rows after a key are known only at the end.
 */
function isOrderOfRows({ select, orderBy }: SelectBody, goal: Goal): boolean {
  if (orderBy.length === 0) return true;
  const parts = select.op === 'record' ? select.fields.map(({ value }) => value) : [select];
  const selected = parts.flatMap((part) => (part.op === 'variable' ? [part.name] : []));
  return wantedOf(goal).every(({ name }) => selected.includes(name));
}

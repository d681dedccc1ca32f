/** Queries: solved, projected, ordered, cut into pages and rendered. */

import type { JsonValue } from '../api/schemas.js';
import type { QueryBody, QueryDeclaration, Type } from '../artifact/types.js';
import type { Pacer } from '../base/ports.js';
import {
  type Bindings,
  drive,
  EvaluationFault,
  evaluateExpression,
  type PreparedExpression,
  prepareExpression,
  requireForm,
  type Solution,
  type Surroundings,
  solveAtOnce,
  toWire,
  type Value,
  type View,
} from '../engine/index.js';
import { readArguments, requireMembers } from './arguments.js';
import { createRenderer } from './entities.js';
import { withFaults } from './faults.js';
import { FirstRows } from './first-rows.js';
import {
  cursorKey,
  enforceRowCap,
  type KeyColumn,
  keyComparison,
  type PageRequest,
  pageOf,
  requireOwnCursor,
  type Sortable,
} from './pages.js';
import type { Page } from './runtime.js';

/** Answers a query from its arguments. Throws SIGNATURE_MISMATCH, VALIDATION_FAILED, QUERY_EVAL_FAILED, DERIVE_FAILED. */
export function answerQuery(
  view: View,
  query: QueryDeclaration,
  args: Readonly<Record<string, JsonValue>>,
  surroundings: Surroundings,
  request: PageRequest,
  pacer: Pacer,
): Promise<Page<JsonValue>> {
  const { path, parameters } = query;
  return withFaults(view.program, path, 'SVC_RUNTIME_QUERY_EVAL_FAILED', async () => {
    const bound = readArguments(view, path, parameters, args);
    await requireMembers(view, path, parameters, bound, pacer);
    return runQuery(view, query, bound, surroundings, request, pacer);
  });
}

/** Answers a query whose arguments are bound. Throws EvaluationFault beside ApiErrors. */
async function runQuery(
  view: View,
  query: QueryDeclaration,
  args: Bindings,
  surroundings: Surroundings,
  request: PageRequest,
  pacer: Pacer,
): Promise<Page<JsonValue>> {
  const { body, result } = query;
  requireKnownBody(query);
  // What is no list has no pages, so that whatever cursor came is another request's.
  requireOwnCursor(request);
  const renderer = await createRenderer(view, [result], pacer);
  if (body.op === 'value') {
    return {
      result: await renderer.render(result, await evaluateExpression(view, body.value, args, surroundings, pacer)),
    };
  }
  if (result.kind !== 'list') {
    return {
      result: await renderer.render(result, await selectOne(view, query.path, body, args, surroundings, pacer)),
    };
  }
  const onRows = (rows: number) => enforceRowCap(rows, request);
  const selection = await selectRows(view, body, args, surroundings, pacer, onRows, request);
  const page = await pageOf(view.program, selection.columns, selection.rows, request, pacer);
  const rows: JsonValue[] = [];
  for (const row of page.rows) {
    // What is there at once is not waited for, here and below: an `await` a row would be most of the work of a plain query.
    const rendered = renderer.render(body.row, row);
    rows.push(rendered instanceof Promise ? await rendered : rendered);
  }
  return { result: rows, ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
}

/** Throws an undecodable EvaluationFault for a body that no version of the compiler that this runtime knows has written. */
export function requireKnownBody({ path, body }: QueryDeclaration): void {
  requireForm('query', body, { path });
}

/** No row is null; two rows are an evaluation error. */
async function selectOne(
  view: View,
  path: string,
  body: QueryBody & { readonly op: 'select' },
  args: Bindings,
  surroundings: Surroundings,
  pacer: Pacer,
): Promise<Value> {
  const { rows } = await selectRows(view, body, args, surroundings, pacer, () => undefined);
  if (rows.length > 1) {
    throw new EvaluationFault('fault', `it may give one row at most, but gives ${rows.length}.`, { path });
  }
  return rows[0]?.row ?? null;
}

export interface Selection {
  readonly columns: readonly KeyColumn[];
  /** Distinct rows, in order, with `limit` applied; of a page, at least its own and the one behind it. */
  readonly rows: readonly Sortable<Value>[];
}

/**
 * The distinct rows of a select. Its order is that of `order by`, ties and queries without one by the whole row.
 * `onRows` is told how many there are so far, so that it can refuse to go on, unless the query limits itself. Rows that the
 * page that is asked for does not need are not kept.
 */
export async function selectRows(
  view: View,
  body: QueryBody & { readonly op: 'select' },
  bound: Bindings,
  surroundings: Surroundings,
  pacer: Pacer,
  onRows: (rows: number) => void,
  request?: PageRequest,
): Promise<Selection> {
  const columns: readonly KeyColumn[] = [...body.orderBy, { type: body.row, descending: false }];
  const limit =
    body.limit && Math.max(0, Number(await evaluateExpression(view, body.limit, bound, surroundings, pacer)));
  const types: Record<string, Type> = {};
  for (const [name, { type }] of Object.entries(bound)) types[name] = type;
  for (const { name, type } of body.condition.variables) types[name] = type;
  const prepare = (expression: typeof body.select) => prepareExpression(view, expression, types, surroundings, pacer);
  const project = await prepare(body.select);
  const keys: PreparedExpression[] = [];
  for (const { key } of body.orderBy) keys.push(await prepare(key));
  const compareKeys = keyComparison(view.program, columns);
  const compare = (left: Sortable<Value>, right: Sortable<Value>) => compareKeys(left.key, right.key);
  const after = limit === null && isOrderOfRows(body) ? keyBefore(view, columns, request) : null;
  const rows = new FirstRows(compare, Math.min(limit ?? Number.POSITIVE_INFINITY, wantedRows(request, after)));
  const identityOf = ({ row }: Sortable<Value>): string =>
    typeof row === 'string' ? `"${row}` : JSON.stringify(toWire(body.row, row));
  for (const batch of solveAtOnce(view, body.condition, bound, surroundings, pacer)) {
    if (batch instanceof Promise) {
      await batch;
      continue;
    }
    for (const solution of batch) {
      const values = withOuter(solution, bound);
      const projected = project(values);
      const row = projected instanceof Promise ? await projected : projected;
      const key: Value[] = [];
      for (const evaluate of keys) {
        const evaluated = evaluate(values);
        key.push(evaluated instanceof Promise ? await evaluated : evaluated);
      }
      const found = { key: [...key, row], row };
      if (after === null || compareKeys(found.key, after) > 0) rows.add(found, identityOf);
    }
    if (limit === null) onRows(rows.size);
    const pause = pacer.poll();
    if (pause !== undefined) await pause;
  }
  return { columns, rows: await drive(rows.inOrder(), pacer) };
}

/** A solution with the values of outer variables beside its own, which count where both have a name. */
function withOuter(solution: Solution, bound: Bindings): Solution {
  const values: Record<string, Value> = solution;
  for (const name in bound) if (!(name in values)) values[name] = bound[name]?.value ?? null;
  return values;
}

/** The key behind which the page begins; null for the first one, and where there are no pages. */
function keyBefore(
  { program }: View,
  columns: readonly KeyColumn[],
  request: PageRequest | undefined,
): readonly Value[] | null {
  const page = request?.paging.page;
  return request === undefined || page === undefined ? null : cursorKey(program, columns, request, page);
}

/** The rows of a page and one more, which tells whether another page follows. */
function wantedRows(request: PageRequest | undefined, after: readonly Value[] | null): number {
  if (request === undefined) return Number.POSITIVE_INFINITY;
  const { paging, rowsMax } = request;
  const isFirst = paging.page === undefined;
  if (isFirst && paging.limit === undefined) return Number.POSITIVE_INFINITY;
  return isFirst || after !== null ? (paging.limit ?? rowsMax) + 1 : Number.POSITIVE_INFINITY;
}

/**
 * True where every solution with the same row has the same key. Elsewhere a row of an earlier page may have another key,
 * behind that page, so that which rows are behind it is known only at the end.
 */
function isOrderOfRows({ select, orderBy, condition }: QueryBody & { readonly op: 'select' }): boolean {
  if (orderBy.length === 0) return true;
  const parts = select.op === 'record' ? select.fields.map(({ value }) => value) : [select];
  const selected = parts.flatMap((part) => (part.op === 'variable' ? [part.name] : []));
  return condition.variables.every(({ name }) => selected.includes(name));
}

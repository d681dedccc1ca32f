/** Queries: solved, projected, ordered, cut into pages and rendered. */

import type { JsonValue } from '../api/schemas.js';
import type { QueryBody, QueryDeclaration, Type } from '../artifact/types.js';
import type { Pacer } from '../base/ports.js';
import {
  type Bindings,
  drive,
  EvaluationFault,
  evaluateExpression,
  prepareExpression,
  type Solution,
  type Surroundings,
  solve,
  sorted,
  toWire,
  type Value,
  type View,
} from '../engine/index.js';
import { readArguments, requireMembers } from './arguments.js';
import { createRenderer } from './entities.js';
import { withFaults } from './faults.js';
import { compareKeys, enforceRowCap, type KeyColumn, type PageRequest, pageOf, type Sortable } from './pages.js';
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
  const selection = await selectRows(view, body, args, surroundings, pacer, (rows) => enforceRowCap(rows, request));
  const page = await pageOf(view.program, selection.columns, selection.rows, request, pacer);
  const rows: JsonValue[] = [];
  for (const row of page.rows) rows.push(await renderer.render(body.row, row));
  return { result: rows, ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
}

/** Throws an undecodable EvaluationFault for a body that no version of the compiler that this runtime knows has written. */
export function requireKnownBody({ path, body }: QueryDeclaration): void {
  const known = body.op === 'value' || (body.op === 'select' && Array.isArray(body.condition?.literals));
  if (known) return;
  const op = String((body as { readonly op?: unknown }).op);
  throw new EvaluationFault('undecodable', `its body is a node "${op}" that this runtime does not know`, { path });
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
  /** Distinct rows, in order, with `limit` applied. */
  readonly rows: readonly Sortable<Value>[];
}

/**
 * The distinct rows of a select. Its order is that of `order by`, ties and queries without one by the whole row.
 * `onRows` is told how many there are so far, so that it can refuse to go on, unless the query limits itself.
 */
export async function selectRows(
  view: View,
  body: QueryBody & { readonly op: 'select' },
  bound: Bindings,
  surroundings: Surroundings,
  pacer: Pacer,
  onRows: (rows: number) => void,
): Promise<Selection> {
  const columns: readonly KeyColumn[] = [...body.orderBy, { type: body.row, descending: false }];
  const limit = body.limit && Number(await evaluateExpression(view, body.limit, bound, surroundings, pacer));
  const types: Record<string, Type> = {};
  for (const [name, { type }] of Object.entries(bound)) types[name] = type;
  for (const { name, type } of body.condition.variables) types[name] = type;
  const outer = Object.fromEntries(Object.entries(bound).map(([name, { value }]) => [name, value]));
  const prepare = (expression: typeof body.select) => prepareExpression(view, expression, types, surroundings, pacer);
  const project = await prepare(body.select);
  const keys = [];
  for (const { key } of body.orderBy) keys.push(await prepare(key));
  const compare = (left: Sortable<Value>, right: Sortable<Value>) =>
    compareKeys(view.program, columns, left.key, right.key);
  const distinct = new Map<string, Sortable<Value>>();
  for await (const batch of solve(view, body.condition, bound, surroundings, pacer)) {
    for (const solution of batch) {
      const values: Solution = { ...outer, ...solution };
      const row = await project(values);
      const key: Value[] = [];
      for (const evaluate of keys) key.push(await evaluate(values));
      const found = { key: [...key, row], row };
      const identity = JSON.stringify(toWire(body.row, row));
      const known = distinct.get(identity);
      if (!known || compare(found, known) < 0) distinct.set(identity, found);
    }
    if (limit === null) onRows(distinct.size);
    await pacer.poll();
  }
  const rows = await drive(sorted([...distinct.values()], compare), pacer);
  return { columns, rows: limit === null ? rows : rows.slice(0, Math.max(0, limit)) };
}

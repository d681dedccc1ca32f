/** A session: what one request may do in the scope and fork that it has entered. */

import { ApiError } from '../api/errors.js';
import type { Fact, Firing, JsonValue, Limits } from '../api/schemas.js';
import type { Type } from '../artifact/types.js';
import type { Clock, Pacer } from '../base/ports.js';
import { callFunction, factId, type Surroundings, type Value, type View } from '../engine/index.js';
import type { EventStore } from '../storage/event-store.js';
import { readArguments, requireMembers } from './arguments.js';
import { requireCheck, requireCompute, requireForgettable, requireMutation, requireQuery } from './callables.js';
import type { RequestContext } from './context.js';
import type { Cursors } from './cursor.js';
import { derive, keptProjection, keptTrace } from './derivations.js';
import { createRenderer, requireClass } from './entities.js';
import { type ExplanationSite, explainFactId, explainTuple, requireRelation, wireTuple } from './explanations.js';
import { withFaults } from './faults.js';
import { renderFiring } from './firings.js';
import { findEvent } from './history.js';
import { conceptOf, declaredId, isCreated } from './individuals.js';
import { enforceRowCap, type PageRequest, pageOf, type Sortable } from './pages.js';
import { runQuery } from './queries.js';
import type { Paging, Session } from './runtime.js';
import type { Scope } from './scope.js';
import { transact } from './transact.js';

/** How many rows a list may read before it asks whether it may go on. */
const ROWS_BETWEEN_POLLS = 1024;

export interface SessionParts {
  readonly scope: Scope;
  readonly fork: string;
  readonly context: RequestContext;
  readonly store: EventStore;
  readonly cursors: Cursors;
  readonly clock: Clock;
  readonly limits: Limits;
}

export function createSession(parts: SessionParts): Session {
  const { scope, fork, context, store } = parts;
  const { program } = scope;
  const surroundings: Surroundings = {
    context: Object.fromEntries([...context.values].map(([name, { value }]) => [name, value])),
  };
  const site = (view: View): ExplanationSite => ({
    view,
    declared: scope.declared,
    nodesMax: parts.limits.explainNodes,
    eventOf: (relation, tuple, codes) => findEvent(store, scope, view, relation, tuple, codes),
  });
  return {
    scopeId: scope.scopeId,
    fork,
    query: (path, args, paging, pacer) =>
      reading(scope, async (view) => {
        const query = requireQuery(program, path);
        return withFaults(program, path, 'SVC_RUNTIME_QUERY_EVAL_FAILED', async () => {
          const bound = readArguments(view, path, query.parameters, args);
          await requireMembers(view, path, query.parameters, bound, pacer);
          const request = pageRequest(parts, paging, ['query', path, args]);
          return runQuery(view, query, bound, surroundings, request, pacer);
        });
      }),
    async mutate(path, args, options, pacer) {
      const mutation = requireMutation(program, path);
      requireForgettable(program, mutation, fork, options.granted);
      return transact(parts, mutation, args, surroundings, options, pacer);
    },
    compute: (path, args) =>
      reading(scope, async (view) => {
        const fn = requireCompute(program, path);
        return withFaults(program, path, 'SVC_RUNTIME_COMPUTE_EVAL_FAILED', async () => {
          const bound = readArguments(view, path, fn.parameters, args);
          const values = fn.parameters.map(({ name }) => bound[name]?.value ?? null);
          return render(view, fn.result, callFunction(program, path, values));
        });
      }),
    checks: (check, paging, pacer) => reading(scope, (view) => listFirings(parts, view, check, paging, pacer)),
    explain: (relation, tuple, pacer, wish) =>
      reading(scope, (view) => explainTuple(site(view), relation, tuple, pacer, wish)),
    explainFact: (id, pacer, wish) => reading(scope, (view) => explainFactId(site(view), id, pacer, wish)),
    individuals: (classPath, paging, pacer) =>
      reading(scope, (view) => listIndividuals(parts, view, classPath, paging, pacer)),
    individual: (id, pacer) => reading(scope, (view) => oneIndividual(view, id, pacer)),
    relation: (path, paging, pacer) => reading(scope, (view) => listTuples(parts, view, path, paging, pacer)),
    derive: (pacer) => derive(scope, fork, parts.clock, pacer),
    derived: async () => keptProjection(scope, fork),
    deriveTrace: async (paging) => keptTrace(scope, fork, (txn) => pageRequest(parts, paging, ['derive/trace', txn])),
  };
}

/** Reads see the last committed state from beginning to end. */
async function reading<T>(scope: Scope, work: (view: View) => Promise<T>): Promise<T> {
  const view = scope.facts.view();
  try {
    return await work(view);
  } finally {
    view.release();
  }
}

/** Functions take and return no concepts, so nothing needs to be materialised. */
async function render(view: View, type: Type, value: Value): Promise<JsonValue> {
  const renderer = await createRenderer(view, [], { poll: () => undefined });
  return renderer.render(type, value);
}

function pageRequest(parts: SessionParts, paging: Paging, request: JsonValue[]): PageRequest {
  return {
    paging,
    cursors: parts.cursors,
    request: [...request, parts.scope.scopeId, parts.fork],
    rowsMax: parts.limits.rows,
  };
}

async function listFirings(parts: SessionParts, view: View, filter: string | undefined, paging: Paging, pacer: Pacer) {
  const { program } = view;
  const checks = filter === undefined ? [...program.checks.values()] : [requireCheck(program, filter)];
  const request = pageRequest(parts, paging, ['checks', filter ?? null]);
  const failed = 'SVC_RUNTIME_CHECK_EVAL_FAILED';
  const rows: Sortable<() => Promise<Firing>>[] = [];
  for (const check of checks) {
    const reader = await withFaults(
      program,
      check.path,
      failed,
      () => view.materialise(program.relationOfCheck(check.path), pacer),
      failed,
    );
    enforceRowCap(rows.length + reader.size, request);
    for (const codes of reader.rows()) {
      const row = [...codes];
      const tuple = JSON.stringify(wireTuple(view, reader.info, row));
      rows.push({
        key: [check.path, tuple],
        row: () => withFaults(program, check.path, failed, () => renderFiring(view, check, row, pacer), failed),
      });
    }
  }
  const text = { type: { kind: 'scalar', name: 'Text' }, descending: false } as const;
  const page = pageOf(program, [text, text], rows, request);
  const result: Firing[] = [];
  for (const firing of page.rows) result.push(await firing());
  return { result, ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
}

async function listIndividuals(
  parts: SessionParts,
  view: View,
  classPath: string | undefined,
  paging: Paging,
  pacer: Pacer,
) {
  if (classPath !== undefined) requireClass(view, classPath);
  const { program, interner } = view;
  const request = pageRequest(parts, paging, ['individuals', classPath ?? null]);
  const roots = [...program.concepts.values()].filter(({ parent }) => parent === null).map(({ path }) => path);
  const paths = classPath === undefined ? roots : [classPath];
  const rows: Sortable<string>[] = [];
  for (const path of paths) {
    const reader = await withFaults(program, path, 'SVC_RUNTIME_META_RESOLVE_FAILED', () =>
      view.materialise(path, pacer),
    );
    enforceRowCap(rows.length + reader.size, request);
    for (const [code] of reader.rows()) {
      const id = interner.decodeIndividual(code as number);
      rows.push({ key: [id], row: id });
      if (rows.length % ROWS_BETWEEN_POLLS === 0) await pacer.poll();
    }
  }
  const anyClass: Type = { kind: 'class', path: paths[0] ?? '' };
  const page = pageOf(program, [{ type: anyClass, descending: false }], rows, request);
  const renderer = await createRenderer(
    view,
    paths.map((path) => ({ kind: 'class', path })),
    pacer,
  );
  const result = page.rows.map((id) => renderer.entity(id));
  return { result, ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
}

async function oneIndividual(view: View, reference: string, pacer: Pacer) {
  const { program, interner } = view;
  const id = isCreated(reference) ? reference : declaredId(program, reference);
  const concept = id === undefined ? undefined : conceptOf(view, interner.encodeIndividual(id));
  if (id === undefined || concept === undefined) {
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `No individual "${reference}" exists; use the $id of one that GET /v1/individuals lists.`,
      { individual: reference },
    );
  }
  return (await createRenderer(view, [{ kind: 'class', path: concept }], pacer)).entity(id);
}

async function listTuples(parts: SessionParts, view: View, path: string, paging: Paging, pacer: Pacer) {
  const { program, interner } = view;
  const info = requireRelation(view, path, 'SVC_RUNTIME_VALIDATION_FAILED');
  const request = pageRequest(parts, paging, ['relation', path]);
  const reader = await withFaults(program, path, 'SVC_RUNTIME_DERIVE_FAILED', () => view.materialise(path, pacer));
  enforceRowCap(reader.size, request);
  const columns = info.endpoints.map(({ type }) => ({ type, descending: false }));
  const rows: Sortable<readonly number[]>[] = [];
  for (const codes of reader.rows()) {
    const row = [...codes];
    rows.push({ key: info.endpoints.map(({ type }, index) => interner.decode(type, row[index] as number)), row });
    if (rows.length % ROWS_BETWEEN_POLLS === 0) await pacer.poll();
  }
  const page = pageOf(program, columns, rows, request);
  const result = page.rows.map((row): Fact => {
    const tuple = wireTuple(view, info, row);
    return { factId: factId(path, tuple), relation: path, tuple };
  });
  return { result, ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
}

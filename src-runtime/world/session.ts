/** A session: what one request may do in the scope and fork that it has entered. */

import { ApiError } from '../api/errors.js';
import type { Entity, Fact, Firing, JsonValue, Limits } from '../api/schemas.js';
import type { Type } from '../artifact/types.js';
import type { Clock, Pacer } from '../base/ports.js';
import { callFunction, drive, factId, mapped, type Surroundings, type View } from '../engine/index.js';
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
    eventOf: (relation, tuple, codes, pacer) => findEvent(store, scope, view, { relation, tuple, codes }, pacer),
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
    compute: (path, args, pacer) =>
      reading(scope, async (view) => {
        const fn = requireCompute(program, path);
        return withFaults(program, path, 'SVC_RUNTIME_COMPUTE_EVAL_FAILED', async () => {
          const bound = readArguments(view, path, fn.parameters, args);
          const values = fn.parameters.map(({ name }) => bound[name]?.value ?? null);
          const renderer = await createRenderer(view, [], pacer);
          return renderer.render(fn.result, await callFunction(program, path, values, pacer));
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
    deriveTrace: (paging, pacer) =>
      keptTrace(scope, fork, (txn) => pageRequest(parts, paging, ['derive/trace', txn]), pacer),
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
    const firings = mapped(reader.rows(), (row) => ({
      key: [check.path, JSON.stringify(wireTuple(view, reader.info, row))],
      row: () => withFaults(program, check.path, failed, () => renderFiring(view, check, row, pacer), failed),
    }));
    for (const firing of await drive(firings, pacer)) rows.push(firing);
  }
  const text = { type: { kind: 'scalar', name: 'Text' }, descending: false } as const;
  const page = await pageOf(program, [text, text], rows, request, pacer);
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
    const found = mapped(reader.rows(), ([code]) => {
      const id = interner.decodeIndividual(code as number);
      return { key: [id], row: id };
    });
    for (const individual of await drive(found, pacer)) rows.push(individual);
  }
  const anyClass: Type = { kind: 'class', path: paths[0] ?? '' };
  const page = await pageOf(program, [{ type: anyClass, descending: false }], rows, request, pacer);
  const renderer = await createRenderer(
    view,
    paths.map((path) => ({ kind: 'class', path })),
    pacer,
  );
  const result: Entity[] = [];
  for (const id of page.rows) result.push(await renderer.entity(id));
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
  const found = mapped(reader.rows(), (row) => ({
    key: info.endpoints.map(({ type }, index) => interner.decode(type, row[index] as number)),
    row,
  }));
  const page = await pageOf(program, columns, await drive(found, pacer), request, pacer);
  const facts = mapped(page.rows, (row): Fact => {
    const tuple = wireTuple(view, info, row);
    return { factId: factId(path, tuple), relation: path, tuple };
  });
  const result = await drive(facts, pacer);
  return { result, ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
}

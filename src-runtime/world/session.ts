/** A session: what one request may do in the scope and fork that it has entered. */

import type { JsonValue, Limits } from '../api/schemas.js';
import type { Clock } from '../base/ports.js';
import type { Surroundings, View } from '../engine/index.js';
import type { EventStore } from '../storage/event-store.js';
import { prepareMutation, prepareQuery, runDerive } from './adhoc.js';
import { runBatch } from './batch.js';
import { requireForgettable, requireMutation, requireQuery } from './callables.js';
import { answerCompute } from './compute.js';
import type { RequestContext } from './context.js';
import type { Cursors } from './cursor.js';
import { derive, keptProjection, keptTrace } from './derivations.js';
import { followEvents, type HistorySite, listEvents } from './events.js';
import { type ExplanationSite, explainFactId, explainTuple } from './explanations.js';
import { findEvent } from './history.js';
import { listFirings, listIndividuals, listTuples, oneIndividual } from './lists.js';
import { explainMentions, listMentions } from './mentions.js';
import type { PageRequest } from './pages.js';
import { answerQuery } from './queries.js';
import type { Paging, Session } from './runtime.js';
import type { Scope } from './scope.js';
import { takeSnapshot } from './snapshot.js';
import { transactMutation } from './transact.js';
import type { Writes } from './writes.js';

export interface SessionParts {
  readonly scope: Scope;
  readonly fork: string;
  readonly context: RequestContext;
  readonly store: EventStore;
  readonly writes: Writes;
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
  const history: HistorySite = { store, scopeId: scope.scopeId, fork };
  return {
    scopeId: scope.scopeId,
    fork,
    query: (path, args, paging, pacer) =>
      reading(scope, async (view) => {
        const query = requireQuery(program, path);
        const request = pageRequest(parts, paging, ['query', path, args]);
        return answerQuery(view, query, args, surroundings, request, pacer);
      }),
    queryAdhoc: (source, args, paging, pacer) =>
      reading(scope, async (view) => {
        const prepared = prepareQuery(program, source);
        const request = pageRequest(parts, paging, ['query/adhoc', source, args]);
        if (prepared.kind === 'derive') return runDerive(view, prepared, args, request, pacer);
        return answerQuery(view, prepared.declaration, args, surroundings, request, pacer);
      }),
    async mutate(path, args, options, pacer) {
      const mutation = requireMutation(program, path);
      requireForgettable(program, mutation, fork, options.granted);
      return transactMutation(parts, { mutation, args, surroundings }, { ...options, cause: path }, pacer);
    },
    async mutateAdhoc(source, args, options, pacer) {
      const mutation = prepareMutation(program, source);
      requireForgettable(program, mutation, fork, options.granted);
      return transactMutation(parts, { mutation, args, surroundings }, { ...options, cause: 'adhoc' }, pacer);
    },
    batch: (steps, { granted }, pacer) => {
      const all: Paging = { limit: undefined, page: undefined };
      return runBatch(parts, steps, { surroundings, granted, request: pageRequest(parts, all, ['batch']) }, pacer);
    },
    compute: (path, args, pacer) => reading(scope, (view) => answerCompute(view, path, args, pacer)),
    checks: (check, paging, pacer) =>
      reading(scope, (view) => listFirings(view, check, pageRequest(parts, paging, ['checks', check ?? null]), pacer)),
    explain: (relation, tuple, pacer, wish) =>
      reading(scope, (view) => explainTuple(site(view), relation, tuple, pacer, wish)),
    explainFact: (id, pacer, wish) => reading(scope, (view) => explainFactId(site(view), id, pacer, wish)),
    individuals: (classPath, paging, pacer) =>
      reading(scope, (view) => {
        const request = pageRequest(parts, paging, ['individuals', classPath ?? null]);
        return listIndividuals(view, classPath, request, pacer);
      }),
    individual: (id, pacer) => reading(scope, (view) => oneIndividual(view, id, pacer)),
    relation: (path, paging, pacer) =>
      reading(scope, (view) => listTuples(view, path, pageRequest(parts, paging, ['relation', path]), pacer)),
    snapshot: (options, paging, pacer) =>
      reading(scope, (view) => {
        const request = pageRequest(parts, paging, ['snapshot', options.derived]);
        return takeSnapshot(scope, fork, view, options, request, pacer);
      }),
    mentions: (id, paging, pacer) =>
      reading(scope, (view) => listMentions(view, id, pageRequest(parts, paging, ['mentions', id]), pacer)),
    explainMentions: (id, paging, pacer) =>
      reading(scope, (view) => {
        const request = pageRequest(parts, paging, ['mentions/explain', id]);
        return explainMentions(site(view), id, request, pacer);
      }),
    events: (paging, pacer) => listEvents(history, pageRequest(parts, paging, ['events']), pacer),
    follow: (afterSeq) =>
      followEvents(history, parts.writes, { txn: scope.lastTransaction, seq: scope.lastSeq }, afterSeq),
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

/** A session: what one request may do in the scope and fork that it has entered. */

import type { Surroundings, View } from '../engine/index.js';
import { prepareDerive, prepareMutation, prepareQuery, runDerive } from './adhoc.js';
import { runBatch } from './batch.js';
import { requireForgettable, requireMutation, requireQuery } from './callables.js';
import { answerCompute } from './compute.js';
import { derive, keptProjection, keptTrace } from './derivations.js';
import { followEvents, type HistorySite, listEvents } from './events.js';
import { type ExplanationSite, explainAdhoc, explainFactId, explainTuple } from './explanations.js';
import { createForkOperations } from './fork-operations.js';
import { reading, requireOpen } from './forks.js';
import { findEvent } from './history.js';
import { runImport } from './imports.js';
import { createListOperations } from './list-operations.js';
import { explainMentions } from './mentions.js';
import { answerQuery } from './queries.js';
import type { Paging, Session } from './runtime.js';
import type { Branch } from './scope.js';
import { contextKey, pageRequest, type SessionParts } from './session-parts.js';
import { takeSnapshot } from './snapshot.js';
import { noLongerThan } from './suggestions.js';
import { transactMutation } from './transact.js';

/** What looking for suggestions may take, and no more than a quarter of the request's own time. */
const SUGGEST_MS = 2_000;

export function createSession(parts: SessionParts): Session {
  const { scope, fork, context, store } = parts;
  const { program, scopeId } = scope;
  const history: HistorySite = { store, scopeId, fork };
  const surroundings: Surroundings = {
    context: Object.fromEntries([...context.values].map(([name, { value }]) => [name, value])),
  };
  const site = (view: View, branch: Branch) => explanationSite(parts, view, branch);
  return {
    scopeId,
    fork: fork.id,
    ...createForkOperations(parts),
    ...createListOperations(parts),
    query: (path, args, paging, pacer) =>
      reading(parts, async (view) => {
        const query = requireQuery(program, path);
        const request = pageRequest(parts, paging, ['query', path, args, contextKey(parts)]);
        return answerQuery(view, query, args, surroundings, request, pacer);
      }),
    queryAdhoc: (source, args, paging, pacer) =>
      reading(parts, async (view) => {
        const prepared = prepareQuery(program, source);
        const request = pageRequest(parts, paging, ['query/adhoc', source, args, contextKey(parts)]);
        if (prepared.kind === 'derive') return runDerive(view, prepared, args, request, pacer);
        return answerQuery(view, prepared.declaration, args, surroundings, request, pacer);
      }),
    async mutate(path, args, options, pacer) {
      requireOpen(fork);
      const mutation = requireMutation(program, path);
      requireForgettable(program, mutation, fork.id, options.granted);
      return transactMutation(parts, { mutation, args, surroundings }, { ...options, cause: path }, pacer);
    },
    async mutateAdhoc(source, args, options, pacer) {
      requireOpen(fork);
      const mutation = prepareMutation(program, source);
      requireForgettable(program, mutation, fork.id, options.granted);
      return transactMutation(parts, { mutation, args, surroundings }, { ...options, cause: 'adhoc' }, pacer);
    },
    async batch(steps, { granted }, pacer) {
      if (steps.some(({ mutation }) => mutation !== undefined)) requireOpen(fork);
      const all: Paging = { limit: undefined, page: undefined };
      return runBatch(parts, steps, { surroundings, granted, request: pageRequest(parts, all, ['batch']) }, pacer);
    },
    import: (path, rows, options, pacer) => runImport(parts, path, rows, { ...options, surroundings }, pacer),
    compute: (path, args, pacer) => reading(parts, (view) => answerCompute(view, path, args, pacer)),
    explain: (relation, tuple, pacer, wish) =>
      reading(parts, (view, branch) => explainTuple(site(view, branch), relation, tuple, pacer, wish)),
    explainAdhoc: (source, tuple, pacer, wish) =>
      reading(parts, (view, branch) =>
        explainAdhoc(site(view, branch), prepareDerive(program, source), tuple, pacer, wish),
      ),
    explainFact: (id, pacer, wish) =>
      reading(parts, (view, branch) => explainFactId(site(view, branch), id, pacer, wish)),
    snapshot: (options, paging, pacer) =>
      reading(parts, (view) => {
        const request = pageRequest(parts, paging, ['snapshot', options.derived]);
        return takeSnapshot(scope, fork.id, view, options, request, pacer);
      }),
    explainMentions: (id, paging, pacer) =>
      reading(parts, (view, branch) => {
        const request = pageRequest(parts, paging, ['mentions/explain', id]);
        return explainMentions(site(view, branch), id, request, pacer);
      }),
    events: (paging, pacer) => listEvents(history, pageRequest(parts, paging, ['events']), pacer),
    follow: (afterSeq) =>
      followEvents(history, parts.writes, { txn: scope.lastTransaction, seq: scope.lastSeq }, afterSeq),
    derive: (pacer) => derive(parts, pacer),
    derived: async () => keptProjection(fork),
    deriveTrace: (paging, pacer) =>
      keptTrace(scope, fork, (txn) => pageRequest(parts, paging, ['derive/trace', txn]), pacer),
  };
}

function explanationSite(parts: SessionParts, view: View, branch: Branch): ExplanationSite {
  const { scope, fork, store, clock, limits } = parts;
  return {
    view,
    declared: scope.declared,
    nodesMax: limits.explainNodes,
    hurried: (pacer) => noLongerThan(clock, Math.min(SUGGEST_MS, limits.timeoutMs / 4), pacer),
    eventOf: (relation, tuple, codes, pacer) =>
      findEvent(store, { scope, fork, branch }, view, { relation, tuple, codes }, pacer),
  };
}

/** Derives a fork: evaluates every rule, and caches the projection until the next write. */

import { ApiError } from '../../api/errors.js';
import type { DerivedProjection, DeriveTraceEntry } from '../../api/schemas/fork-schemas.js';
import type { Deadline } from '../../base/ports.js';
import { drive, mapped, project } from '../../engine/index.js';
import type { Page } from '../contract/requests.js';
import type { PageRequest } from '../state/cursor.js';
import { cacheProjection, isoNow, reading, requireOpen } from '../state/forks.js';
import type { CachedProjection, Fork, Scope } from '../state/scope.js';
import type { Session } from '../state/session.js';
import { withFaults } from '../wire/faults.js';
import { enforceRowCap, pageOf } from '../wire/pages.js';

/** Throws FORK_CLOSED, DERIVE_FAILED, or CHECK_EVAL_FAILED for a check. A failure keeps the cached projection while it is current. */
export async function derive(site: Session, deadline: Deadline): Promise<DerivedProjection> {
  const { scope, fork, clock, stopwatch } = site;
  requireOpen(fork);
  const transaction = fork.lastTransaction;
  return reading(site, async (view, { lineage }) => {
    const commits = lineage.own.length;
    const work = () => project(view, stopwatch, deadline);
    const projection = await withFaults(scope.program, 'The derive', 'SVC_RUNTIME_DERIVE_FAILED', work);
    const derived: CachedProjection = { transaction, derivedAt: isoNow(clock), projection };
    // An erasure is not a transaction of the fork. Counts from before it must not reappear.
    const isErased = fork.lastTransaction === transaction && lineage.own.length !== commits;
    // The derive that saw the latest transaction wins.
    const isLatest = fork.projection === undefined || fork.projection.transaction <= transaction;
    if (isLatest && !isErased) fork.projection = derived;
    if (fork.status !== 'open') cacheProjection(scope, fork);
    return wireProjection(fork.id, derived);
  });
}

/** Throws FORK_NOT_DERIVED. */
export function currentProjection(fork: Fork): DerivedProjection {
  return wireProjection(fork.id, requireProjection(fork));
}

/** Throws FORK_NOT_DERIVED. */
export async function currentTrace(
  scope: Scope,
  fork: Fork,
  requestFor: (transaction: number) => PageRequest,
  deadline: Deadline,
): Promise<Page<DeriveTraceEntry[]> & { readonly cut: boolean }> {
  const { transaction, projection } = requireProjection(fork);
  const numbered = mapped(projection.trace.entries(), ([index, row]) => ({ key: [index], row }));
  const request = requestFor(transaction);
  enforceRowCap(projection.trace.length, request);
  const index = { type: { kind: 'scalar', name: 'Int' }, descending: false } as const;
  const page = await pageOf(scope.program, [index], await drive(numbered, deadline), request, deadline);
  const next = page.nextCursor !== undefined && { nextCursor: page.nextCursor };
  return { result: [...page.rows], cut: projection.traceCut, ...next };
}

function requireProjection(fork: Fork): CachedProjection {
  const cached = fork.projection;
  if (cached !== undefined && cached.transaction === fork.lastTransaction) return cached;
  const why = cached === undefined ? 'has not been derived' : 'has been written to since it was derived';
  const wayOut =
    fork.status === 'open'
      ? `send POST /v1/forks/${encodeURIComponent(fork.id)}/derive first`
      : `it is ${fork.status} and cannot be derived; derive an open fork`;
  throw new ApiError('SVC_RUNTIME_FORK_NOT_DERIVED', `The fork "${fork.id}" ${why}; ${wayOut}.`, { fork: fork.id });
}

function wireProjection(fork: string, { transaction, projection }: CachedProjection): DerivedProjection {
  const { facts, strata, clauses, traceCut } = projection;
  return {
    fork,
    txn: transaction,
    facts: strata.reduce((sum, stratum) => sum + stratum.facts, 0),
    rounds: strata.reduce((sum, stratum) => sum + stratum.rounds, 0),
    ms: strata.reduce((sum, stratum) => sum + stratum.ms, 0),
    relations: [...facts].map(([relation, count]) => ({ relation, facts: count })),
    strata: strata.map((stratum) => ({ ...stratum, relations: [...stratum.relations] })),
    rules: clauses.map((clause) => ({ ...clause, joinOrders: [...clause.joinOrders] })),
    traceCut,
  };
}

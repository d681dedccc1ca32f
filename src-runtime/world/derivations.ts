/** A fork's derive: every rule evaluated, what that took kept until the next write. */

import { ApiError } from '../api/errors.js';
import type { DerivedProjection, DeriveTraceEntry } from '../api/schemas.js';
import type { Clock, Pacer } from '../base/ports.js';
import { drive, mapped, type Projection, project } from '../engine/index.js';
import { withFaults } from './faults.js';
import { enforceRowCap, type PageRequest, pageOf } from './pages.js';
import type { Page } from './runtime.js';
import type { Scope } from './scope.js';

/** Throws DERIVE_FAILED, or CHECK_EVAL_FAILED for a check; what was kept before stays then, for as long as it holds. */
export async function derive(scope: Scope, fork: string, clock: Clock, pacer: Pacer): Promise<DerivedProjection> {
  const transaction = scope.lastTransaction;
  const view = scope.facts.view();
  try {
    const work = () => project(view, clock, pacer);
    const projection = await withFaults(scope.program, 'The derive', 'SVC_RUNTIME_DERIVE_FAILED', work);
    const kept = scope.projections.get(fork);
    // A derive that began later and saw more has the last word.
    if (kept === undefined || kept.transaction <= transaction) scope.projections.set(fork, { transaction, projection });
    return wireProjection(fork, transaction, projection);
  } finally {
    view.release();
  }
}

/** Throws FORK_NOT_DERIVED. */
export function keptProjection(scope: Scope, fork: string): DerivedProjection {
  const { transaction, projection } = requireKept(scope, fork);
  return wireProjection(fork, transaction, projection);
}

/** Throws FORK_NOT_DERIVED. */
export async function keptTrace(
  scope: Scope,
  fork: string,
  requestFor: (transaction: number) => PageRequest,
  pacer: Pacer,
): Promise<Page<DeriveTraceEntry[]> & { readonly cut: boolean }> {
  const { transaction, projection } = requireKept(scope, fork);
  const numbered = mapped(projection.trace.entries(), ([index, row]) => ({ key: [index], row }));
  const request = requestFor(transaction);
  enforceRowCap(projection.trace.length, request);
  const index = { type: { kind: 'scalar', name: 'Int' }, descending: false } as const;
  const page = await pageOf(scope.program, [index], await drive(numbered, pacer), request, pacer);
  const next = page.nextCursor !== undefined && { nextCursor: page.nextCursor };
  return { result: [...page.rows], cut: projection.traceCut, ...next };
}

function requireKept(scope: Scope, fork: string) {
  const kept = scope.projections.get(fork);
  if (kept !== undefined && kept.transaction === scope.lastTransaction) return kept;
  const why = kept === undefined ? 'has not been derived' : 'has been written to since it was derived';
  throw new ApiError(
    'SVC_RUNTIME_FORK_NOT_DERIVED',
    `The fork "${fork}" ${why}; send POST /v1/forks/${fork}/derive first.`,
    { fork },
  );
}

function wireProjection(fork: string, txn: number, projection: Projection): DerivedProjection {
  const { facts, strata, clauses, traceCut } = projection;
  return {
    fork,
    txn,
    facts: strata.reduce((sum, stratum) => sum + stratum.facts, 0),
    rounds: strata.reduce((sum, stratum) => sum + stratum.rounds, 0),
    ms: strata.reduce((sum, stratum) => sum + stratum.ms, 0),
    relations: [...facts].map(([relation, count]) => ({ relation, facts: count })),
    strata: strata.map((stratum) => ({ ...stratum, relations: [...stratum.relations] })),
    rules: clauses.map((clause) => ({ ...clause, joinOrders: [...clause.joinOrders] })),
    traceCut,
  };
}

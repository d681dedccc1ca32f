/**
 * Checks the history of a scope against its module: whether each event fits, and whether the derived facts that follow the history
 * change by change are those of one evaluation at its end.
 */

import type { Deadline } from '../../base/ports.js';
import { BLOCK_ITEMS, EvaluationFault, type Program, type RelationReader, type View } from '../../engine/index.js';
import type { ScopeHistory } from '../../storage/event-store.js';
import { type HiddenEvents, openScope, replayAlone } from './open-scope.js';
import { isStoredKind } from './scope.js';

export interface ScopeReport {
  /** Stored and derived, of all open forks. */
  readonly facts: number;
  readonly hidden: HiddenEvents;
  readonly differences: readonly Difference[];
  /** Why a derived relation has no facts, by relation. */
  readonly faults: readonly { readonly relation: string; readonly message: string }[];
}

/** A relation that has other facts after the changes than after one evaluation. */
export interface Difference {
  readonly fork: string;
  readonly relation: string;
  readonly missing: number;
  readonly surplus: number;
}

export async function checkScope(
  program: Program,
  store: ScopeHistory,
  identity: { readonly scopeId: string; readonly tenant: string },
  options: { readonly factsPerRule: number },
  deadline: Deadline,
): Promise<ScopeReport> {
  const { scope, hidden } = await openScope(program, store, identity, options, deadline);
  const differences: Difference[] = [];
  const faults = new Map<string, string>();
  let facts = 0;
  for (const fork of scope.forks.values()) {
    if (fork.branch === undefined || fork.status !== 'open') continue;
    let transactions = 0;
    let evaluateAt = 1;
    const followed = await replayAlone(scope, store, fork, deadline, undefined, async (changing) => {
      transactions += 1;
      if (transactions < evaluateAt) return;
      // Often at first and ever less often, so that maintenance sees small and large changes.
      evaluateAt *= 2;
      const view = changing.view();
      await relationsIn(view, deadline);
      view.release();
    });
    const views = [fork.branch.facts.view(), followed.facts.view()] as const;
    const expected = await relationsIn(views[0], deadline, faults);
    const found = await relationsIn(views[1], deadline);
    for (const [relation, reader] of expected) {
      facts += reader.size;
      const other = found.get(relation);
      const missing = other === undefined ? reader.size : await absentFrom(other, reader, deadline);
      const surplus = other === undefined ? 0 : await absentFrom(reader, other, deadline);
      if (missing + surplus > 0) differences.push({ fork: fork.id, relation, missing, surplus });
    }
    for (const view of views) view.release();
    followed.facts.close();
  }
  return { facts, hidden, differences, faults: [...faults].map(([relation, message]) => ({ relation, message })) };
}

/** The relations of the view. A derived one whose evaluation fails is left out and noted. */
async function relationsIn(view: View, deadline: Deadline, faults?: Map<string, string>) {
  const readers = new Map<string, RelationReader>();
  for (const { path, kind } of view.program.relations.values()) {
    try {
      readers.set(path, isStoredKind(kind) ? view.stored(path) : await view.materialise(path, deadline));
    } catch (error) {
      if (!(error instanceof EvaluationFault)) throw error;
      faults?.set(path, error.message);
    }
  }
  return readers;
}

/** How many rows the relation lacks. */
async function absentFrom(relation: RelationReader, rows: RelationReader, deadline: Deadline): Promise<number> {
  await relation.prepare([...relation.info.endpoints.keys()], deadline);
  let absent = 0;
  let read = 0;
  for (const row of rows.rows()) {
    if (read++ % BLOCK_ITEMS === 0) await deadline.checkpoint();
    if (!relation.has(row)) absent += 1;
  }
  return absent;
}

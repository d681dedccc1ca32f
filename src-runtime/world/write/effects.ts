/** What a mutation came to all in all: facts that hold now and did not, or no longer do, what follows from them included. */

import type { EffectFact, Effects, Firing } from '../../api/schemas/schemas.js';
import { type Deadline, DeadlineExceeded } from '../../base/ports.js';
import {
  drive,
  EvaluationFault,
  factId,
  type RelationInfo,
  type RelationReader,
  type View,
} from '../../engine/index.js';
import { readsAny } from '../read/guard.js';
import { isStoredKind } from '../state/scope.js';
import { wireTuple } from '../state/stored-tuples.js';
import { withFaults } from '../wire/faults.js';
import { differing, renderFiring } from '../wire/firings.js';

/** Effects in the making: what is told is bounded, what is counted is all. */
interface Telling {
  readonly before: View;
  readonly after: View;
  readonly rowsMax: number;
  readonly deadline: Deadline;
  readonly relations: Effects['relations'];
  readonly facts: EffectFact[];
  readonly firings: Effects['firings'];
  readonly unknown: Effects['unknown'];
  cut: boolean;
}

/**
 * `changed` names the stored relations that were touched: a rule that reads none of them is not asked. Maintained relations tell their
 * own changes, so that this costs what changes; one that nobody has read yet is evaluated. A rule that fails is told as
 * unknown and fails nothing; when the time is up, what is left is told as unknown.
 */
export async function effectsOf(
  before: View,
  after: View,
  changed: ReadonlySet<string>,
  rowsMax: number,
  deadline: Deadline,
): Promise<Effects> {
  const { program } = after;
  const telling: Telling = {
    before,
    after,
    rowsMax,
    deadline,
    relations: [],
    facts: [],
    firings: [],
    unknown: [],
    cut: false,
  };
  const checks = [...program.checks.values()];
  const checkRelations = new Set(checks.map(({ path }) => program.relationOfCheck(path)));
  for (const info of program.relations.values()) {
    if (checkRelations.has(info.path)) continue;
    await guarded(telling, info.path, () => tellFacts(telling, info, changed));
  }
  for (const check of checks) {
    await guarded(telling, check.path, () => tellFirings(telling, check.path, changed));
  }
  const { relations, facts, firings, unknown, cut } = telling;
  return { relations, facts, firings, unknown, cut };
}

async function tellFacts(telling: Telling, info: RelationInfo, changed: ReadonlySet<string>): Promise<void> {
  const { after, before, facts, relations } = telling;
  const kind = isStoredKind(info.kind) ? 'stored' : 'derived';
  if (kind === 'stored' ? !changed.has(info.path) : !readsAny(after, info.path, changed)) return;
  const differences = await differencesOf(telling, info.path);
  const { added, removed } = differences;
  if (added.count + removed.count > 0) {
    relations.push({ relation: info.path, kind, added: added.count, removed: removed.count });
  }
  for (const [change, view, { rows }] of [
    ['removed', before, removed],
    ['added', after, added],
  ] as const) {
    for (const row of rows) {
      const tuple = wireTuple(view, info, row);
      facts.push({ change, kind, factId: factId(info.path, tuple), relation: info.path, tuple });
    }
  }
}

async function tellFirings(telling: Telling, path: string, changed: ReadonlySet<string>): Promise<void> {
  const { after, before, firings, deadline } = telling;
  const { program } = after;
  const check = program.checks.get(path);
  const relation = program.relationOfCheck(path);
  if (check === undefined || !readsAny(after, relation, changed)) return;
  const { added, removed } = await differencesOf(telling, relation);
  for (const [change, view, { rows }] of [
    ['removed', before, removed],
    ['added', after, added],
  ] as const) {
    for (const row of rows) {
      const firing: Firing = await renderFiring(view, check, row, deadline);
      firings.push({ change, firing });
    }
  }
}

/** How many rows differ, and as many of them as may still be told. */
interface Differing {
  readonly count: number;
  readonly rows: readonly (readonly number[])[];
}

async function differencesOf(
  telling: Telling,
  path: string,
): Promise<{ readonly added: Differing; readonly removed: Differing }> {
  const { before, after, deadline, rowsMax, facts, firings } = telling;
  const old = await before.materialise(path, deadline);
  const now = await after.materialise(path, deadline);
  const left = () => Math.max(0, rowsMax - facts.length - firings.length);
  const { added, removed } = await compared(old, now, left(), deadline);
  const told = { added: cutTo(added, left()), removed: cutTo(removed, Math.max(0, left() - added.rows.length)) };
  const isWhole = told.added.rows.length === added.count && told.removed.rows.length === removed.count;
  if (!isWhole) telling.cut = true;
  return told;
}

async function compared(
  old: RelationReader,
  now: RelationReader,
  rowsMax: number,
  deadline: Deadline,
): Promise<{ readonly added: Differing; readonly removed: Differing }> {
  if (old.state === now.state) return { added: NONE, removed: NONE };
  const known = await drive(now.changesSince(old), deadline);
  if (known !== undefined) return { added: whole(known.added), removed: whole(known.removed) };
  return { added: await differing(now, old, rowsMax, deadline), removed: await differing(old, now, rowsMax, deadline) };
}

const NONE: Differing = { count: 0, rows: [] };

function whole(rows: Differing['rows']): Differing {
  return { count: rows.length, rows };
}

function cutTo({ count, rows }: Differing, rowsMax: number): Differing {
  return { count, rows: rows.slice(0, rowsMax) };
}

async function guarded(telling: Telling, path: string, work: () => Promise<void>): Promise<void> {
  try {
    await withFaults(telling.after.program, path, 'SVC_RUNTIME_DERIVE_FAILED', work);
  } catch (error) {
    if (error instanceof DeadlineExceeded) telling.unknown.push({ path, message: 'the time of the request was up' });
    else if (error instanceof Error && error.cause instanceof EvaluationFault) {
      telling.unknown.push({ path, message: error.message });
    } else throw error;
  }
}

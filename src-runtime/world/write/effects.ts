/** The effects of a mutation: facts, stored and derived, and violations that it added or removed. */

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
import { differing, renderViolation } from '../wire/violations.js';

/** Collects effects. Counts are complete, rows are limited. */
interface EffectsReport {
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
 * `changed` names the stored relations that were written; rules that read none of them are skipped. A maintained relation knows its
 * changes, and one that nobody has read yet is evaluated. A rule that fails, or is not reached in time, is reported as unknown.
 */
export async function effectsOf(
  before: View,
  after: View,
  changed: ReadonlySet<string>,
  rowsMax: number,
  deadline: Deadline,
): Promise<Effects> {
  const { program } = after;
  const report: EffectsReport = {
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
    await guarded(report, info.path, () => addFacts(report, info, changed));
  }
  for (const check of checks) {
    await guarded(report, check.path, () => addViolations(report, check.path, changed));
  }
  const { relations, facts, firings, unknown, cut } = report;
  return { relations, facts, firings, unknown, cut };
}

async function addFacts(report: EffectsReport, info: RelationInfo, changed: ReadonlySet<string>): Promise<void> {
  const { after, before, facts, relations } = report;
  const kind = isStoredKind(info.kind) ? 'stored' : 'derived';
  if (kind === 'stored' ? !changed.has(info.path) : !readsAny(after, info.path, changed)) return;
  const differences = await differencesOf(report, info.path);
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

async function addViolations(report: EffectsReport, path: string, changed: ReadonlySet<string>): Promise<void> {
  const { after, before, firings, deadline } = report;
  const { program } = after;
  const check = program.checks.get(path);
  const relation = program.relationOfCheck(path);
  if (check === undefined || !readsAny(after, relation, changed)) return;
  const { added, removed } = await differencesOf(report, relation);
  for (const [change, view, { rows }] of [
    ['removed', before, removed],
    ['added', after, added],
  ] as const) {
    for (const row of rows) {
      const firing: Firing = await renderViolation(view, check, row, deadline);
      firings.push({ change, firing });
    }
  }
}

/** The number of rows that differ, and the ones that may still be reported. */
interface Differing {
  readonly count: number;
  readonly rows: readonly (readonly number[])[];
}

async function differencesOf(
  report: EffectsReport,
  path: string,
): Promise<{ readonly added: Differing; readonly removed: Differing }> {
  const { before, after, deadline, rowsMax, facts, firings } = report;
  const old = await before.materialise(path, deadline);
  const now = await after.materialise(path, deadline);
  const rowsLeft = () => Math.max(0, rowsMax - facts.length - firings.length);
  const { added, removed } = await changedRows(old, now, rowsLeft(), deadline);
  const reported = {
    added: cutTo(added, rowsLeft()),
    removed: cutTo(removed, Math.max(0, rowsLeft() - added.rows.length)),
  };
  const isComplete = reported.added.rows.length === added.count && reported.removed.rows.length === removed.count;
  if (!isComplete) report.cut = true;
  return reported;
}

/** The rows that only one of two states of a relation has; at most `rowsMax` of each side if they are not known from maintenance. */
export async function changedRows(
  old: RelationReader,
  now: RelationReader,
  rowsMax: number,
  deadline: Deadline,
): Promise<{ readonly added: Differing; readonly removed: Differing }> {
  if (old.state === now.state) return { added: NONE, removed: NONE };
  const known = await drive(now.changesSince(old), deadline);
  if (known !== undefined) return { added: allRows(known.added), removed: allRows(known.removed) };
  return { added: await differing(now, old, rowsMax, deadline), removed: await differing(old, now, rowsMax, deadline) };
}

const NONE: Differing = { count: 0, rows: [] };

function allRows(rows: Differing['rows']): Differing {
  return { count: rows.length, rows };
}

function cutTo({ count, rows }: Differing, rowsMax: number): Differing {
  return { count, rows: rows.slice(0, rowsMax) };
}

async function guarded(report: EffectsReport, path: string, work: () => Promise<void>): Promise<void> {
  try {
    await withFaults(report.after.program, path, 'SVC_RUNTIME_DERIVE_FAILED', work);
  } catch (error) {
    if (error instanceof DeadlineExceeded) report.unknown.push({ path, message: 'the time of the request was up' });
    else if (error instanceof Error && error.cause instanceof EvaluationFault) {
      report.unknown.push({ path, message: error.message });
    } else throw error;
  }
}

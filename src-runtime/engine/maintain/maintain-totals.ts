/** Updates the totals of an aggregate's groups by the rows that they lose and gain in a change. */

import type { ClauseTask } from '../evaluate/evaluate.js';
import { foldOf } from '../plan/totals.js';
import { Relation } from '../relation/relation.js';
import { BLOCK_ITEMS } from '../scheduling/blocks.js';
import { bare, type Value } from '../values/value.js';
import type { AffectedGroups, Changes } from './delta-starts.js';
import type { HiddenAggregate } from './hidden-reads.js';
import type { MaintainedTotal } from './maintained-totals.js';
import type { MaintenancePlans, Side } from './plans.js';
import type { Runner } from './runner.js';

/** An aggregate whose groups a change affects. */
export interface AffectedAggregate {
  readonly task: ClauseTask;
  readonly place: number;
  readonly hidden: HiddenAggregate;
  readonly affected: readonly AffectedGroups[];
}

/** Drops the total of a group if it cannot be updated. */
export function* maintainTotals(
  runner: Runner,
  plans: MaintenancePlans,
  changes: ReadonlyMap<string, Changes>,
  changed: AffectedAggregate,
): Generator<void, void> {
  const { task, hidden, affected } = changed;
  const { totals, inputs } = runner;
  const { aggregate, group } = hidden;
  const table = totals?.tableOf(inputs.program, task, aggregate);
  const fold = foldOf(inputs.program, aggregate);
  if (totals === undefined || table === undefined || fold === undefined) return;
  const isTold = affected.every((each) => each.group.length === group.size);
  const groups = isTold ? affected.flatMap(({ given }) => namesIn(given)) : [...table.known.keys()];
  const following = new Map<string, MaintainedTotal | undefined>();
  for (const name of groups) if (table.known.has(name)) following.set(name, isTold ? table.known.get(name) : undefined);
  if (following.size === 0) return;
  for (const side of isTold ? SIDES : []) {
    const rows = yield* joinedRows(runner, plans, changes, changed, side);
    for (let row = 0; row < rows.count; row++) {
      if (row % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
      const codes = rows.rowAt(row);
      const name = codes.slice(0, group.size).join();
      const kept = following.get(name);
      if (kept === undefined) continue;
      const value = aggregate.value === null ? null : inputs.interner.decode(bare(aggregate.result), codes.at(-1) ?? 0);
      following.set(name, side === 'before' ? without(fold.remove, kept, value) : withOne(fold.add, kept, value));
    }
  }
  for (const [name, kept] of following) totals.change(table, name, kept);
}

/** Losses first: a group that loses everything cannot be updated. */
const SIDES: readonly Side[] = ['before', 'after'];

function without(
  remove: (total: unknown, value: Value) => unknown,
  { total, count }: MaintainedTotal,
  value: Value,
): MaintainedTotal | undefined {
  const left = remove(total, value);
  return left === undefined || count === 1 ? undefined : { total: left, count: count - 1 };
}

function withOne(
  add: (total: unknown, value: Value) => unknown,
  { total, count }: MaintainedTotal,
  value: Value,
): MaintainedTotal {
  return { total: add(total, value), count: count + 1 };
}

function namesIn(given: Relation): string[] {
  const names: string[] = [];
  for (let row = 0; row < given.count; row++) names.push(given.rowAt(row).join());
  return names;
}

/** The rows that the groups lost (before the change) or gained (after it). */
function* joinedRows(
  runner: Runner,
  plans: MaintenancePlans,
  changes: ReadonlyMap<string, Changes>,
  { task, place, hidden }: AffectedAggregate,
  side: Side,
): Generator<void, Relation> {
  const { aggregate, condition, group } = hidden;
  const rows = Relation.plain(group.size + aggregate.over.length + (aggregate.value === null ? 0 : 1));
  for (const step of condition.steps) {
    if (step.kind !== 'atom' && step.kind !== 'absent') continue;
    const changed = changes.get(step.relation);
    if (changed === undefined) continue;
    const isGain = (step.kind === 'atom') === (side === 'after');
    const given = isGain ? changed.added : changed.removed;
    if (given.count > 0)
      yield* runner.run(task, plans.joined(task.clause, place, hidden, step, side), given, rows, side);
  }
  return rows;
}

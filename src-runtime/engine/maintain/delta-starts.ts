/** The deltas that a component's clauses start from after a change of what they read. */

import type { ClauseTask } from '../evaluate/evaluate.js';
import { normalise } from '../plan/normalise.js';
import type { Plan } from '../plan/plans.js';
import type { EngineProgram } from '../program/program.js';
import { Relation } from '../relation/relation.js';
import { BLOCK_ITEMS } from '../scheduling/blocks.js';
import type { DeltaStart } from './delta-steps.js';
import { type Hidden, type HiddenAggregate, hiddenReads } from './hidden-reads.js';
import { maintainTotals } from './maintain-totals.js';
import type { MaintenancePlans, Side } from './plans.js';
import type { Runner } from './runner.js';

/** The changes of a relation that the component reads. */
export interface Changes {
  readonly added: Relation;
  readonly removed: Relation;
}

/** Values of these variables of an aggregate's group. */
export interface AffectedGroups {
  readonly group: readonly string[];
  readonly given: Relation;
}

export class DeltaStarts {
  private readonly runner: Runner;
  private readonly plans: MaintenancePlans;
  private readonly changes: ReadonlyMap<string, Changes>;
  private readonly affected = new Map<HiddenAggregate, readonly AffectedGroups[]>();

  constructor(runner: Runner, plans: MaintenancePlans, changes: ReadonlyMap<string, Changes>) {
    this.runner = runner;
    this.plans = plans;
    this.changes = changes;
  }

  /** The plans, with their given tuples, that find the heads which the change may affect. */
  *of(task: ClauseTask, side: Side): Generator<void, { readonly plan: Plan; readonly given: Relation }[]> {
    const { program } = this.runner.inputs;
    const { path, clause } = task;
    const starts: { plan: Plan; given: Relation }[] = [];
    const add = (start: DeltaStart, given: Relation): void => {
      if (given.count === 0) return;
      starts.push({ plan: this.plans.heads(path, clause, side, start, given.count === 1 ? 'once' : 'often'), given });
    };
    let { compiled } = this.plans;
    for (const [step, given] of givenBy(program, task, this.changes, side)) {
      // A long clause has many plans to compile. Running the first one checks the deadline before that.
      if (this.plans.compiled > compiled) yield;
      compiled = this.plans.compiled;
      add({ kind: 'step', step }, given);
    }
    const hidden = hiddenReads(program, clause);
    if (hidden === undefined) {
      // The affected groups are unknown, so the whole clause is evaluated.
      if (this.readsChanged(task))
        starts.push({ plan: this.plans.heads(path, clause, side, { kind: 'all' }), given: NOTHING });
      return starts;
    }
    for (const [place, each] of hidden.entries()) {
      if (each.kind === 'lookup') {
        const owners = yield* this.affectedOwners(each);
        if (owners !== undefined) add({ kind: 'individuals', place, of: each.of }, owners);
      } else {
        // The same on both sides.
        const affected = this.affected.get(each) ?? (yield* this.affectedGroups(task, place, each));
        this.affected.set(each, affected);
        for (const { group, given } of affected) {
          if (group.length === 0 && given.count > 0) add({ kind: 'all' }, given);
          else add({ kind: 'groups', group }, given);
        }
      }
    }
    return starts;
  }

  private readsChanged(task: ClauseTask): boolean {
    return [...this.runner.inputs.program.componentOf(task.path).reads].some((path) => this.changes.has(path));
  }

  private *affectedOwners(hidden: Hidden & { kind: 'lookup' }): Generator<void, Relation | undefined> {
    const changes = this.changes.get(hidden.relation);
    if (changes === undefined) return undefined;
    const owners = Relation.plain(1);
    for (const { rows, count, arity } of [changes.added, changes.removed]) {
      for (let row = 0; row < count; row++) {
        owners.add([rows[row * arity + hidden.own] ?? 0]);
        if (row % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
      }
    }
    return owners;
  }

  private *affectedGroups(
    task: ClauseTask,
    place: number,
    hidden: HiddenAggregate,
  ): Generator<void, readonly AffectedGroups[]> {
    const affected = new Map<string, AffectedGroups>();
    for (const step of hidden.condition.steps) {
      if (step.kind !== 'atom' && step.kind !== 'absent') continue;
      const changes = this.changes.get(step.relation);
      if (changes === undefined) continue;
      for (const side of ['before', 'after'] as const) {
        const isGain = (step.kind === 'atom') === (side === 'after');
        const given = isGain ? changes.added : changes.removed;
        if (given.count === 0) continue;
        const { plan, group } = this.plans.groups(task.clause, place, hidden, step, side);
        const name = group.join();
        const known = affected.get(name) ?? { group, given: Relation.plain(group.length) };
        affected.set(name, known);
        yield* this.runner.run(task, plan, given, known.given, side);
      }
    }
    const all = [...affected.values()];
    yield* maintainTotals(this.runner, this.plans, this.changes, { task, place, hidden, affected: all });
    return all;
  }
}

/** The changed steps of a clause, each with the tuples that hold only before or only after the change. */
export function* givenBy(
  program: EngineProgram,
  { clause }: ClauseTask,
  changes: ReadonlyMap<string, Changes>,
  side: Side,
): Generator<readonly [step: number, given: Relation]> {
  for (const [index, step] of normalise(program, clause.condition).steps.entries()) {
    if (step.kind !== 'atom' && step.kind !== 'absent') continue;
    const changed = changes.get(step.relation);
    if (changed === undefined) continue;
    const isGain = (step.kind === 'atom') === (side === 'after');
    const given = isGain ? changed.added : changed.removed;
    if (given.count > 0) yield [index, given];
  }
}

const NOTHING = Relation.plain(0);

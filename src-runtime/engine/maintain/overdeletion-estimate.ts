/**
 * Predicts, before anything is prepared, that maintenance is going to delete more facts than its budget allows. A fact
 * is doomed once the change leaves only derivations from doomed facts. Joins alone can tell, without the rows and ranks
 * of derived facts, for which an index over whole tuples would have to be built. Only certain facts count, so not those
 * that support each other in a circle. Maintenance finds those within its budget.
 *
 * Benchmark: W5c of `npm run bench:engine`. Twelve edges out of a tree, each the first change, take 424 ms with it and
 * 816 ms without.
 */

import type { ClauseTask } from '../evaluate/evaluate.js';
import { normalise, type Step } from '../plan/normalise.js';
import { stepVariables } from '../plan/variables.js';
import type { EngineProgram } from '../program/program.js';
import { Relation } from '../relation/relation.js';
import { BLOCK_ITEMS } from '../scheduling/blocks.js';
import { type Changes, givenBy } from './delta-starts.js';
import { stepsFromHead } from './delta-steps.js';
import { hiddenReads } from './hidden-reads.js';
import type { MaintenancePlans } from './plans.js';
import type { Runner } from './runner.js';

/** Maintenance counts a deleted fact twice: when it is found, and when its support is checked. */
const COUNTED = 2;

export class OverdeletionEstimate {
  private readonly tasks: readonly ClauseTask[];
  private readonly plans: MaintenancePlans;
  private readonly runner: Runner;
  private readonly changes: ReadonlyMap<string, Changes>;
  /** By path. */
  readonly doomed: ReadonlyMap<string, Relation>;

  /** Of a component whose relations have no versions yet. */
  constructor(
    tasks: readonly ClauseTask[],
    plans: MaintenancePlans,
    runner: Runner,
    changes: ReadonlyMap<string, Changes>,
  ) {
    this.tasks = tasks;
    this.plans = plans;
    this.runner = runner;
    this.changes = changes;
    this.doomed = new Map(tasks.map(({ path }) => [path, this.emptyLike(path)]));
  }

  /**
   * Finds doomed facts until there are no more, or deleting them costs more than the budget. Does nothing if the
   * clauses do not allow it.
   */
  *look(): Generator<void, void> {
    const { program } = this.runner.inputs;
    if (!this.tasks.every((task) => isEstimable(program, task))) return;
    let offered = yield* this.offeredByChanges();
    while (offered.size > 0 && !this.runner.isHalfway) {
      const fresh = new Map<string, Relation>();
      for (const [path, facts] of offered) {
        const lost = yield* this.doom(path, facts);
        if (lost.count > 0) fresh.set(path, lost);
      }
      offered = yield* this.offeredBy(fresh);
    }
  }

  /** The facts that may have lost a derivation to the change. */
  private *offeredByChanges(): Generator<void, Map<string, Relation>> {
    const offered = new Map<string, Relation>();
    for (const task of this.tasks) {
      for (const [step, given] of givenBy(this.runner.inputs.program, task, this.changes, 'before'))
        yield* this.offer(offered, task, step, given);
    }
    return offered;
  }

  /** The facts that may have lost a derivation to these doomed facts. */
  private *offeredBy(fresh: ReadonlyMap<string, Relation>): Generator<void, Map<string, Relation>> {
    const offered = new Map<string, Relation>();
    for (const task of this.tasks) {
      const [step] = task.deltas;
      const own = step === undefined ? undefined : ownStep(this.runner.inputs.program, task);
      const given = own && fresh.get(own.relation);
      if (step !== undefined && given !== undefined) yield* this.offer(offered, task, step, given);
    }
    return offered;
  }

  private *offer(into: Map<string, Relation>, task: ClauseTask, step: number, given: Relation): Generator<void, void> {
    const target = into.get(task.path) ?? this.emptyLike(task.path);
    into.set(task.path, target);
    const plan = this.plans.derived(task.path, task.clause, step, given.count === 1 ? 'once' : 'often');
    yield* this.runner.run(task, plan, given, target, 'before');
  }

  /** Adds those of these facts that have no derivation left, and returns them. */
  private *doom(path: string, facts: Relation): Generator<void, Relation> {
    const held = this.emptyLike(path);
    for (const task of this.tasks) {
      if (task.path !== path) continue;
      const plan = this.plans.undoomed(path, task.clause);
      yield* this.runner.run(task, plan, facts, held, 'after', this.doomed);
    }
    const [all, lost] = [this.doomed.get(path) as Relation, this.emptyLike(path)];
    for (let row = 0; row < facts.count && !this.runner.isHalfway; row++) {
      if (row % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
      const codes = facts.rowAt(row);
      if ((held.count > 0 && held.find(codes, 0) >= 0) || !all.add(codes)) continue;
      lost.add(codes);
      this.runner.countFacts(COUNTED);
    }
    return lost;
  }

  private emptyLike(path: string): Relation {
    return Relation.plain(this.runner.own(path).arity);
  }
}

type OwnStep = Step & { readonly kind: 'atom' };

/** The step by which a clause joins its component, if there is exactly one. */
function ownStep(program: EngineProgram, { clause, deltas }: ClauseTask): OwnStep {
  return normalise(program, clause.condition).steps[deltas[0] ?? 0] as OwnStep;
}

/**
 * False if a fact and the other premises do not determine the premise within the component, or values depend on more
 * than premises.
 */
function isEstimable(program: EngineProgram, task: ClauseTask): boolean {
  const { path, clause, deltas, isWhole } = task;
  // Totals of groups are updated later, by the deltas that maintenance starts from.
  if (isWhole || deltas.length > 1 || hiddenReads(program, clause)?.length !== 0) return false;
  if (deltas.length === 0) return true;
  const own = ownStep(program, task);
  const known = new Set<string>();
  for (const step of stepsFromHead(program, path, clause).steps)
    if (step !== own) for (const name of stepVariables(step).binds) known.add(name);
  const isKnown = (arg: OwnStep['args'][number]): boolean =>
    arg !== null && (arg.op !== 'variable' || known.has(arg.name));
  // A navigation has to find that it reads a single value.
  return own.reads === undefined && own.args.every(isKnown);
}

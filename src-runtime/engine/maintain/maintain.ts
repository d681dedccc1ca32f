/**
 * Incremental maintenance: brings the relations of one component from one state of its inputs to the next, at a cost in
 * proportion to the change.
 *
 * Every derived fact has a rank, greater than that of each premise within the component. A fact that still follows from
 * facts of lower rank needs no further look. Only the others are deleted, derived again if they follow otherwise, and
 * passed on. This is delete-and-rederive (Gupta, Mumick, Subrahmanian 1993) that looks for another derivation before it
 * deletes, as the Backward/Forward algorithm does (Motik et al. 2015), with ranks in place of its search, as levels do
 * for reachability (Even, Shiloach 1981).
 */

import { type ClauseTask, clauseTasks, overBudget } from '../evaluate/evaluate.js';
import { type Inputs, relationOf } from '../evaluate/inputs.js';
import { normalise } from '../plan/normalise.js';
import type { Plan } from '../plan/plans.js';
import { isStrict } from '../program/kept-values.js';
import type { Component, EngineProgram } from '../program/program.js';
import { Relation } from '../relation/relation.js';
import { changesBetween } from '../relation/row-changes.js';
import { BLOCK_ITEMS } from '../scheduling/blocks.js';
import { type Changes, DeltaStarts } from './delta-starts.js';
import { mayGain } from './hidden-reads.js';
import { bestRow, type KeptRelation, type KeptRelations, keptRelations, keptValue, ValueQueue } from './kept-values.js';
import type { MaintainedTotals } from './maintained-totals.js';
import { OverdeletionEstimate } from './overdeletion-estimate.js';
import { type LosingSide, MaintenancePlans, readsAnyOf } from './plans.js';
import { Queue, suspectAgain } from './queue.js';
import { type Before, Runner } from './runner.js';

/** False if a clause reads its component in a way that allows no delta. */
export function isMaintainable(program: EngineProgram, component: Component): boolean {
  return clauseTasks(program, component).every(({ isWhole }) => !isWhole);
}

interface MaintainOptions {
  readonly costMax: number;
  readonly searchedRowsMin: number;
  /** Totals of the aggregates before the change. They are updated. */
  readonly totals?: MaintainedTotals | undefined;
}

/** The cost in proportion to its limit: at most half of it, more than half, or more than all. */
export type Cost = 'little' | 'much' | 'too much';

/**
 * Yields between blocks of work. If the cost is too much, or it throws an EvaluationFault, the caller has to undo the
 * relations.
 */
export function* maintainComponent(
  component: Component,
  relations: ReadonlyMap<string, Relation>,
  before: Before,
  inputs: Inputs,
  { costMax, searchedRowsMin, totals }: MaintainOptions,
): Generator<void, Cost> {
  const runner = new Runner(inputs, relations, before, { costMax, totals });
  const maintenance = new Maintenance(component, relations, before, runner, searchedRowsMin);
  yield* maintenance.begin();
  if (maintenance.isUnchanged) return 'little';
  if (yield* maintenance.isOverdeleting()) return 'too much';
  yield* maintenance.prepareIndexes();
  const isDone = (yield* maintenance.delete()) && (yield* maintenance.insert());
  if (!isDone || !(yield* maintenance.replace()) || runner.isStopped) return 'too much';
  return runner.isHalfway ? 'much' : 'little';
}

/** Values that better ones replace are followed this often before the component is evaluated again. */
const REPLACEMENTS_MAX = 3;

/** Facts that may have to be inserted: the queue has their rows in `offered`. */
interface Offers {
  readonly queue: Queue | ValueQueue;
  readonly offered: ReadonlyMap<string, Relation>;
}

class Maintenance {
  private readonly component: Component;
  private readonly relations: ReadonlyMap<string, Relation>;
  private readonly before: Before;
  private readonly inputs: Inputs;
  private readonly runner: Runner;
  private readonly plans: MaintenancePlans;
  private readonly tasks: readonly ClauseTask[];
  /** True if preparing takes so long that an estimate beforehand pays. */
  private readonly isEstimated: boolean;
  private readonly changes = new Map<string, Changes>();
  private readonly starts: DeltaStarts;
  /** Row numbers that a plan found. Read before the next plan runs. */
  private readonly found = Relation.withRanks(1);
  /** Deleted rows by path. */
  private readonly deleted = new Map<string, number[]>();
  private readonly kept: KeptRelations;
  /** Visible rows that a better value has replaced, by path. */
  private readonly replaced = new Map<string, Set<number>>();

  constructor(
    component: Component,
    relations: ReadonlyMap<string, Relation>,
    before: Before,
    runner: Runner,
    searchedRowsMin: number,
  ) {
    this.component = component;
    this.relations = relations;
    this.before = before;
    this.inputs = runner.inputs;
    this.runner = runner;
    // On the first change it is unknown whether an index would be used again.
    this.kept = keptRelations(runner.inputs, component);
    const isFirst = [...relations.values()].some(({ versioned }) => !versioned);
    const searchedMin = isFirst ? searchedRowsMin : Number.POSITIVE_INFINITY;
    const rows = [...relations.values()].reduce((sum, { count }) => sum + count, 0);
    this.isEstimated =
      this.kept.size === 0 && rows >= searchedRowsMin && [...relations.values()].every(({ versioned }) => !versioned);
    this.plans = new MaintenancePlans(runner.inputs, component, relations, searchedMin);
    this.tasks = clauseTasks(runner.inputs.program, component);
    this.starts = new DeltaStarts(runner, this.plans, this.changes);
  }

  /** Finds what has changed. */
  *begin(): Generator<void, void> {
    for (const [path, { relation, version }] of this.before.inputs) {
      const now = relationOf(this.inputs, path);
      const changes = yield* changesBetween(relation, version, now.version);
      if (changes.added.count + changes.removed.count > 0) this.changes.set(path, changes);
    }
  }

  /** True if deleting surely costs too much. */
  *isOverdeleting(): Generator<void, boolean> {
    if (!this.isEstimated) return false;
    yield* new OverdeletionEstimate(this.tasks, this.plans, this.runner, this.changes).look();
    return this.runner.isHalfway;
  }

  /** Prepares the indexes and versions that maintenance needs. */
  *prepareIndexes(): Generator<void, void> {
    this.runner.totals?.beginChange(this.inputs.version);
    for (const relation of this.relations.values()) {
      yield* relation.extendIdentityInBlocks();
      relation.makeVersioned();
    }
    const readsAny = this.tasks.some(({ clause }) =>
      normalise(this.inputs.program, clause.condition).steps.some((step) => readsAnyOf(this.relations, step)),
    );
    if (readsAny || this.kept.size > 0)
      for (const relation of this.relations.values()) relation.ownRanks.areLowest = false;
  }

  get isUnchanged(): boolean {
    return this.changes.size === 0;
  }

  /** Deletes facts that no longer follow from facts of lower rank. False if that costs too much. */
  *delete(): Generator<void, boolean> {
    const from = this.runner.spent;
    const suspects = new Queue(this.component.paths);
    for (const task of this.tasks) {
      for (const { plan, given } of yield* this.starts.of(task, 'before')) {
        yield* this.suspect(suspects, task, plan, given, 'before');
        if (this.isDeletingTooMuch(from)) return false;
      }
    }
    const gains = mayGain(this.inputs.program, this.tasks, this.changes);
    return yield* this.deleteSuspects(suspects, 'before', gains, from);
  }

  private *deleteSuspects(suspects: Queue, side: LosingSide, gains: boolean, from: number): Generator<void, boolean> {
    for (let batch = suspects.next(); batch !== undefined; batch = suspects.next()) {
      for (const [path, rows] of batch) {
        const relation = this.runner.own(path);
        // A fact that was queued twice may be deleted already.
        const living = rows.filter((row) => relation.isVisible(row, this.inputs.version));
        const lost = yield* this.unsupportedOf(path, living);
        // The state now shows dependents only while the facts are there.
        if (side === 'before') yield* this.remove(path, lost);
        if (lost.length > 0) yield* this.suspectDependents(suspects, path, relation.copyOf(lost), side);
        if (side === 'now') yield* this.remove(path, lost);
        if (this.isDeletingTooMuch(from)) return false;
      }
      if (gains) yield* suspectAgain(suspects, batch, this.relations, this.inputs.version);
    }
    return true;
  }

  /** In a large component most deleted facts come back, so on the first change half of the budget is left for that. */
  private isDeletingTooMuch(from: number): boolean {
    return this.runner.isOverrun || (this.isEstimated && this.runner.isHalfwayFrom(from));
  }

  /** Runs a plan that finds rows of heads, and queues them as suspects. */
  private *suspect(
    suspects: Queue,
    task: ClauseTask,
    plan: Plan,
    given: Relation,
    side: LosingSide,
  ): Generator<void, void> {
    const { found } = this;
    found.clear();
    yield* this.runner.run(task, plan, given, found, side === 'now' ? 'after' : side);
    this.runner.countFacts(found.count);
    if (this.runner.isStopped) return;
    for (let index = 0; index < found.count; index++) {
      if (index % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
      suspects.add(task.path, found.rankOf(index), found.rows[index] ?? 0);
    }
  }

  /**
   * Those facts that follow from no facts of lower rank. The others become suspects again if their premises are deleted.
   */
  private *unsupportedOf(path: string, rows: readonly number[]): Generator<void, readonly number[]> {
    let lost = rows;
    for (const task of this.tasks) {
      if (task.path === path && lost.length > 0) lost = yield* this.unsupported(task, lost);
    }
    this.runner.countFacts(rows.length);
    return lost;
  }

  private *remove(path: string, rows: readonly number[]): Generator<void, void> {
    const relation = this.runner.own(path);
    const all = this.deleted.get(path) ?? [];
    this.deleted.set(path, all);
    for (const [index, row] of rows.entries()) {
      relation.remove(row, this.inputs.version);
      all.push(row);
      if (index % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
    }
  }

  /** Those of these facts that do not follow by this clause from facts of lower rank. */
  private *unsupported(task: ClauseTask, rows: readonly number[]): Generator<void, readonly number[]> {
    const { found } = this;
    found.clear();
    const asked = this.runner.own(task.path).copyOf(rows);
    yield* this.runner.run(task, this.plans.support(task.path, task.clause), asked, found, 'after');
    if (found.count === 0) return rows;
    const isSupported = new Uint8Array(rows.length);
    for (let index = 0; index < found.count; index++) {
      const place = found.rows[index] ?? 0;
      isSupported[place] = 1;
      if (found.rankOf(index) < asked.rankOf(place)) this.runner.own(task.path).loosen(rows[place] ?? 0);
    }
    return rows.filter((_, index) => isSupported[index] === 0);
  }

  private *suspectDependents(suspects: Queue, path: string, dead: Relation, side: LosingSide): Generator<void, void> {
    for (const task of this.tasks) {
      for (const step of this.stepsOn(task, path)) {
        const plan = this.plans.heads(task.path, task.clause, side, { kind: 'member', step });
        yield* this.suspect(suspects, task, plan, dead, side);
      }
    }
  }

  /** Inserts facts that follow now but did not before, or that were deleted. False if that costs too much. */
  *insert(): Generator<void, boolean> {
    for (const relation of this.relations.values()) relation.settleRanks();
    const offers = this.newOffers();
    for (const task of this.tasks) {
      yield* this.offerDeleted(offers, task);
      for (const { plan, given } of yield* this.starts.of(task, 'after')) {
        yield* this.offer(offers, task, plan, given);
        if (this.runner.isOverrun) return false;
      }
    }
    return yield* this.insertOffered(offers);
  }

  private newOffers(): Offers {
    const { paths } = this.component;
    const queue = this.kept.size > 0 ? new ValueQueue() : new Queue(paths);
    return { queue, offered: new Map(paths.map((path) => [path, Relation.withRanks(this.runner.own(path).arity)])) };
  }

  /** Offers deleted facts again. A group that has lost its value gets the best of the others. */
  private *offerDeleted(offers: Offers, task: ClauseTask): Generator<void, void> {
    const deleted = this.deleted.get(task.path);
    const isKeptPath = this.kept.has(task.path);
    // Without a premise in the component no deleted fact can come back: ranks play no part.
    if (deleted === undefined || (task.deltas.length === 0 && !isKeptPath)) return;
    const { path, clause } = task;
    const plan = isKeptPath ? this.plans.rederiveGroups(path, clause) : this.plans.rederive(path, clause);
    yield* this.offer(offers, task, plan, this.runner.own(path).copyOf(deleted));
  }

  private *insertOffered(offers: Offers): Generator<void, boolean> {
    for (let batch = offers.queue.next(); batch !== undefined; batch = offers.queue.next()) {
      for (const [path, rows] of batch) {
        const offered = offers.offered.get(path) as Relation;
        const fresh = yield* this.insertAll(path, offered, rows);
        if (offers.queue.isDoneWith(path)) offered.clear();
        if (fresh.count > 0) yield* this.offerDependents(offers, path, fresh);
        if (this.runner.isOverrun) return false;
      }
    }
    return true;
  }

  /**
   * Deletes the rows that better values have replaced. A fact that depends on one gets the rank of another derivation,
   * or is deleted and derived again. False if that costs too much, or does not end because a value follows only by way
   * of one that it has replaced.
   */
  *replace(): Generator<void, boolean> {
    const isFinal = this.kept.size > 0 && isStrict(this.inputs.program, this.component);
    for (let pass = 0; this.replaced.size > 0; pass++) {
      if (pass === REPLACEMENTS_MAX) return false;
      const from = this.runner.spent;
      const replaced = [...this.replaced];
      this.replaced.clear();
      this.deleted.clear();
      const suspects = new Queue(this.component.paths);
      if (!isFinal) {
        for (const [path, rows] of replaced)
          yield* this.suspectDependents(suspects, path, this.runner.own(path).copyOf([...rows]), 'now');
      }
      for (const [path, rows] of replaced)
        for (const row of rows) this.runner.own(path).remove(row, this.inputs.version);
      if (isFinal) return true;
      if (!(yield* this.deleteSuspects(suspects, 'now', true, from))) return false;
      const offers = this.newOffers();
      for (const task of this.tasks) yield* this.offerDeleted(offers, task);
      if (!(yield* this.insertOffered(offers))) return false;
    }
    return true;
  }

  private *offerDependents(offers: Offers, path: string, fresh: Relation): Generator<void, void> {
    for (const task of this.tasks) {
      for (const step of this.stepsOn(task, path)) {
        const plan = this.plans.heads(task.path, task.clause, 'after', { kind: 'member', step });
        yield* this.offer(offers, task, plan, fresh);
      }
    }
  }

  /** Runs a plan that offers heads, and queues them. */
  private *offer({ queue, offered }: Offers, task: ClauseTask, plan: Plan, given: Relation): Generator<void, void> {
    const into = offered.get(task.path) as Relation;
    const before = into.count;
    yield* this.runner.run(task, plan, given, into, 'after');
    this.runner.countFacts(into.count - before);
    if (this.runner.isStopped) return;
    for (let row = before; row < into.count; row++) {
      if (row % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
      queue.add(task.path, this.keyOf(task.path, into, row), row);
    }
  }

  /** Offered rows come by rank, or with the best values first and all others before them. */
  private keyOf(path: string, offered: Relation, row: number): number {
    if (this.kept.size === 0) return offered.rankOf(row);
    const kept = this.kept.get(path);
    return kept === undefined ? Number.NEGATIVE_INFINITY : kept.order.keyOf(keptValue(offered, row));
  }

  /**
   * Inserts the facts that are missing, and returns them with those inserted earlier that now get a lower rank. So each
   * fact gets the least rank possible, as in Dijkstra's algorithm.
   */
  private *insertAll(path: string, offered: Relation, rows: readonly number[]): Generator<void, Relation> {
    const kept = this.kept.get(path);
    if (kept !== undefined) return yield* this.insertBest(kept, path, offered, rows);
    const relation = this.runner.own(path);
    const fresh: number[] = [];
    this.runner.countFacts(rows.length);
    for (const [index, row] of rows.entries()) {
      if (index % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
      const rank = offered.rankOf(row);
      const known = relation.findRow(offered, row, this.inputs.version);
      if (known < 0) fresh.push(relation.appendFrom(offered, row, rank, this.inputs.version));
      else if (known >= relation.ownRanks.settledEnd && rank < relation.rankOf(known)) {
        relation.lower(known, rank);
        fresh.push(known);
      }
    }
    if (relation.end > this.inputs.factsMax) overBudget(this.inputs, path);
    return relation.copyOf(fresh);
  }

  /** Inserts the first or better values of their groups, and returns them. */
  private *insertBest(
    kept: KeptRelation,
    path: string,
    offered: Relation,
    rows: readonly number[],
  ): Generator<void, Relation> {
    const relation = this.runner.own(path);
    const { version } = this.inputs;
    const fresh: number[] = [];
    const replaced = this.replaced.get(path) ?? new Set();
    this.runner.countFacts(rows.length);
    for (const [index, row] of rows.entries()) {
      if (index % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
      const codes = offered.rowAt(row);
      const known = bestRow(kept, relation, codes, version);
      if (known >= 0 && !kept.order.isBetter(codes.at(-1) ?? 0, keptValue(relation, known))) continue;
      fresh.push(relation.appendFrom(offered, row, offered.rankOf(row), version));
      if (known < 0) continue;
      // It stays visible until all that depends on it has been found.
      replaced.add(known);
    }
    if (replaced.size > 0) this.replaced.set(path, replaced);
    if (relation.end > this.inputs.factsMax) overBudget(this.inputs, path);
    return relation.copyOf(fresh.filter((row) => !replaced.has(row)));
  }

  /** The steps by which a clause joins a relation of the component. */
  private stepsOn(task: ClauseTask, path: string): number[] {
    if (task.deltas.length === 0) return [];
    const { steps } = normalise(this.inputs.program, task.clause.condition);
    return task.deltas.filter((index) => (steps[index] as { relation?: string } | undefined)?.relation === path);
  }
}

/** Runs the plans of one maintenance on the state before and after the change, and counts what they cost. */

import { EvaluationFault } from '../errors.js';
import { type ClauseTask, costOf, overBudget } from '../evaluate/evaluate.js';
import { type Inputs, rowsOfInput } from '../evaluate/inputs.js';
import { type CoveringPolicy, cover } from '../index/covering.js';
import type { HashIndex } from '../index/hash-index.js';
import { totalsFor } from '../plan/group-totals.js';
import { bindPlan, type Plan } from '../plan/plans.js';
import { isCoverable, type SourceRows, type SourceSpec } from '../plan/sources.js';
import type { Relation } from '../relation/relation.js';
import type { MaintainedTotals } from './maintained-totals.js';
import type { Side } from './plans.js';

/** The state that the relations are in, and what they were made from. */
export interface Before {
  readonly version: number;
  readonly inputs: ReadonlyMap<string, { readonly relation: Relation; readonly version: number }>;
}

/**
 * What work on one fact of these relations costs beside the plans, in rows that a plan visits. A fact lies in arrays far
 * apart, and the more there are the less of them is in caches: 0.25 microseconds of half a million, 0.6 of 2.6 million,
 * where an evaluation takes 0.024 for a row.
 */
export function factCost(relations: ReadonlyMap<string, Relation>): number {
  let facts = 0;
  for (const { end } of relations.values()) facts += end;
  return Math.min(8 + facts / 150_000, 40);
}

/** A change is small that costs no more than this part of what it may: others hardly wait for what could be covered. */
const SMALL_PART = 1 / 8;

/** What binding and starting a plan costs here, in the same. */
const START_COST = 512;

export class Runner {
  readonly inputs: Inputs;
  readonly totals: MaintainedTotals | undefined;
  private readonly relations: ReadonlyMap<string, Relation>;
  private readonly before: Before;
  private readonly costMax: number;
  private readonly factCost: number;
  private cost = 0;
  /** Indexes that plans have read, which covering ones may stand in for. */
  private readonly read = new Map<HashIndex, Relation>();
  /** True once a plan has been left before its end, or has not been run at all: what was found is not all that there is. */
  isStopped = false;

  /** For the component's `relations`. */
  constructor(
    inputs: Inputs,
    relations: ReadonlyMap<string, Relation>,
    before: Before,
    { costMax, totals }: { readonly costMax: number; readonly totals: MaintainedTotals | undefined },
  ) {
    this.inputs = inputs;
    this.relations = relations;
    this.before = before;
    this.costMax = costMax;
    this.totals = totals;
    this.factCost = factCost(relations);
  }

  get isOverrun(): boolean {
    return this.isStopped || this.cost > this.costMax;
  }

  /** What has been done so far, in rows. */
  get spent(): number {
    return this.cost;
  }

  /** True where it would be once as much again has been done. */
  get isHalfway(): boolean {
    return this.isHalfwayFrom(0);
  }

  /** The same of what has been done since so much was. */
  isHalfwayFrom(spent: number): boolean {
    return this.isStopped || (this.cost - spent) * 2 > this.costMax;
  }

  /** Notes that so many facts are looked at. */
  countFacts(count: number): void {
    this.cost += count * this.factCost;
  }

  /** A relation of the component. */
  own(path: string): Relation {
    return this.relations.get(path) as Relation;
  }

  /**
   * Brings what a plan of this clause finds on a side of the change into the target. Stops where all that is done would cost too much.
   * `members` are what it reads as the relations of the component.
   */
  *run(
    task: ClauseTask,
    plan: Plan,
    given: Relation,
    target: Relation,
    side: Side,
    members: ReadonlyMap<string, Relation> = this.relations,
  ): Generator<void, void> {
    this.isStopped = this.isOverrun;
    if (this.isStopped) return;
    const { inputs } = this;
    const { path, number: clause } = task;
    try {
      const { sources, start } = yield* bindPlan(plan, inputs.interner, (spec) => this.resolve(spec, given, members), {
        target,
        factsMax: inputs.factsMax,
        overBudget: () => overBudget(inputs, path),
        outer: {},
        bound: [],
        context: {},
        totals: totalsFor(plan.followed, (each) => this.totals?.sideOf(inputs.program, task, each, side) ?? null),
      });
      for (const [at, { index, relation }] of sources.entries())
        if (index !== null && isCoverable(plan.sources[at] as SourceSpec, relation.arity))
          this.read.set(index, relation);
      // The indexes that were made on the way are there for the next change too.
      this.cost += START_COST;
      const [from, left] = [target.count, this.costMax - this.cost];
      const isTooMuch = (cost: number): boolean => {
        this.isStopped = cost + (target.count - from) * this.factCost > left;
        return this.isStopped;
      };
      this.cost += yield* costOf(start(), undefined, isTooMuch);
    } catch (error) {
      throw error instanceof EvaluationFault ? error.at({ path, clause, span: task.clause.span }) : error;
    }
  }

  /** Has an index cover what was read through it, for changes to come that are as small as this one. */
  *coverWhatIsRead(policy: CoveringPolicy): Generator<void, void> {
    if (this.cost > this.costMax * SMALL_PART) return;
    for (const [index, relation] of this.read) {
      // One at a time, as each takes a good part of evaluating anew.
      if (yield* cover(index, relation, policy)) return;
    }
  }

  private resolve(spec: SourceSpec, given: Relation, members: ReadonlyMap<string, Relation>): SourceRows {
    const { path, role } = spec;
    if (role === 'given') return { relation: given, version: 0, low: 0, high: given.count };
    const own = members.get(path);
    if (own !== undefined) {
      const version = role === 'former' ? this.before.version : this.inputs.version;
      return { relation: own, version, low: 0, high: own.count };
    }
    const before = role === 'before' ? this.before.inputs.get(path) : undefined;
    if (before === undefined) return rowsOfInput(this.inputs, spec);
    return { ...before, low: 0, high: before.relation.count };
  }
}

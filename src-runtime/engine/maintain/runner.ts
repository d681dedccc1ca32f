/** Runs the plans of one maintenance on the state before and after the change, and adds up their cost. */

import { EvaluationFault } from '../errors.js';
import { type ClauseTask, costOf, overBudget } from '../evaluate/evaluate.js';
import { type Inputs, rowsOfInput } from '../evaluate/inputs.js';
import { totalsFor } from '../plan/group-totals.js';
import type { SourceRows, SourceSpec } from '../plan/physical/sources.js';
import { bindPlan, type Plan } from '../plan/plans.js';
import type { Relation } from '../relation/relation.js';
import type { MaintainedTotals } from './maintained-totals.js';
import type { Side } from './plans.js';

/** The state of the relations, and the inputs that they were derived from. */
export interface Before {
  readonly version: number;
  readonly inputs: ReadonlyMap<string, { readonly relation: Relation; readonly version: number }>;
}

/**
 * Cost of work on one fact outside the plans, in rows visited by a plan. Facts are read at random: 0.25 µs each of half
 * a million and 0.6 µs each of 2.6 million, while an evaluation takes 0.024 µs a row.
 */
export function factCost(relations: ReadonlyMap<string, Relation>): number {
  let facts = 0;
  for (const { end } of relations.values()) facts += end;
  return Math.min(8 + facts / 150_000, 40);
}

/** Cost of binding and starting a plan, in rows. */
const START_COST = 512;

export class Runner {
  readonly inputs: Inputs;
  readonly totals: MaintainedTotals | undefined;
  private readonly relations: ReadonlyMap<string, Relation>;
  private readonly before: Before;
  private readonly costMax: number;
  private readonly factCost: number;
  private cost = 0;
  /** True once a plan was stopped or skipped, so that results are incomplete. */
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

  /** The cost so far, in rows. */
  get spent(): number {
    return this.cost;
  }

  /** True if twice the cost so far exceeds the budget. */
  get isHalfway(): boolean {
    return this.isHalfwayFrom(0);
  }

  /** The same for the cost since `spent`. */
  isHalfwayFrom(spent: number): boolean {
    return this.isStopped || (this.cost - spent) * 2 > this.costMax;
  }

  /** Adds the cost of visiting this many facts. */
  countFacts(count: number): void {
    this.cost += count * this.factCost;
  }

  /** A relation of the component. */
  own(path: string): Relation {
    return this.relations.get(path) as Relation;
  }

  /**
   * Runs a plan of this clause on one side of the change and collects its results in the target. Stops if the cost
   * exceeds the budget. `members` stand in for the relations of the component.
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
      const { start } = yield* bindPlan(plan, inputs.interner, (spec) => this.resolve(spec, given, members), {
        target,
        factsMax: inputs.factsMax,
        overBudget: () => overBudget(inputs, path),
        outer: {},
        bound: [],
        context: {},
        totals: totalsFor(plan.followed, (each) => this.totals?.sideOf(inputs.program, task, each, side) ?? null),
      });
      // Indexes made here serve the next change too, so they cost nothing.
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

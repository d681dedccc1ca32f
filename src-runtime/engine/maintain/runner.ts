/** Runs the plans of one maintenance on the state before and after the change, and counts what they cost. */

import { EvaluationFault } from '../errors.js';
import { type ClauseTask, costOf, overBudget } from '../evaluate.js';
import { type Inputs, relationOf } from '../inputs.js';
import { bindPlan, type Plan } from '../plan/plans.js';
import type { SourceRows, SourceSpec } from '../plan/unit.js';
import type { Relation } from '../relation.js';

/** The state that the relations are in, and what they were made from. */
export interface Before {
  readonly version: number;
  readonly inputs: ReadonlyMap<string, { readonly relation: Relation; readonly version: number }>;
}

/** What work on one fact costs beside the plans, in rows that a plan visits. */
export const FACT_COST = 40;

/** What binding and starting a plan costs here, in the same. */
const START_COST = 512;

export class Runner {
  readonly inputs: Inputs;
  private readonly relations: ReadonlyMap<string, Relation>;
  private readonly before: Before;
  private readonly costMax: number;
  private cost = 0;

  /** For the component's `relations`. */
  constructor(
    inputs: Inputs,
    relations: ReadonlyMap<string, Relation>,
    before: Before,
    { costMax }: { readonly costMax: number },
  ) {
    this.inputs = inputs;
    this.relations = relations;
    this.before = before;
    this.costMax = costMax;
  }

  get isOverrun(): boolean {
    return this.cost > this.costMax;
  }

  /** Notes that so many facts are looked at. */
  countFacts(count: number): void {
    this.cost += count * FACT_COST;
  }

  /** A relation of the component. */
  own(path: string): Relation {
    return this.relations.get(path) as Relation;
  }

  /** Brings what a plan of this clause finds into the target. */
  *run(task: ClauseTask, plan: Plan, given: Relation, target: Relation): Generator<void, void> {
    const { inputs } = this;
    const { path, number: clause } = task;
    const own = this.own(path);
    own.coverIdentity();
    try {
      const { start } = yield* bindPlan(plan, inputs.interner, (spec) => this.resolve(spec, given), {
        target,
        factsMax: inputs.factsMax,
        overBudget: () => overBudget(inputs, path),
        outer: {},
        bound: [],
        context: {},
      });
      // The indexes that were made on the way are there for the next change too.
      this.cost += START_COST + (yield* costOf(start()));
    } catch (error) {
      throw error instanceof EvaluationFault ? error.at({ path, clause, span: task.clause.span }) : error;
    }
  }

  private resolve({ path, role }: SourceSpec, given: Relation): SourceRows {
    if (role === 'given') return { relation: given, version: 0, low: 0, high: given.count };
    const own = this.relations.get(path);
    if (own !== undefined) {
      const version = role === 'former' ? this.before.version : this.inputs.version;
      return { relation: own, version, low: 0, high: own.count };
    }
    const before = role === 'before' ? this.before.inputs.get(path) : undefined;
    const { relation, version } = before ?? relationOf(this.inputs, path);
    return { relation, version, low: 0, high: relation.count };
  }
}

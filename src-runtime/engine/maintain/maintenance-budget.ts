/**
 * Decides which changes of a component are maintained, and at what cost a maintenance is abandoned for re-evaluation.
 * Costs are visited rows, approximately.
 *
 * Benchmark: W5 of `npm run bench:engine`. Ten links out of the chain of W5b and in again take 230 ms with a budget, and
 * 1,950 ms if every change is maintained to its end. Five edges into the tree of W5c take 86 ms, and 176 ms if no
 * attempt is skipped. A hundred leaves added to the chain at once take 11.3 ms, and 14.4 ms if that is attempted.
 */

import type { Relation } from '../relation/relation.js';
import { factCost } from './runner.js';

/** The most changes that are re-evaluated without an attempt. */
const SKIPPED_MAX = 7;

/** A change that is smaller by this factor says nothing about the other one. */
const SMALLER_FACTOR = 8;

/**
 * A change is maintained while it costs less than this part of an evaluation, or little. A unit of cost takes
 * maintenance two or three times as long as evaluation, because it reads facts at random. A failed attempt takes a
 * quarter of an evaluation.
 */
const COST_PART = 0.08;

/** The same for an attempt that also has to prepare indexes, which takes about 0.15 of an evaluation. */
const UNPREPARED_COST_PART = 0.04;

/** An evaluation that maintenance is weighed against. */
interface Evaluated {
  readonly relations: ReadonlyMap<string, Relation>;
  /** Of the evaluation. */
  readonly cost: number;
}

export class MaintenanceBudget {
  /** A maintenance may always cost this much. */
  private readonly costMin: number;
  /** Consecutive attempts that cost too much. */
  private overruns = 0;
  /** Changes to re-evaluate before the next attempt. */
  private untilNextAttempt = 0;
  /** Changed input rows of the last attempt. */
  private overrunBy = 0;

  constructor(costMin: number) {
    this.costMin = costMin;
  }

  /** Takes over the estimates of another budget. */
  shareWith({ overruns, untilNextAttempt, overrunBy }: MaintenanceBudget): void {
    this.overruns = overruns;
    this.untilNextAttempt = untilNextAttempt;
    this.overrunBy = overrunBy;
  }

  /**
   * After consecutive attempts that cost too much, the next ones are likely to fail too, and are skipped. A change that
   * is much smaller than the failed one is always attempted, for example after an import.
   */
  isWorthAttempting(changed: number): boolean {
    return this.untilNextAttempt === 0 || changed * SMALLER_FACTOR <= this.overrunBy;
  }

  noteAttempt(isDone: boolean, changed: number): void {
    this.overruns = isDone ? 0 : this.overruns + 1;
    this.untilNextAttempt = Math.min(SKIPPED_MAX, this.overruns);
    this.overrunBy = changed;
  }

  /** After an evaluation without an attempt. A change of many facts would have cost maintenance too much as well. */
  noteSkipped({ relations, cost }: Evaluated, sizeBefore: (path: string) => number): void {
    let changed = 0;
    for (const [path, { count }] of relations) changed += Math.abs(count - sizeBefore(path));
    if (changed * factCost(relations) <= this.costMax(cost, COST_PART)) this.untilNextAttempt -= 1;
  }

  /** The limit for the next change. */
  costMaxOf({ cost, relations }: Evaluated): number {
    const isPrepared = [...relations.values()].every(({ versioned }) => versioned);
    return this.costMax(cost, isPrepared ? COST_PART : UNPREPARED_COST_PART);
  }

  /** False if so many input rows have changed that maintenance would have to cost less for each than evaluation did. */
  isInProportion(evaluated: Evaluated, changed: number, rows: number): boolean {
    return changed * evaluated.cost <= this.costMaxOf(evaluated) * rows;
  }

  /** The limit of a change, given the cost of evaluation. */
  private costMax(cost: number, part: number): number {
    return Math.max(this.costMin, cost * part);
  }
}

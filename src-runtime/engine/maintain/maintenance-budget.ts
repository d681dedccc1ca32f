/** Which changes of a component are maintained, and what that may cost before it is evaluated anew instead. Costs are rows that are visited, about. */

import type { Relation } from '../relation/relation.js';
import { factCost } from './runner.js';

/** Changes that are evaluated anew without a try, at most. */
const TRIES_LEFT_OUT = 7;

/** How many times as many rows a change has that says nothing of another one. */
const MUCH_SMALLER = 8;

/**
 * A change is maintained as long as it costs less than this part of evaluating anew, or little. What a cost stands for takes
 * maintenance two or three times as long as an evaluation, as it reads facts from all over: a try in vain takes a quarter of one.
 */
const COST_PART = 0.08;

/** The same of a try that also waits for what maintenance reads to be made, which takes about 0.15. */
const UNPREPARED_COST_PART = 0.04;

/** What has been evaluated, as far as its maintenance is weighed. */
interface Evaluated {
  readonly relations: ReadonlyMap<string, Relation>;
  /** Of the evaluation. */
  readonly cost: number;
}

export class MaintenanceBudget {
  /** What a maintenance may cost in any case. */
  private readonly costMin: number;
  /** Maintenances in a row that have cost too much. */
  private overruns = 0;
  /** How many changes are evaluated anew before maintenance is tried again. */
  private untilNextTry = 0;
  /** Rows of what the component reads that the last change that was tried has changed. */
  private overrunBy = 0;

  constructor(costMin: number) {
    this.costMin = costMin;
  }

  /** Goes on from what another one has learnt. */
  shareWith({ overruns, untilNextTry, overrunBy }: MaintenanceBudget): void {
    this.overruns = overruns;
    this.untilNextTry = untilNextTry;
    this.overrunBy = overrunBy;
  }

  /**
   * Where change after change has cost too much, the next ones are likely to, and what a try takes is spared. A change that
   * is much smaller than the one that has cost too much is always tried, as are those that follow an import.
   */
  isWorthATry(changed: number): boolean {
    return this.untilNextTry === 0 || changed * MUCH_SMALLER <= this.overrunBy;
  }

  noteTry(isDone: boolean, changed: number): void {
    this.overruns = isDone ? 0 : this.overruns + 1;
    this.untilNextTry = Math.min(TRIES_LEFT_OUT, this.overruns);
    this.overrunBy = changed;
  }

  /** Of a change that was evaluated anew without a try. One that has made or taken away many facts would have been no better. */
  noteLeftOut({ relations, cost }: Evaluated, sizeBefore: (path: string) => number): void {
    let changed = 0;
    for (const [path, { count }] of relations) changed += Math.abs(count - sizeBefore(path));
    if (changed * factCost(relations) <= this.costMax(cost, COST_PART)) this.untilNextTry -= 1;
  }

  /** What the next change may cost. */
  costMaxOf({ cost, relations }: Evaluated): number {
    const isPrepared = [...relations.values()].every(({ versioned }) => versioned);
    return this.costMax(cost, isPrepared ? COST_PART : UNPREPARED_COST_PART);
  }

  /** False where so many of the rows that it reads have changed that each has to cost less than it did to evaluate. */
  isInProportion(evaluated: Evaluated, changed: number, rows: number): boolean {
    return changed * evaluated.cost <= this.costMaxOf(evaluated) * rows;
  }

  /** What a change may cost, given what evaluating anew does. */
  private costMax(cost: number, part: number): number {
    return Math.max(this.costMin, cost * part);
  }
}

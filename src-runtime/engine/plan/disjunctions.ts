/**
 * Disjunctions between what is joined: instead of testing them for every pair, a plan joins by each of their operands, one after the
 * other, where that is expected to be cheaper by far.
 */

import type { Scope } from './expressions.js';
import {
  alternativesOf,
  isFaultableStep,
  type NormalCondition,
  operandsOf,
  type Step,
  type TestStep,
} from './normalise.js';
import { costOfOrder, orderInput } from './order.js';
import type { Join, Unit } from './unit.js';

/** How much dearer a disjunction that is tested for every pair has to be than to join by each of its operands. */
const DEARER = 4;

/**
 * Ways to hold that a plan has at most, over all the disjunctions that it joins by. Each is a copy of the rest of the body, and
 * several disjunctions multiply. The others are tested.
 */
export const ALTERNATIVES_MAX = 32;

/** Disjunctions that are compared. Ordering a body once for each operand of each of them takes long where there are many. */
const COMPARED_MAX = 8;

/** Those of the disjunction by which the condition comes cheapest, where that is cheaper by far than to test it. */
export function cheaperAlternatives(
  unit: Unit,
  condition: NormalCondition,
  outer: Scope,
  first: number,
  most: number,
): readonly NormalCondition[] | undefined {
  const { program } = unit;
  const isOpen = (step: Step): step is TestStep =>
    step.kind === 'test' &&
    step.condition.op === 'or' &&
    operandsOf(step.condition).length <= most &&
    !isFaultableStep(program, step);
  const tests = condition.steps.filter(isOpen).slice(0, COMPARED_MAX);
  if (tests.length === 0) return undefined;
  const given = condition.steps[first] as Step;
  const costOf = (each: NormalCondition): number =>
    costOfOrder(orderInput(unit, each, outer.keys(), each.steps.indexOf(given)));
  let least = costOf(condition) / DEARER;
  let cheapest: readonly NormalCondition[] | undefined;
  for (const test of tests) {
    const alternatives = alternativesOf(program, condition, test);
    const cost = alternatives.reduce((sum, each) => sum + costOf(each), 0);
    if (cost < least) [least, cheapest] = [cost, alternatives];
  }
  return cheapest;
}

/** Source that runs one after the other, and how each of them joins. */
export function eitherOf(unit: Unit, alternatives: readonly (() => string)[]): string {
  const { joins } = unit.frame;
  const before = joins.length;
  const all: Join[][] = [];
  const sources = alternatives.map((write) => {
    const source = write();
    all.push(joins.splice(before));
    return `{ ${source} }`;
  });
  joins.push({ kind: 'either', alternatives: all });
  return sources.join('\n');
}

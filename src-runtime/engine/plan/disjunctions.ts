/**
 * Decides whether to join by each operand of a disjunction, one after the other, or to test it. Joins only if that
 * should be much cheaper.
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

/** Joining by each operand has to be cheaper than testing every pair by this factor. */
const DEARER = 4;

/**
 * Alternatives that a plan has at most, over all its disjunctions. Each copies the rest of the body, and several
 * disjunctions multiply. Further disjunctions are tested.
 */
export const ALTERNATIVES_MAX = 32;

/**
 * Disjunctions that are compared. Ordering a body once for each operand of each of them takes long if there are many.
 */
const COMPARED_MAX = 8;

/** The alternatives of the disjunction that make the condition cheapest, if that is much cheaper than testing it. */
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

/** Source that runs one alternative after the other, and how each of them joins. */
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

/** Runs steps of a normalised condition one at a time: whether one can run under bindings, and what it finds. */

import type { Condition, Expression, Literal, Type } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import type { Inputs } from '../evaluate/inputs.js';
import type { Step } from '../plan/normalise.js';
import { stepVariables } from '../plan/variables.js';
import { partsOf } from '../program/reads.js';
import { type CodeBindings, findBindings, NotAsked } from './search.js';

/** True if everything that it reads is bound. Outer variables are those without an entry in `types`. */
export function isReady(step: Step, bindings: CodeBindings, types: ReadonlyMap<string, Type>): boolean {
  return [...stepVariables(step).needs].every((name) => bindings.has(name) || !types.has(name));
}

/** The bindings extended by the step's variables; none if it is false, faults or would need whole rules. For a let, an each or a test. */
export function* solveStep(
  inputs: Inputs,
  step: Step,
  bindings: CodeBindings,
  types: ReadonlyMap<string, Type>,
  most: number,
): Generator<void, CodeBindings[]> {
  const { needs, binds } = stepVariables(step);
  const bound = new Map([...bindings].filter(([name]) => needs.has(name) || binds.has(name)));
  const condition = conditionFor(
    step,
    [...binds].filter((name) => !bound.has(name)),
    types,
  );
  if (condition === undefined) return [];
  try {
    const found = yield* findBindings(inputs, condition, bound, types, { most });
    return Array.from(
      { length: Math.min(found.count, most) },
      (_, index) => new Map([...bindings, ...found.at(index)]),
    );
  } catch (error) {
    if (error instanceof EvaluationFault || error instanceof NotAsked) return [];
    throw error;
  }
}

export function readsFacts(expression: Expression): boolean {
  return ['field', 'navigate', 'aggregate'].includes(expression.op) || partsOf(expression).some(readsFacts);
}

/** Cached for their plans, by whether the step has a variable to bind. */
const OPEN = new WeakMap<Step, Condition>();
const CLOSED = new WeakMap<Step, Condition>();

function conditionFor(step: Step, open: readonly string[], types: ReadonlyMap<string, Type>): Condition | undefined {
  const conditions = open.length > 0 ? OPEN : CLOSED;
  const known = conditions.get(step);
  if (known !== undefined) return known;
  const literal = literalOf(step);
  if (literal === undefined) return undefined;
  const variables = open.flatMap((name) => {
    const type = types.get(name);
    return type === undefined ? [] : [{ name, type }];
  });
  const condition = { variables, literals: [literal] };
  conditions.set(step, condition);
  return condition;
}

function literalOf(step: Step): Literal | undefined {
  const common = { text: '', span: { file: '', start: NOWHERE, end: NOWHERE } };
  switch (step.kind) {
    case 'test':
      return { op: 'test', condition: step.condition, ...common };
    case 'let':
      return { op: 'let', variable: step.variable, value: step.value, ...common };
    case 'each':
      return { op: 'each', variable: step.variable, in: step.in, ...common };
    default:
      return undefined;
  }
}

const NOWHERE = { line: 1, column: 1, offset: 0 };

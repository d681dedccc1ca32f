/** The value of an expression of a rule body under bindings, as a code. */

import type { Condition, Expression, Type } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import type { Inputs } from '../evaluate/inputs.js';
import { type CodeBindings, findBindings, NotAsked } from './search.js';

/** What an expression reads. */
export interface ValueSources {
  readonly inputs: Inputs;
  readonly bindings: CodeBindings;
  readonly types: ReadonlyMap<string, Type>;
}

const VALUE = '$value';

/** Conditions that compute an expression's value, cached for their plans. */
const CONDITIONS = new WeakMap<Expression, Condition>();

/** Null if it is absent, undefined if it faults or would need whole rules. */
export function* codeOf(
  { inputs, bindings, types }: ValueSources,
  expression: Expression,
  type: Type,
): Generator<void, number | null | undefined> {
  if (expression.op === 'variable') return bindings.get(expression.name) ?? null;
  try {
    const bound = new Map([...bindings].filter(([name]) => name !== VALUE));
    const found = yield* findBindings(inputs, valueCondition(expression, type), bound, types);
    return found.count === 0 ? null : (found.at(0).get(VALUE) ?? null);
  } catch (error) {
    if (error instanceof EvaluationFault || error instanceof NotAsked) return undefined;
    throw error;
  }
}

/** The type of a read or variable; undefined if that takes more than a lookup. */
export function typeOf(inputs: Inputs, read: Expression, types: ReadonlyMap<string, Type>): Type | undefined {
  const { relations } = inputs.program;
  if (read.op === 'variable') return types.get(read.name);
  if (read.op === 'field') return relations.get(read.field)?.endpoints[1]?.type;
  if (read.op === 'navigate') return read.many ? undefined : relations.get(read.relation)?.endpoints[read.read]?.type;
  return read.op === 'aggregate' ? read.result : undefined;
}

function valueCondition(expression: Expression, type: Type): Condition {
  const known = CONDITIONS.get(expression);
  if (known !== undefined) return known;
  const span = { file: '', start: NOWHERE, end: NOWHERE };
  const condition: Condition = {
    variables: [{ name: VALUE, type }],
    literals: [{ op: 'let', variable: VALUE, value: expression, text: '', span }],
  };
  CONDITIONS.set(expression, condition);
  return condition;
}

const NOWHERE = { line: 1, column: 1, offset: 0 };

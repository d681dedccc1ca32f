/** Conditions and expressions outside rules, on one view: queries, requirements, messages, conditions of mutations. */

import type { Condition, Expression, Type } from '../artifact/types.js';
import { invariant } from '../base/invariant.js';
import type { Pacer } from '../base/ports.js';
import { drive } from './drive.js';
import { EvaluationFault } from './errors.js';
import { functionOf, isLong, isLongFunction, longFunctionOf } from './functions.js';
import { type Inputs, readAs, rowsOfInput } from './inputs.js';
import { wireBindings } from './plan/bindings.js';
import {
  codedNames,
  compileCondition,
  compileExpression,
  type OuterTypes,
  type Plan,
  startPlan,
} from './plan/plans.js';
import { compileLong, compilePure, type PureFunction } from './plan/pure.js';
import { BLOCK_ROWS, emptyRuntime } from './plan/unit.js';
import { type EngineProgram, engineProgram } from './program.js';
import { noReads, readsOfCondition, readsOfExpression } from './reads.js';
import { Relation } from './relation.js';
import { StoreView } from './store-view.js';
import type { Bindings, Program, Solution, Surroundings, View } from './types.js';
import type { Value } from './values/value.js';

/** Solutions a batch, at most. */
const BATCH_SIZE = 1024;

/**
 * Solutions that are remembered. Where there are more, one that is found in two ways may come twice, so that memory does not
 * grow with their number.
 */
const REMEMBERED_MAX = 500_000;

/** Finds every solution in natural order. Rules that the condition reads are materialised first. */
export async function* solve(
  view: View,
  condition: Condition,
  bound: Bindings,
  surroundings: Surroundings,
  pacer: Pacer,
): AsyncGenerator<readonly Solution[], void, undefined> {
  const search = await startSearch(view, condition, bound, surroundings, pacer, false);
  let taken = 0;
  for (;;) {
    const step = search.work.next();
    const isFull = search.found.count >= REMEMBERED_MAX;
    while (search.found.count > taken && (step.done === true || isFull || search.found.count - taken >= BATCH_SIZE)) {
      const end = Math.min(search.found.count, taken + BATCH_SIZE);
      yield solutions(view, condition, search.found, taken, end);
      taken = end;
    }
    if (isFull) {
      search.found.clear();
      taken = 0;
    }
    if (step.done === true) return;
    const pause = pacer.poll();
    if (pause !== undefined) await pause;
  }
}

/** The first solution in natural order, without looking for the others. */
export async function firstSolution(
  view: View,
  condition: Condition,
  bound: Bindings,
  surroundings: Surroundings,
  pacer: Pacer,
): Promise<Solution | undefined> {
  const { work, found } = await startSearch(view, condition, bound, surroundings, pacer, true);
  for (;;) {
    const step = work.next();
    if (found.count > 0) return solutions(view, condition, found, 0, 1)[0];
    if (step.done === true) return undefined;
    const pause = pacer.poll();
    if (pause !== undefined) await pause;
  }
}

/** Evaluates one expression. Throws EvaluationFault. */
export async function evaluateExpression(
  view: View,
  expression: Expression,
  bound: Bindings,
  surroundings: Surroundings,
  pacer: Pacer,
): Promise<Value> {
  const { types, values } = splitBindings(bound);
  const evaluate = await prepareExpression(view, expression, types, surroundings, pacer);
  return await evaluate(values);
}

/**
 * Makes an expression ready for many evaluations on the state that the view has now. A promise comes back only where the
 * evaluation had to pause, and must be awaited before the next one starts.
 */
export async function prepareExpression(
  view: View,
  expression: Expression,
  variables: OuterTypes,
  surroundings: Surroundings,
  pacer: Pacer,
): Promise<(values: Readonly<Record<string, Value>>) => Value | Promise<Value>> {
  if (expression.op === 'variable' && variables[expression.name] !== undefined) {
    const { name } = expression;
    return (values) => values[name] ?? null;
  }
  const engineView = engineViewOf(view);
  const { program, interner } = engineView;
  const inputs = await engineView.inputsFor(readsOfExpression(program, expression, noReads()).relations, pacer);
  const plan = expressionPlan(inputs, expression, variables);
  const names = codedNames(variables);
  const runtime = { ...emptyRuntime(interner), context: surroundings.context ?? {} };
  return (values) => {
    const bound = names.map((name) => interner.encode(variables[name] as Type, values[name] ?? null));
    const work = startPlan(plan, interner, (spec) => rowsOfInput(inputs, spec), { ...runtime, bound, outer: values });
    const step = work.next();
    return step.done === true ? step.value : drive(work, pacer);
  };
}

/** An expression that reads neither facts nor context. Never pauses, so that what takes long is a fault. Throws EvaluationFault. */
export function evaluatePure(program: Program, expression: Expression, bound: Bindings): Value {
  const { types, values } = splitBindings(bound);
  const variables = Object.entries(types).map(([name, type]) => ({ name, type }));
  try {
    return pureFunction(engineProgram(program), expression, variables)(values);
  } catch (error) {
    if (!(error instanceof EvaluationFault) || error.path !== null) throw error;
    throw error.under(wireBindings(variables, Object.values(values)));
  }
}

function pureFunction(
  program: EngineProgram,
  expression: Expression,
  variables: readonly { readonly name: string; readonly type: Type }[],
): PureFunction {
  const key = variables.map(({ name, type }) => `${name}: ${JSON.stringify(type)}`).join();
  return cached(PURE, expression, key, () => {
    if (!isLong(program, expression)) return compilePure(program, expression, variables);
    const run = compileLong(program, expression, variables);
    return (values) => {
      const work = run(values);
      for (let blocks = 0; blocks < PURE_BLOCKS_MAX; blocks++) {
        const step = work.next();
        if (step.done === true) return step.value;
      }
      throw new EvaluationFault('fault', `it counts through more than ${PURE_BLOCKS_MAX * BLOCK_ROWS} values`);
    };
  });
}

/** Some tens of milliseconds. */
const PURE_BLOCKS_MAX = 256;

/** The Text of a message: a part that is none prints nothing. */
export async function evaluateMessage(
  view: View,
  message: Expression,
  bound: Bindings,
  surroundings: Surroundings,
  pacer: Pacer,
): Promise<string> {
  const parts = message.op === 'concat' ? message.operands : [message];
  const texts: string[] = [];
  for (const part of parts)
    texts.push(String((await evaluateExpression(view, part, bound, surroundings, pacer)) ?? ''));
  return texts.join('');
}

/** Calls a declared function. Throws EvaluationFault. */
export async function callFunction(
  program: Program,
  path: string,
  args: readonly Value[],
  pacer: Pacer,
): Promise<Value> {
  const own = engineProgram(program);
  if (!isLongFunction(own, path)) return functionOf(own, path)(...args);
  return await drive(longFunctionOf(own, path)(...args), pacer);
}

export function engineViewOf(view: View): StoreView {
  invariant(view instanceof StoreView, 'a view comes from a FactStore');
  return view;
}

interface Search {
  readonly work: Generator<void, Value>;
  /** Rows of the condition's variables. */
  readonly found: Relation;
}

async function startSearch(
  view: View,
  condition: Condition,
  bound: Bindings,
  surroundings: Surroundings,
  pacer: Pacer,
  pauses: boolean,
): Promise<Search> {
  const engineView = engineViewOf(view);
  const { program } = engineView;
  const inputs = await engineView.inputsFor(readsOfCondition(program, condition, noReads()).relations, pacer);
  const { types, values } = splitBindings(bound);
  const plan = conditionPlan(inputs, condition, types, pauses);
  return startSearchOn(inputs, condition, plan, types, values, surroundings);
}

function startSearchOn(
  inputs: Inputs,
  condition: Condition,
  plan: Plan,
  types: OuterTypes,
  values: Readonly<Record<string, Value>>,
  surroundings: Surroundings,
): Search {
  const { interner } = inputs;
  const found = Relation.plain(condition.variables.length);
  const work = startPlan(plan, interner, (spec) => rowsOfInput(inputs, spec), {
    target: found,
    factsMax: inputs.factsMax,
    overBudget: () => {
      throw new EvaluationFault('factBudget', `more than ${inputs.factsMax} solutions`);
    },
    outer: values,
    bound: codedNames(types).map((name) => interner.encode(types[name] as Type, values[name] ?? null)),
    context: surroundings.context ?? {},
  });
  return { work, found };
}

function solutions(view: View, condition: Condition, found: Relation, from: number, to: number): Solution[] {
  const rows: Solution[] = [];
  for (let row = from; row < to; row++) {
    const solution: Record<string, Value> = Object.create(null);
    for (const [column, { name, type }] of condition.variables.entries()) {
      solution[name] = view.interner.decode(type, found.rows[row * found.arity + column] ?? 0);
    }
    rows.push(solution);
  }
  return rows;
}

const CONDITIONS = new WeakMap<object, Map<string, Plan>>();
const EXPRESSIONS = new WeakMap<object, Map<string, Plan>>();
const PURE = new WeakMap<object, Map<string, PureFunction>>();

function conditionPlan(inputs: Inputs, condition: Condition, types: OuterTypes, pauses: boolean): Plan {
  const { program } = inputs;
  const { key, access } = readAs(inputs, readsOfCondition(program, condition, noReads()).relations);
  return cached(CONDITIONS, condition, `${pauses} ${JSON.stringify(types)} ${key}`, () =>
    compileCondition(program, condition, types, access, pauses),
  );
}

function expressionPlan(inputs: Inputs, expression: Expression, types: OuterTypes): Plan {
  const { program } = inputs;
  const { key, access } = readAs(inputs, readsOfExpression(program, expression, noReads()).relations);
  return cached(EXPRESSIONS, expression, `${JSON.stringify(types)} ${key}`, () =>
    compileExpression(program, expression, types, access),
  );
}

/** Bodies are parts of their artifact, so what was made for one lives as long as the artifact does. */
function cached<T>(cache: WeakMap<object, Map<string, T>>, body: object, key: string, make: () => T): T {
  const made = cache.get(body) ?? new Map<string, T>();
  cache.set(body, made);
  const known = made.get(key);
  if (known !== undefined) return known;
  const value = make();
  made.set(key, value);
  return value;
}

function splitBindings(bound: Bindings): { types: Record<string, Type>; values: Record<string, Value> } {
  const types: Record<string, Type> = {};
  const values: Record<string, Value> = Object.create(null);
  for (const [name, { type, value }] of Object.entries(bound)) {
    types[name] = type;
    values[name] = value;
  }
  return { types, values };
}

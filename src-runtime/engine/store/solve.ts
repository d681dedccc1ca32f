/**
 * Evaluates conditions and expressions outside rules on one view: queries, requirements, messages, and conditions of
 * mutations.
 */

import type { Condition, Expression, Type } from '../../artifact/types.js';
import { bareRecord } from '../../base/bare-record.js';
import { invariant } from '../../base/invariant.js';
import { andThen, type Deadline, type MaybePromise } from '../../base/ports.js';
import { NO_SPAN } from '../demand/rewrite.js';
import { EvaluationFault } from '../errors.js';
import { type Inputs, readAs, rowsOfInput } from '../evaluate/inputs.js';
import { wireBindings } from '../plan/bindings.js';
import { functionOf, isLongFunction, longFunctionOf } from '../plan/functions.js';
import { type Goal, wantedOf } from '../plan/goal.js';
import { VALUE } from '../plan/normalise.js';
import { cached, keyOfTypes, typesOf, valuesOf } from '../plan/outer-variables.js';
import { type BoundPlan, bindPlan, codedNames, compileExpression, type OuterTypes, type Plan } from '../plan/plans.js';
import { pureFunction } from '../plan/pure-functions.js';
import { emptyRuntime } from '../plan/unit.js';
import { requireForm } from '../program/forms.js';
import { engineProgram } from '../program/program.js';
import { noReads, readsOfExpression } from '../program/reads.js';
import { awaited, drive } from '../scheduling/drive.js';
import type { Bindings, ExpressionContext, Program, Solution, View } from '../types.js';
import type { Interner, PassingInterner } from '../values/codec.js';
import type { Value } from '../values/value.js';
import { inputsForQuestion } from './questions.js';
import { giveBack, NO_VALUES, type Search, startSearch } from './search.js';
import { StoreView } from './store-view.js';

/** Solutions in a batch, at most. */
const BATCH_SIZE = 1024;

/**
 * Remembered solutions. Beyond this, a solution found in two ways may be returned twice, so that memory stays bounded.
 */
const REMEMBERED_MAX = 500_000;

/** Finds every solution in natural order. Materialises the rules that the condition reads. */
export async function* solve(
  view: View,
  condition: Goal,
  bound: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): AsyncGenerator<readonly Solution[], void, undefined> {
  for (const step of solveAtOnce(view, condition, bound, expressionContext, deadline)) {
    if (step instanceof Promise) await step;
    else yield step;
  }
}

/** The same without waiting for results that are available at once: await a yielded promise before the next step. */
export function solveAtOnce(
  view: View,
  condition: Goal,
  bound: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Generator<readonly Solution[] | Promise<void>, void, undefined> {
  return searching(view, condition, bound, expressionContext, deadline, solutions);
}

/** Solutions as codes of the wanted variables, row by row. */
export interface CodedSolutions {
  readonly codes: Int32Array;
  /** The same for all solutions of a search. */
  readonly interner: Interner;
}

/** The same as codes, which costs less than values if there are many. */
export function solveCodes(
  view: View,
  condition: Goal,
  bound: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Generator<CodedSolutions | Promise<void>, void, undefined> {
  return searching(view, condition, bound, expressionContext, deadline, codedSolutions);
}

/** Takes the solutions from one row of the result set to another. */
type Taking<T> = (search: Search, condition: Goal, from: number, to: number) => T;

function* searching<T>(
  view: View,
  condition: Goal,
  bound: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
  take: Taking<T>,
): Generator<T | Promise<void>, void, undefined> {
  const started = startSearch(engineViewOf(view), condition, bound, expressionContext, deadline, false);
  const { search, work } = started instanceof Promise ? yield* awaited(started) : started;
  const { found } = search;
  let taken = 0;
  for (;;) {
    const step = work.next();
    const isFull = found.count >= REMEMBERED_MAX;
    while (found.count > taken && (step.done === true || isFull || found.count - taken >= BATCH_SIZE)) {
      const end = Math.min(found.count, taken + BATCH_SIZE);
      yield take(search, condition, taken, end);
      taken = end;
    }
    if (isFull) {
      found.clear();
      taken = 0;
    }
    if (step.done === true) {
      giveBack(search);
      return;
    }
    const pause = deadline.checkpoint();
    if (pause !== undefined) yield pause;
  }
}

/** The first solution in natural order. Does not look for others. */
export async function firstSolution(
  view: View,
  condition: Condition,
  bound: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Promise<Solution | undefined> {
  const { search, work } = await startSearch(engineViewOf(view), condition, bound, expressionContext, deadline, true);
  const { found } = search;
  for (;;) {
    const step = work.next();
    if (found.count > 0) return solutions(search, condition, 0, 1)[0];
    if (step.done === true) return undefined;
    const pause = deadline.checkpoint();
    if (pause !== undefined) await pause;
  }
}

/** Evaluates one expression. Throws EvaluationFault. */
export async function evaluateExpression(
  view: View,
  expression: Expression,
  bound: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Promise<Value> {
  const evaluate = await prepared(view, expression, typesOf(bound), expressionContext, deadline, bound);
  return await evaluate(valuesOf(bound));
}

/** Evaluates with values of its variables. Await a promise before the next evaluation starts. */
export type PreparedExpression = (values: Readonly<Record<string, Value>>) => MaybePromise<Value>;

/** Prepares an expression for many evaluations on the view's present state. */
export function prepareExpression(
  view: View,
  expression: Expression,
  variables: OuterTypes,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): MaybePromise<PreparedExpression> {
  return prepared(view, expression, variables, expressionContext, deadline);
}

/** With `bound`, for one evaluation with these values. */
function prepared(
  view: View,
  expression: Expression,
  variables: OuterTypes,
  expressionContext: ExpressionContext,
  deadline: Deadline,
  bound?: Bindings,
): MaybePromise<PreparedExpression> {
  requireForm('expression', expression);
  if (expression.op === 'variable' && variables[expression.name] !== undefined) {
    const { name } = expression;
    return (values) => values[name] ?? null;
  }
  const own = engineViewOf(view);
  return (
    prepareField(own, expression, variables, deadline) ??
    preparePlan(own, expression, variables, expressionContext, deadline, bound)
  );
}

/** A field of a variable in a committed state: a lookup is cheaper than starting a plan. */
function prepareField(
  view: StoreView,
  expression: Expression,
  variables: OuterTypes,
  deadline: Deadline,
): MaybePromise<PreparedExpression> | undefined {
  if (view.cache === null || expression.op !== 'field' || expression.of.op !== 'variable') return undefined;
  const { program, interner } = view;
  const { name } = expression.of;
  const type = program.relations.get(expression.field)?.endpoints[1]?.type;
  if (type === undefined || variables[name]?.kind !== 'class' || program.isRule(expression.field)) return undefined;
  const reader = view.stored(expression.field);
  const evaluate: PreparedExpression = (values) => {
    const id = values[name] ?? null;
    return id === null ? null : interner.decode(type, reader.codeOf(interner.encodeIndividual(id as string)));
  };
  return andThen(reader.prepare([0], deadline), () => evaluate);
}

function preparePlan(
  view: StoreView,
  expression: Expression,
  variables: OuterTypes,
  expressionContext: ExpressionContext,
  deadline: Deadline,
  bound: Bindings | undefined,
): MaybePromise<PreparedExpression> {
  const known = view.cache?.expressions.get(expression);
  if (known !== undefined && !known.interner.isFull && isSame(known.types, variables)) {
    return evaluationOf(known, expressionContext, deadline);
  }
  const { program, cache } = view;
  const { relations: reads } = readsOfExpression(program, expression, noReads());
  const bind = (inputs: Inputs): MaybePromise<PreparedExpression> => {
    const interner = inputs.interner.passing();
    const plan = expressionPlan(inputs, reads, expression, variables);
    const work = bindPlan(plan, interner, (spec) => rowsOfInput(inputs, spec), emptyRuntime(interner));
    return andThen(drive(work, deadline), (plan) => {
      const made: BoundExpression = { plan, interner, types: variables, names: codedNames(variables) };
      if (inputs.isPart !== true) cache?.expressions.set(expression, made);
      return evaluationOf(made, expressionContext, deadline);
    });
  };
  const inputs =
    bound === undefined
      ? view.inputsFor(reads, deadline)
      : inputsForQuestion(view, { condition: asCondition(expression), reads, bound }, deadline);
  return andThen(inputs, bind);
}

const VALUES = new WeakMap<Expression, Condition>();

/** A condition that asks for what the expression reads. */
function asCondition(expression: Expression): Condition {
  const known = VALUES.get(expression) ?? {
    variables: [],
    literals: [{ op: 'let', variable: VALUE, value: expression, text: '', span: NO_SPAN }],
  };
  VALUES.set(expression, known);
  return known;
}

/** A plan for an expression, bound to its sources in one state. It can be started again while a run is under way. */
export interface BoundExpression {
  readonly plan: BoundPlan;
  readonly interner: PassingInterner;
  /** Types of the variables that it was made for. */
  readonly types: OuterTypes;
  /** Variables with codes. */
  readonly names: readonly string[];
}

function evaluationOf(
  { plan, interner, types, names }: BoundExpression,
  { context = NO_VALUES }: ExpressionContext,
  deadline: Deadline,
): PreparedExpression {
  return (values) => {
    const codes = names.map((name) => interner.encode(types[name] as Type, values[name] ?? null));
    return drive(plan.startWith(values, codes, context), deadline);
  };
}

/**
 * Evaluates an expression that reads neither facts nor context. It cannot pause, so running long is a fault. Throws
 * EvaluationFault.
 */
export function evaluatePure(program: Program, expression: Expression, bound: Bindings): Value {
  const values = valuesOf(bound);
  const variables = Object.entries(bound).map(([name, { type }]) => ({ name, type }));
  try {
    return pureFunction(engineProgram(program), expression, variables)(values);
  } catch (error) {
    if (!(error instanceof EvaluationFault) || error.path !== null) throw error;
    throw error.under(wireBindings(variables, Object.values(values)));
  }
}

/** The text of a message. A missing value prints nothing. */
export async function evaluateMessage(
  view: View,
  message: Expression,
  bound: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Promise<string> {
  requireForm('expression', message);
  const parts = message.op === 'concat' ? message.operands : [message];
  const texts: string[] = [];
  for (const part of parts)
    texts.push(String((await evaluateExpression(view, part, bound, expressionContext, deadline)) ?? ''));
  return texts.join('');
}

/** Calls a declared function. Throws EvaluationFault. */
export async function callFunction(
  program: Program,
  path: string,
  args: readonly Value[],
  deadline: Deadline,
): Promise<Value> {
  const own = engineProgram(program);
  if (!isLongFunction(own, path)) return functionOf(own, path)(...args);
  return await drive(longFunctionOf(own, path)(...args), deadline);
}

export function engineViewOf(view: View): StoreView {
  invariant(view instanceof StoreView, 'a view comes from a FactStore');
  return view;
}

function solutions({ interner, found }: Search, condition: Goal, from: number, to: number): Solution[] {
  const wanted = wantedOf(condition);
  const rows: Solution[] = [];
  for (let row = from; row < to; row++) {
    const solution = bareRecord<Value>();
    for (const [column, { name, type }] of wanted.entries()) {
      solution[name] = interner.decode(type, found.rows[row * found.arity + column] ?? 0);
    }
    rows.push(solution);
  }
  return rows;
}

function codedSolutions({ interner, found }: Search, _condition: Goal, from: number, to: number): CodedSolutions {
  return { codes: found.rows.slice(from * found.arity, to * found.arity), interner };
}

const EXPRESSIONS = new WeakMap<object, Map<string, Plan>>();

function expressionPlan(inputs: Inputs, reads: ReadonlySet<string>, expression: Expression, types: OuterTypes): Plan {
  const { key, access } = readAs(inputs, reads);
  return cached(EXPRESSIONS, expression, `${keyOfTypes(types)}${key}`, () =>
    compileExpression(inputs.program, expression, types, access),
  );
}

function isSame(types: OuterTypes, others: OuterTypes): boolean {
  for (const name in others) if (types[name] !== others[name]) return false;
  for (const name in types) if (others[name] === undefined) return false;
  return true;
}

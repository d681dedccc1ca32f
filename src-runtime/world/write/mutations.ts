/** Runs a mutation's statements, in order, on an open transaction. */

import { ApiError } from '../../api/errors.js';
import type {
  Condition,
  Expression,
  FunctionDeclaration,
  MutationDeclaration,
  QueryBody,
  QueryDeclaration,
  Statement,
  Type,
} from '../../artifact/types.js';
import { withMember } from '../../base/bare-record.js';
import { andThen, type Deadline, type MaybePromise } from '../../base/ports.js';
import {
  type Bindings,
  EvaluationFault,
  type ExpressionContext,
  evaluateExpression,
  evaluateMessage,
  firstSolution,
  holdsIndividuals,
  type Program,
  requireForm,
  type Value,
  type View,
} from '../../engine/index.js';
import { RequirementUnmet } from '../explain/requirements.js';
import { requireKnownBody, selectRows } from '../read/queries.js';
import { brokenRefinement } from '../wire/arguments.js';
import { withFaults } from '../wire/faults.js';
import { bindingsOfMessage } from '../wire/required.js';
import {
  deleteFacts,
  deleteIndividual,
  forgetIndividual,
  insertFact,
  insertIndividual,
  type OpenTransaction,
  requireExisting,
  setField,
} from './open-transaction.js';

/** Shared by all statements of a run. */
interface Run {
  readonly transaction: OpenTransaction;
  readonly mutation: MutationDeclaration;
  readonly expressionContext: ExpressionContext;
  readonly deadline: Deadline;
}

/** `returned` is undefined until a `return` has run. */
interface Frame {
  bindings: Bindings;
  returned: Value | undefined;
}

/** Returns the mutation's result, or null if it returns nothing. Throws ApiError and EvaluationFault. */
export function runMutation(
  transaction: OpenTransaction,
  mutation: MutationDeclaration,
  args: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): MaybePromise<Value> {
  const { path, body } = mutation;
  requireForm('mutation', body, { path });
  const frame: Frame = { bindings: args, returned: undefined };
  const running = runStatements({ transaction, mutation, expressionContext, deadline }, body.statements, frame);
  return andThen(running, () => frame.returned ?? null);
}

/** Runs statements that belong to no mutation of the module. Messages use the path of `mutation`. Returns all names. */
export async function runBare(
  transaction: OpenTransaction,
  mutation: MutationDeclaration,
  bound: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Promise<Bindings> {
  const frame: Frame = { bindings: bound, returned: undefined };
  await runStatements({ transaction, mutation, expressionContext, deadline }, mutation.body.statements, frame);
  return frame.bindings;
}

/** Returns a promise only if a statement waits: most run at once. */
function runStatements(run: Run, statements: readonly Statement[], frame: Frame, from = 0): MaybePromise<void> {
  for (let at = from; at < statements.length; at++) {
    const statement = statements[at] as Statement;
    const pause = run.deadline.checkpoint();
    const running =
      pause === undefined ? runStatement(run, statement, frame) : pause.then(() => runStatement(run, statement, frame));
    if (running instanceof Promise) {
      return running.then(() =>
        frame.returned === undefined ? runStatements(run, statements, frame, at + 1) : undefined,
      );
    }
    if (frame.returned !== undefined) return;
  }
}

function runStatement(run: Run, statement: Statement, frame: Frame): MaybePromise<void> {
  const { transaction } = run;
  switch (statement.op) {
    case 'insertIndividual': {
      const { concept, fields, bind: name } = statement;
      requireClass(run, statement);
      return andThen(
        valuesOf(
          run,
          frame,
          fields.map(({ value }) => value),
        ),
        (values) => {
          const given = new Map(fields.map(({ field }, at) => [field, values[at] ?? null]));
          const id = insertIndividual(transaction, concept, given);
          if (name !== null) bind(frame, name, { kind: 'class', path: concept }, id);
        },
      );
    }
    case 'insertFact':
      requireStored(run, statement);
      return andThen(valuesOf(run, frame, statement.args), (tuple) =>
        insertFact(transaction, statement.relation, tuple),
      );
    case 'set':
      return runSet(run, statement, frame);
    case 'deleteFacts':
      return runDeleteFacts(run, statement, frame);
    case 'deleteIndividual':
    case 'forget':
      return runDeleteIndividual(run, statement, frame);
    case 'require':
      return runRequire(run, statement, frame);
    case 'let':
      return andThen(evaluate(run, frame, statement.value), (value) =>
        bind(frame, statement.variable, statement.type, value),
      );
    case 'invoke':
      return runInvoke(run, statement, frame);
    case 'for':
      return runFor(run, statement, frame);
    case 'if':
      return runIf(run, statement, frame);
    case 'return':
      return andThen(evaluate(run, frame, statement.value), (value) => {
        frame.returned = value;
        if (run.mutation.result) requirePresent(run, run.mutation.result, value);
      });
    default:
      throw undecodable(
        run,
        `it has a statement "${(statement as { op: string }).op}" that this runtime does not know`,
      );
  }
}

/** Their values, evaluated one after the other. */
function valuesOf(
  run: Run,
  frame: Frame,
  expressions: readonly Expression[],
  values: Value[] = [],
): MaybePromise<readonly Value[]> {
  for (const expression of expressions.slice(values.length)) {
    const value = evaluate(run, frame, expression);
    if (value instanceof Promise) {
      return value.then((found) => valuesOf(run, frame, expressions, [...values, found]));
    }
    values.push(value);
  }
  return values;
}

async function runSet(run: Run, statement: Statement & { readonly op: 'set' }, frame: Frame): Promise<void> {
  const { transaction } = run;
  const target = await individual(run, frame, statement.target);
  const field = transaction.scope.program.fields.get(statement.field);
  if (!field) throw undecodable(run, `it sets the field "${statement.field}", which does not exist`);
  await transaction.overlay.view.stored(field.path).prepare([0], run.deadline);
  setField(transaction, target, field, await evaluate(run, frame, statement.value));
}

async function runDeleteFacts(
  run: Run,
  statement: Statement & { readonly op: 'deleteFacts' },
  frame: Frame,
): Promise<void> {
  requireStored(run, statement);
  const pattern: (Value | undefined)[] = [];
  for (const arg of statement.args) pattern.push(arg === null ? undefined : await deletable(run, frame, arg));
  await deleteFacts(run.transaction, statement.relation, pattern, run.deadline);
}

async function runDeleteIndividual(
  run: Run,
  statement: Statement & { readonly op: 'deleteIndividual' | 'forget' },
  frame: Frame,
): Promise<void> {
  const target = await deletable(run, frame, statement.target);
  if (target === null) return;
  const remove = statement.op === 'forget' ? forgetIndividual : deleteIndividual;
  await remove(run.transaction, String(target), run.deadline);
}

async function runRequire(run: Run, statement: Statement & { readonly op: 'require' }, frame: Frame): Promise<void> {
  if (await holds(run, frame, statement.condition)) return;
  const { mutation, expressionContext, deadline } = run;
  const { view } = run.transaction.overlay;
  const seen = await bindingsOfMessage(view, statement, frame.bindings, expressionContext, deadline);
  const message = await evaluateMessage(view, statement.message, seen, expressionContext, deadline);
  const firing = { check: mutation.path, severity: 'blocking', message, tuple: {}, span: statement.span };
  const { condition, span } = statement;
  throw new RequirementUnmet(
    `"${mutation.path}" requires otherwise: ${message}`,
    { diagnostics: [firing] },
    { mutation: mutation.path, condition, bindings: frame.bindings, span },
  );
}

async function runInvoke(run: Run, statement: Statement & { readonly op: 'invoke' }, frame: Frame): Promise<void> {
  const { program } = run.transaction.scope;
  const args = await valuesOf(run, frame, statement.args);
  const mutation = program.mutations.get(statement.callable);
  const query = program.queries.get(statement.callable);
  const callable = mutation ?? query;
  if (!callable) throw undecodable(run, `it calls "${statement.callable}", which does not exist`);
  const bindings: Bindings = Object.fromEntries(
    callable.parameters.map(({ name, type }, index) => [name, { type, value: args[index] ?? null }]),
  );
  requireRefinements(program, run.mutation.path, callable, bindings);
  let result: Value = null;
  if (mutation) result = await runMutation(run.transaction, mutation, bindings, run.expressionContext, run.deadline);
  else if (query) {
    const failed = 'SVC_RUNTIME_QUERY_EVAL_FAILED';
    result = await withFaults(program, query.path, failed, () => queryValue(run, query, bindings));
  }
  if (statement.bind !== null && callable.result) bind(frame, statement.bind, callable.result, result);
}

async function queryValue(run: Run, query: QueryDeclaration, bindings: Bindings): Promise<Value> {
  const { view } = run.transaction.overlay;
  requireKnownBody(query);
  if (query.body.op === 'value') {
    return evaluateExpression(view, query.body.value, bindings, run.expressionContext, run.deadline);
  }
  const { rows } = await selectRows(view, query.body, bindings, run.expressionContext, run.deadline, () => undefined);
  if (query.result.kind === 'list') return rows.map(({ row }) => row);
  if (rows.length > 1) {
    throw new EvaluationFault('fault', `it may give one row at most, but gives ${rows.length}`, { path: query.path });
  }
  return rows[0]?.row ?? null;
}

async function runFor(run: Run, statement: Statement & { readonly op: 'for' }, frame: Frame): Promise<void> {
  const { rows } = statement;
  const values =
    rows.op === 'list'
      ? await elementsOf(rows.value, (each) => evaluate(run, frame, each))
      : await select(run, frame, rows.query);
  for (const value of values) {
    const pause = run.deadline.checkpoint();
    if (pause !== undefined) await pause;
    const inner: Frame = {
      bindings: withMember(frame.bindings, statement.variable, { type: statement.type, value }),
      returned: undefined,
    };
    await runStatements(run, statement.body, inner);
  }
}

/** The elements of a list. Iterates over a range without creating it, because a caller can make it longer than memory. */
export async function elementsOf(
  list: Expression,
  evaluate: (expression: Expression) => MaybePromise<Value>,
): Promise<Iterable<Value>> {
  if (list.op !== 'range') return ((await evaluate(list)) ?? []) as readonly Value[];
  const [from, to] = [await evaluate(list.from), await evaluate(list.to)];
  const step = list.step === undefined ? 1 : await evaluate(list.step);
  if (from === null || to === null || step === null) return [];
  // As a list, the range faults with its place.
  if (step === 0) return ((await evaluate(list)) ?? []) as readonly Value[];
  return numbersIn(Number(from), Number(to), Number(step));
}

function* numbersIn(from: number, to: number, step: number): Generator<number> {
  for (let number = from; step > 0 ? number < to : number > to; number += step) yield number;
}

/** The rows of a selection, computed before the first of them is used. */
async function select(run: Run, frame: Frame, query: QueryBody): Promise<readonly Value[]> {
  const { view } = run.transaction.overlay;
  requireUsable(run, frame, query);
  const what = `A selection of ${run.mutation.path}`;
  return withFaults(view.program, what, 'SVC_RUNTIME_QUERY_EVAL_FAILED', () =>
    rowsOfSelection(view, query, frame.bindings, run.expressionContext, run.deadline),
  );
}

/** The elements that a `for` iterates over. */
export async function rowsOfSelection(
  view: View,
  query: QueryBody,
  bindings: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Promise<readonly Value[]> {
  requireForm('query', query);
  if (query.op === 'value') return [await evaluateExpression(view, query.value, bindings, expressionContext, deadline)];
  const { rows } = await selectRows(view, query, bindings, expressionContext, deadline, () => undefined);
  return rows.map(({ row }) => row);
}

async function runIf(run: Run, statement: Statement & { readonly op: 'if' }, frame: Frame): Promise<void> {
  for (const branch of statement.branches) {
    if (!(await holds(run, frame, branch.condition))) continue;
    return runBlock(run, branch.body, frame);
  }
  return runBlock(run, statement.else, frame);
}

/** Names bound in a block end with it. A `return` in a block returns from the mutation. */
async function runBlock(run: Run, statements: readonly Statement[], frame: Frame): Promise<void> {
  const inner: Frame = { bindings: frame.bindings, returned: undefined };
  await runStatements(run, statements, inner);
  frame.returned = inner.returned;
}

async function holds(run: Run, frame: Frame, condition: Condition): Promise<boolean> {
  const { view } = run.transaction.overlay;
  requireUsable(run, frame, condition);
  return (await firstSolution(view, condition, frame.bindings, run.expressionContext, run.deadline)) !== undefined;
}

function evaluate(run: Run, frame: Frame, expression: Expression): MaybePromise<Value> {
  requireUsable(run, frame, expression);
  // Most values are arguments, passed on as they are.
  if (expression.op === 'variable' && Object.hasOwn(frame.bindings, expression.name)) {
    return frame.bindings[expression.name]?.value ?? null;
  }
  return evaluateExpression(
    run.transaction.overlay.view,
    expression,
    frame.bindings,
    run.expressionContext,
    run.deadline,
  );
}

/** Like `evaluate`, but a name may refer to a deleted individual: deleting it again is allowed. */
async function deletable(run: Run, frame: Frame, expression: Expression): Promise<Value> {
  return expression.op === 'variable'
    ? (frame.bindings[expression.name]?.value ?? null)
    : evaluate(run, frame, expression);
}

async function individual(run: Run, frame: Frame, expression: Expression): Promise<string> {
  const value = await evaluate(run, frame, expression);
  if (typeof value === 'string') return value;
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `"${run.mutation.path}" sets a field of an optional individual that has no value; check it with exists(…) first.`,
  );
}

function bind(frame: Frame, name: string, type: Type, value: Value): void {
  frame.bindings = withMember(frame.bindings, name, { type, value });
}

function requireClass(run: Run, { concept, fields }: Statement & { readonly op: 'insertIndividual' }): void {
  const { classes, concepts } = run.transaction.scope.program;
  if (!concepts.has(concept)) throw undecodable(run, `it inserts a "${concept}", which does not exist`);
  const own = new Set(classes.get(concept)?.fields.map(({ path }) => path));
  const foreign = fields.find(({ field }) => !own.has(field));
  if (foreign !== undefined) throw undecodable(run, `it sets the field "${foreign.field}", which does not exist`);
}

function requireStored(run: Run, { relation, args }: Statement & { readonly op: 'insertFact' | 'deleteFacts' }): void {
  const info = run.transaction.scope.program.relations.get(relation);
  if (info?.kind === 'stored' && info.endpoints.length === args.length) return;
  throw undecodable(run, `it writes to a relation "${relation}" of ${args.length} endpoints, which does not exist`);
}

function undecodable(run: Run, message: string): EvaluationFault {
  return new EvaluationFault('undecodable', message, { path: run.mutation.path });
}

/** Arguments of a call inside a mutation must meet the same refinements as those of a request. */
export function requireRefinements(
  program: Program,
  caller: string,
  callable: MutationDeclaration | QueryDeclaration | FunctionDeclaration,
  bindings: Bindings,
): void {
  for (const { name, type, refinement } of callable.parameters) {
    const value = bindings[name]?.value ?? null;
    if (!refinement || value === null) continue;
    const broken = brokenRefinement(program, refinement, type, value);
    if (broken === undefined) continue;
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `"${caller}" calls "${callable.path}" with a "${name}" that does not satisfy ${broken}.`,
      { parameter: name, refinement: broken },
    );
  }
}

/** Throws VALIDATION_FAILED if a part of the body names an individual that the mutation has deleted. */
function requireUsable(run: Run, frame: Frame, node: unknown): void {
  if (run.transaction.deleted.size === 0 || typeof node !== 'object' || node === null) return;
  const { op, name } = node as { readonly op?: unknown; readonly name?: unknown };
  if (op === 'variable' && typeof name === 'string') {
    const bound = Object.hasOwn(frame.bindings, name) ? frame.bindings[name] : undefined;
    if (bound !== undefined && holdsIndividuals(bound.type)) requirePresent(run, bound.type, bound.value);
  }
  for (const child of Object.values(node)) requireUsable(run, frame, child);
}

/** Throws VALIDATION_FAILED if the value contains an individual that the mutation has deleted. */
function requirePresent(run: Run, type: Type, value: Value): void {
  const { transaction } = run;
  if (transaction.deleted.size === 0 || value === null) return;
  const plain = bare(type);
  if (plain.kind === 'class') {
    if (transaction.deleted.has(value as string)) requireExisting(transaction, value as string);
  } else if (plain.kind === 'list') {
    for (const item of value as readonly Value[]) requirePresent(run, plain.of, item);
  } else if (plain.kind === 'record') {
    const record = value as { readonly [key: string]: Value };
    for (const field of plain.fields) requirePresent(run, field.type, record[field.name] ?? null);
  }
}

function bare(type: Type): Type {
  return type.kind === 'optional' ? type.of : type;
}

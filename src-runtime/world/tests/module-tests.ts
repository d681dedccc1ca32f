/**
 * Runs `test` blocks. Each starts with declared facts only, in a temporary scope. Statements run on the same code as mutations, and calls
 * of mutations have the same guard.
 */

import { ApiError, type ErrorCode } from '../../api/errors.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { TestResult } from '../../api/schemas/test-schemas.js';
import type { Artifact, Expression, Statement } from '../../artifact/index.js';
import type { MutationDeclaration, Parameter } from '../../artifact/types.js';
import { type Bare, bareRecord, withMember } from '../../base/bare-record.js';
import type { Clock, Deadline } from '../../base/ports.js';
import { DeadlineExceeded } from '../../base/ports.js';
import type { Span } from '../../base/span.js';
import type { ModuleTest, ModuleTestStep } from '../../compiler/index.js';
import {
  type Bindings,
  type ExpressionContext,
  evaluateExpression,
  firstSolution,
  loadProgram,
  type Program,
  type Value,
  type View,
} from '../../engine/index.js';
import { type UnmetRequirement, unmetIn } from '../explain/requirements.js';
import { guard } from '../read/guard.js';
import { openScope } from '../state/open-scope.js';
import type { Scope } from '../state/scope.js';
import { requireIndividuals, requireMembers } from '../wire/arguments.js';
import { requireSupportedFunction, requireSupportedMutation, requireSupportedQuery } from '../wire/callables.js';
import { withFaults } from '../wire/faults.js';
import { namesIn } from '../wire/labels.js';
import { elementsOf, requireRefinements, rowsOfSelection, runBare } from '../write/mutations.js';
import { beginTransaction, type OpenTransaction } from '../write/open-transaction.js';
import {
  type BrokenExpectation,
  explainBroken,
  explainRefusal,
  RefusedCall,
  repairsOf,
} from './module-test-failures.js';

export type TestFailure = NonNullable<TestResult['failure']>;

export interface ModuleTestOptions {
  readonly clock: Clock;
  readonly factsPerRule: number;
  /** Makes the deadline of one statement or expectation. */
  readonly createDeadline: () => Deadline;
  /** Called with each state that a step reads, and the step. `isGuarded` if checks read the state too. */
  readonly follow?: (view: View, step: object, isGuarded: boolean, deadline: Deadline) => Promise<void>;
}

/** The first words of the failure of a test that timed out. */
export const GIVEN_UP = 'timed out';

const START = Date.parse('2026-01-01T00:00:00.000Z');

/** In the order of `tests`. */
export async function runModuleTests(
  artifact: Artifact,
  tests: readonly ModuleTest[],
  options: ModuleTestOptions,
): Promise<TestResult[]> {
  const program = loadProgram(artifact);
  const results: TestResult[] = [];
  for (const test of tests) results.push(await runModuleTest(program, test, options));
  return results;
}

/** A test ends at its first failure. */
export async function runModuleTest(
  program: Program,
  test: ModuleTest,
  options: ModuleTestOptions,
): Promise<TestResult> {
  const startedAt = options.clock.now();
  const failure = await runTest(program, test, options);
  const { module, name } = test;
  const ms = options.clock.now() - startedAt;
  return { module, name, passed: failure === undefined, ms, ...(failure && { failure }) };
}

/** A running test. `bound` and `context` grow from step to step. Each step has its own deadline for everything in its blocks. */
interface Run {
  readonly scope: Scope;
  readonly test: ModuleTest;
  readonly follow: ModuleTestOptions['follow'];
  deadline: Deadline;
  bound: Bindings;
  context: Readonly<Bare<Value>>;
}

async function runTest(
  program: Program,
  test: ModuleTest,
  options: ModuleTestOptions,
): Promise<TestFailure | undefined> {
  const scope = await groundScope(program, options);
  if ('gaveUp' in scope) {
    const place = { text: `test ${JSON.stringify(test.name)}`, span: test.span as TestFailure['span'] };
    return { message: `${GIVEN_UP} before its first statement: ${scope.gaveUp}`, ...place };
  }
  const { follow, createDeadline } = options;
  const context = withMember<Value>(bareRecord(), 'now', START);
  const run: Run = { scope, test, follow, deadline: createDeadline(), bound: bareRecord(), context };
  for (const step of test.steps) {
    run.deadline = createDeadline();
    const failure = await attempt(run, step);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** The failure of the step, or the first failure in its blocks. */
async function attempt(run: Run, step: ModuleTestStep): Promise<TestFailure | undefined> {
  const place = { text: step.text, span: step.span as TestFailure['span'] };
  try {
    if (step.op === 'for' || step.op === 'if') return await runBlocks(run, step);
    const broken = await runStep(run, step);
    return broken && (await named(run, { ...broken, ...place }));
  } catch (error) {
    if (error instanceof ApiError) {
      const unmet = unmetIn(error);
      const facts = error instanceof RefusedCall ? { facts: [...error.facts] } : {};
      return await named(run, { ...failureOf(error), ...facts, ...place, ...(unmet && (await repairsIn(run, unmet))) });
    }
    if (error instanceof DeadlineExceeded) return { message: `${GIVEN_UP}: ${error.message}`, ...place };
    throw error;
  }
}

function repairsIn(run: Run, unmet: UnmetRequirement) {
  return reading(run, unmet.condition, 'SVC_RUNTIME_QUERY_EVAL_FAILED', async (view) =>
    repairsOf(run.scope, view, unmet, expressionContextOf(run), run.deadline),
  );
}

/** A scope with declared facts only. There may be many, so reading them has a deadline too. */
async function groundScope(program: Program, options: ModuleTestOptions): Promise<Scope | { readonly gaveUp: string }> {
  const nothing = {
    forks: async () => [],
    lastNumbers: async () => ({ txn: 0, seq: 0 }),
    read: () => (async function* () {})(),
  };
  const place = { scopeId: 'test', tenant: 'test' };
  try {
    return (await openScope(program, nothing, place, options, options.createDeadline())).scope;
  } catch (error) {
    if (error instanceof DeadlineExceeded) return { gaveUp: error.message };
    throw error;
  }
}

/** Without labels if the time is up. */
async function named({ scope, deadline }: Run, failure: TestFailure): Promise<TestFailure> {
  const view = scope.main.branch.facts.view();
  try {
    const names = { ...failure.names, ...(await namesIn(failure, view, deadline)) };
    return Object.keys(names).length === 0 ? failure : { ...failure, names };
  } catch (error) {
    if (error instanceof DeadlineExceeded) return failure;
    throw error;
  } finally {
    view.release();
  }
}

/** A fault reports the bindings under which it occurred. */
function failureOf({ code, message, details }: ApiError): Pick<TestFailure, 'message' | 'values' | 'names'> {
  const { bindings, names } = details as {
    readonly bindings?: Record<string, JsonValue>;
    names?: Record<string, string>;
  };
  return { message: `it failed: ${code} ${message}`, ...(bindings && { values: bindings }), ...(names && { names }) };
}

type Block = ModuleTestStep & { readonly op: 'for' | 'if' };

/** Each call in a block is its own transaction, as outside. Names bound in a block end with it. */
async function runBlocks(run: Run, step: Block): Promise<TestFailure | undefined> {
  const outside = run.bound;
  const inBlock = async (bound: Bindings, steps: readonly ModuleTestStep[]) => {
    run.bound = bound;
    for (const inner of steps) {
      const failure = await attempt(run, inner);
      if (failure !== undefined) return failure;
    }
    run.bound = outside;
    return undefined;
  };
  if (step.op === 'if') return inBlock(outside, await matchingBranch(run, step));
  for (const value of await rowsOf(run, step)) {
    const pause = run.deadline.checkpoint();
    if (pause !== undefined) await pause;
    const failure = await inBlock(withMember(outside, step.variable, { type: step.type, value }), step.body);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** Computed before the block runs for the first of them. */
async function rowsOf(run: Run, { rows }: Block & { readonly op: 'for' }): Promise<Iterable<Value>> {
  if (rows.op === 'list') {
    return reading(run, rows, 'SVC_RUNTIME_COMPUTE_EVAL_FAILED', (view) =>
      elementsOf(rows.value, (each) =>
        evaluateExpression(view, each, run.bound, expressionContextOf(run), run.deadline),
      ),
    );
  }
  const { query } = rows;
  return reading(run, query, 'SVC_RUNTIME_QUERY_EVAL_FAILED', (view) =>
    rowsOfSelection(view, query, run.bound, expressionContextOf(run), run.deadline),
  );
}

/** The block of the first branch whose condition has a solution. */
async function matchingBranch(run: Run, step: Block & { readonly op: 'if' }): Promise<readonly ModuleTestStep[]> {
  for (const { condition, body } of step.branches) {
    const found = await reading(run, condition, 'SVC_RUNTIME_COMPUTE_EVAL_FAILED', async (view) =>
      firstSolution(view, condition, run.bound, expressionContextOf(run), run.deadline),
    );
    if (found !== undefined) return body;
  }
  return step.else;
}

async function runStep(run: Run, step: Exclude<ModuleTestStep, Block>): Promise<BrokenExpectation | undefined> {
  switch (step.op) {
    case 'statement':
      await execute(run, step.statement);
      return undefined;
    case 'setContext': {
      const value = await reading(run, step.value, 'SVC_RUNTIME_COMPUTE_EVAL_FAILED', (view) =>
        evaluateExpression(view, step.value, run.bound, expressionContextOf(run), run.deadline),
      );
      run.context = withMember(run.context, step.field, value);
      return undefined;
    }
    case 'expect':
      return reading(run, step.condition, 'SVC_RUNTIME_QUERY_EVAL_FAILED', async (view) => {
        const found = await firstSolution(view, step.condition, run.bound, expressionContextOf(run), run.deadline);
        if (found !== undefined) return undefined;
        const { condition } = step;
        const { scope, bound, deadline } = run;
        const broken = await explainBroken(scope, view, condition, bound, expressionContextOf(run), deadline);
        if (broken.facts.length > 0) return broken;
        const unmet = { mutation: `test ${run.test.name}`, condition, bindings: bound, span: run.test.span };
        return { ...broken, ...(await repairsOf(scope, view, unmet, expressionContextOf(run), deadline)) };
      });
    case 'expectError':
      return expectError(run, step.code, step.call);
  }
}

async function expectError(run: Run, code: string, call: Statement): Promise<BrokenExpectation | undefined> {
  try {
    if (call.op === 'let' && call.value.op === 'call') await requireComputable(run, call.value);
    await execute(run, call, false);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === code) return undefined;
    return { message: `expected ${code}, got ${error.code}: ${error.message}`, facts: [] };
  }
  return { message: `expected ${code}, but the call succeeded`, facts: [] };
}

/**
 * Runs one statement as a transaction. A call of a mutation is guarded; set-up is not. A failed statement is rolled back. A refusal is
 * explained before that, unless the test expects it.
 */
async function execute(run: Run, statement: Statement, isExplained = true): Promise<void> {
  const { scope, deadline, test } = run;
  // Messages name the test.
  const name = `test ${test.name}`;
  const expressionContext = expressionContextOf(run);
  const { branch } = scope.main;
  const before = branch.facts.view();
  const writing = beginTransaction(scope, branch);
  const isGuarded = statement.op === 'invoke' && scope.program.mutations.has(statement.callable);
  let committed = false;
  try {
    if (statement.op === 'invoke') {
      requireContext(run);
      await requireCallable(run, statement);
    }
    await run.follow?.(before, statement, false, deadline);
    const mutation = bareMutation(name, test.span, statement);
    const failed = 'SVC_RUNTIME_COMPUTE_EVAL_FAILED';
    const bound = await withFaults(scope.program, name, failed, () =>
      runBare(writing, mutation, run.bound, expressionContext, deadline),
    );
    if (run.follow !== undefined) await followWritten(run, writing, statement, isGuarded);
    if (isGuarded) {
      const { view } = writing.overlay;
      await guard(before, view, writing.changed, deadline).catch(async (error: unknown) => {
        throw isExplained && error instanceof ApiError ? await explainRefusal(scope, view, error, deadline) : error;
      });
    }
    writing.overlay.commit();
    committed = true;
    run.bound = bound;
    scope.lastTransaction += 1;
    scope.lastSeq += writing.events.length;
    scope.nextIndividual = writing.nextIndividual;
  } finally {
    if (!committed) writing.overlay.rollback();
    before.release();
  }
}

/** Follows the changes before the guard runs: a state that a check refuses is still read by the test. */
async function followWritten(
  { follow, deadline }: Run,
  { overlay: transaction }: OpenTransaction,
  statement: Statement,
  isGuarded: boolean,
): Promise<void> {
  const written = transaction.mark();
  try {
    await follow?.(written, statement, isGuarded, deadline);
  } finally {
    written.release();
  }
}

/** Like a call over HTTP: no value may come from the host, given individuals must exist, and those for a define must be its members. */
async function requireCallable(run: Run, statement: Statement & { readonly op: 'invoke' }): Promise<void> {
  const { program } = run.scope;
  const mutation = program.mutations.get(statement.callable);
  const query = program.queries.get(statement.callable);
  if (mutation !== undefined) requireSupportedMutation(mutation);
  if (query !== undefined) requireSupportedQuery(program, query);
  const callable = mutation ?? query;
  if (callable === undefined) return;
  await reading(run, statement, 'SVC_RUNTIME_COMPUTE_EVAL_FAILED', async (view) => {
    const bound = await argumentsOf(run, view, callable.parameters, statement.args);
    requireIndividuals(view, callable.path, callable.parameters, bound);
    await requireMembers(view, callable.parameters, bound, run.deadline);
  });
}

/** Like a compute request: no value may come from the host, and arguments must meet their refinements. */
async function requireComputable(run: Run, call: Expression & { readonly op: 'call' }): Promise<void> {
  const { program } = run.scope;
  const fn = program.functions.get(call.function);
  if (fn === undefined) return;
  requireContext(run);
  requireSupportedFunction(program, fn);
  await reading(run, call, 'SVC_RUNTIME_COMPUTE_EVAL_FAILED', async (view) => {
    requireRefinements(program, `test ${run.test.name}`, fn, await argumentsOf(run, view, fn.parameters, call.args));
  });
}

/** The arguments of a call, by parameter. */
async function argumentsOf(
  run: Run,
  view: View,
  parameters: readonly Parameter[],
  args: readonly Expression[],
): Promise<Bindings> {
  const bound = bareRecord<Bindings[string]>();
  for (const [index, { name, type }] of parameters.entries()) {
    const arg = args[index];
    const value =
      arg === undefined ? null : await evaluateExpression(view, arg, run.bound, expressionContextOf(run), run.deadline);
    bound[name] = { type, value };
  }
  return bound;
}

/** A call needs the context that a request would carry. */
function requireContext(run: Run): void {
  const missing = run.scope.program.artifact.schema.context.find(
    ({ name, type }) => type.kind !== 'optional' && (run.context[name] ?? null) === null,
  );
  if (missing === undefined) return;
  throw new ApiError(
    'SVC_RUNTIME_MISSING_CONTEXT',
    `The context field "${missing.name}" is required; write "set context.${missing.name} = …" before the call.`,
    { field: missing.name },
  );
}

function bareMutation(path: string, span: Span, statement: Statement): MutationDeclaration {
  return { path, public: false, span, parameters: [], result: null, body: { op: 'block', statements: [statement] } };
}

function expressionContextOf(run: Run): ExpressionContext {
  return { context: run.context };
}

/** Reads what `node` names. `failed` is the code of faults outside rules. */
async function reading<T>(run: Run, node: object, failed: ErrorCode, work: (view: View) => Promise<T>): Promise<T> {
  const view = run.scope.main.branch.facts.view();
  try {
    await run.follow?.(view, node, false, run.deadline);
    return await withFaults(run.scope.program, `test "${run.test.name}"`, failed, () => work(view));
  } finally {
    view.release();
  }
}

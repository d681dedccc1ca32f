/** A batch: several calls in one transaction. Each sees the changes of earlier steps and can refer to their results. */

import { ApiError } from '../../api/errors.js';
import type { BatchStep, BatchStepResult } from '../../api/schemas/batch-schemas.js';
import type { Capability } from '../../api/schemas/health-schemas.js';
import type { Effects, Firing, JsonValue, WireEvent } from '../../api/schemas/schemas.js';
import type { FunctionDeclaration, MutationDeclaration, QueryDeclaration } from '../../artifact/types.js';
import { Numeral } from '../../base/numeral.js';
import { type Deadline, DeadlineExceeded } from '../../base/ports.js';
import type { ExpressionContext, View } from '../../engine/index.js';
import type { MutateOptions } from '../contract/requests.js';
import { runCompute } from '../read/compute.js';
import { runQuery } from '../read/queries.js';
import type { PageRequest } from '../state/cursor.js';
import { reading } from '../state/forks.js';
import type { Session } from '../state/session.js';
import { checkNames } from '../wire/arguments.js';
import { requireCompute, requireForgettable, requireMutation, requireQuery } from '../wire/callables.js';
import { timedOut } from '../wire/faults.js';
import type { OpenTransaction } from './open-transaction.js';
import { type ReportOptions, runGuarded, transact } from './transact.js';

export interface BatchOptions extends MutateOptions, ReportOptions {
  readonly expressionContext: ExpressionContext;
  /** Applies the row cap to queries of the batch. */
  readonly request: PageRequest;
}

/**
 * Runs all steps or none. A failure has the code of the failing step and `details.batchStep`. Callables, signatures and references are
 * checked before the first step runs. A batch of reads waits for no writer.
 */
export async function runBatch(
  session: Session,
  steps: readonly BatchStep[],
  options: BatchOptions,
  deadline: Deadline,
): Promise<BatchStepResult[]> {
  const planned = await planSteps(session, steps, options);
  const batch: Batch = { ...options, deadline, results: [], effectRows: options.effectRows };
  if (!planned.some(({ callable }) => callable.kind === 'mutation')) {
    await reading(session, async (view) => {
      for (const step of planned) await atStep(step.index, () => runStep(batch, step, view, undefined));
    });
    return batch.results.map(({ result }) => ({ result }));
  }
  const {
    value: results,
    txn,
    events,
  } = await transact(
    session,
    { cause: { kind: 'batch' }, dryRun: options.dryRun, requestKey: options.requestKey },
    deadline,
    async (transaction) => {
      const { view } = transaction.overlay;
      for (const step of planned) await atStep(step.index, () => runStep(batch, step, view, transaction));
      return batch.results;
    },
  );
  return results.map(({ result, changes }) => {
    if (changes === undefined) return { result };
    const { from, to, warnings, effects } = changes;
    const own: WireEvent[] = events.slice(from, to);
    const report = effects === undefined ? {} : { effects };
    return { result, txn: from === to ? null : txn, events: own, warnings: [...warnings], ...report };
  });
}

/** Runs a batch in a transaction that the caller rolls back. */
export async function tryBatch(
  session: Session,
  steps: readonly BatchStep[],
  options: BatchOptions,
  transaction: OpenTransaction,
  deadline: Deadline,
): Promise<void> {
  const batch: Batch = { ...options, deadline, results: [], effectRows: undefined };
  const { view } = transaction.overlay;
  for (const step of await planSteps(session, steps, options)) {
    await atStep(step.index, () => runStep(batch, step, view, transaction));
  }
}

async function planSteps(
  session: Session,
  steps: readonly BatchStep[],
  { granted }: Pick<BatchOptions, 'granted'>,
): Promise<PlannedStep[]> {
  const planned: PlannedStep[] = [];
  for (const [index, step] of steps.entries()) {
    planned.push(await atStep(index, async () => planStep(session, step, planned, granted)));
  }
  return planned;
}

interface Batch extends BatchOptions {
  readonly deadline: Deadline;
  /** The results of the steps that have run. */
  readonly results: StepResult[];
  /** How many changed facts later steps may report in total; undefined if effects are not requested. */
  effectRows: number | undefined;
}

interface StepResult {
  readonly result: JsonValue;
  /** For a mutation: the range of its events in the transaction, and its warnings. */
  readonly changes?: {
    readonly from: number;
    readonly to: number;
    readonly warnings: readonly Firing[];
    readonly effects?: Effects;
  };
}

type Callable =
  | { readonly kind: 'query'; readonly declaration: QueryDeclaration }
  | { readonly kind: 'mutation'; readonly declaration: MutationDeclaration }
  | { readonly kind: 'compute'; readonly declaration: FunctionDeclaration };

interface PlannedStep {
  readonly index: number;
  readonly callable: Callable;
  readonly args: Readonly<Record<string, JsonValue>>;
}

function planStep(
  { scope: { program }, fork }: Session,
  step: BatchStep,
  before: readonly PlannedStep[],
  granted: readonly Capability[],
): PlannedStep {
  const index = before.length;
  const callable = ((): Callable => {
    if (step.query !== undefined) return { kind: 'query', declaration: requireQuery(program, step.query) };
    if (step.mutation === undefined) {
      return { kind: 'compute', declaration: requireCompute(program, step.compute ?? '') };
    }
    const declaration = requireMutation(program, step.mutation);
    requireForgettable(program, declaration, fork.id, granted);
    return { kind: 'mutation', declaration };
  })();
  const { path, parameters } = callable.declaration;
  checkNames(path, parameters, step.args);
  for (const [name, value] of Object.entries(step.args)) {
    checkReferences(value, `$.steps[${index}].args.${name}`, before);
  }
  return { index, callable, args: step.args };
}

async function runStep(
  batch: Batch,
  step: PlannedStep,
  view: View,
  transaction: OpenTransaction | undefined,
): Promise<void> {
  const { deadline, expressionContext, request, results } = batch;
  const { callable } = step;
  await deadline.checkpoint();
  const args = Object.fromEntries(
    Object.entries(step.args).map(([name, value]) => [name, withResults(value, results)] as const),
  );
  if (callable.kind === 'query') {
    const { result } = await runQuery(view, callable.declaration, args, expressionContext, request, deadline);
    results.push({ result });
  } else if (callable.kind === 'compute' || transaction === undefined) {
    results.push({ result: await runCompute(view, callable.declaration.path, args, deadline) });
  } else {
    const from = transaction.events.length;
    const call = { mutation: callable.declaration, args, expressionContext };
    const { result, ...report } = await runGuarded(transaction, call, deadline, batch);
    if (batch.effectRows !== undefined) batch.effectRows -= report.effects?.facts.length ?? 0;
    results.push({ result, changes: { from, to: transaction.events.length, ...report } });
  }
}

/** Adds the step's index to its failure. */
async function atStep<T>(batchStep: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = thrown instanceof DeadlineExceeded ? timedOut(thrown) : thrown;
    if (!(error instanceof ApiError)) throw error;
    const { path } = error.details;
    const inBatch = typeof path === 'string' && path.startsWith('$.args');
    const details = {
      ...error.details,
      ...(inBatch && { path: `$.steps[${batchStep}]${path.slice(1)}` }),
      batchStep,
    };
    const message = inBatch ? error.message.replace(`(at ${path})`, `(at ${details.path})`) : error.message;
    throw new ApiError(error.code, `In step ${batchStep}: ${message}`, details, { cause: error });
  }
}

type StepReference = { readonly $step: JsonValue };

/** No name in the language starts with `$`, so no record has such a field. */
function isReference(value: JsonValue): value is StepReference & { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, '$step');
}

/** Throws VALIDATION_FAILED for a reference, at any depth, that names no earlier step with a result. */
function checkReferences(value: JsonValue, path: string, before: readonly PlannedStep[]): void {
  if (isReference(value)) {
    const problem = referenceProblem(value, before);
    if (problem === undefined) return;
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `The reference at ${path} ${problem}; write { "$step": n } with the index of an earlier step, counted from 0.`,
      { path },
    );
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    checkReferences(part, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, before);
  }
}

function referenceProblem(value: StepReference, before: readonly PlannedStep[]): string | undefined {
  const { $step: index } = value;
  if (Object.keys(value).length > 1) return 'has more members than "$step"';
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) return 'names no step';
  const step = before[index];
  if (step === undefined)
    return index === before.length ? 'names its own step' : `names step ${index}, which is not before its own`;
  const { callable } = step;
  const gives = callable.kind !== 'mutation' || callable.declaration.result !== null;
  return gives ? undefined : `names step ${index}, and "${callable.declaration.path}" returns nothing`;
}

/** Replaces references with the results of earlier steps. */
function withResults(value: JsonValue, results: readonly StepResult[]): JsonValue {
  if (isReference(value)) return results[Number(value.$step)]?.result ?? null;
  if (Array.isArray(value)) return value.map((item) => withResults(item, results));
  if (typeof value !== 'object' || value === null || value instanceof Numeral) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withResults(part, results)]));
}

/**
 * Semi-naive evaluation of one component in strict rounds: round n joins what round n−1 added with all earlier rows.
 */

import type { Clause, Expression } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import { type GroupTotals, totalsFor } from '../plan/group-totals.js';
import { normalise } from '../plan/normalise.js';
import type { Source, SourceRole } from '../plan/physical/sources.js';
import { type BoundPlan, bindPlan, compileClause, type Plan, recursiveSteps } from '../plan/plans.js';
import { BLOCK_ROWS, type Counters } from '../plan/unit.js';
import type { Component, EngineProgram } from '../program/program.js';
import { partsOf } from '../program/reads.js';
import { Relation } from '../relation/relation.js';
import { type Inputs, readAs, rowsOfInput } from './inputs.js';

/** A relation during evaluation. Rows before `low` are older than the last round; rows before `high` are joined. */
interface Growing {
  readonly relation: Relation;
  low: number;
  high: number;
}

export interface ClauseTask {
  readonly path: string;
  readonly clause: Clause;
  readonly number: number;
  /** Steps that join relations of the component. */
  readonly deltas: readonly number[];
  /** Reads its component where no delta can be taken, for example under `or`: runs whole in every round. */
  readonly isWhole: boolean;
}

/** A component's relations, evaluated on one state. */
export interface Evaluated {
  readonly relations: ReadonlyMap<string, Relation>;
  /** Rows visited and found, approximately. */
  readonly cost: number;
}

/** One run of a clause in a round: whole, or over the last round's delta of one step. */
export interface ClauseRun {
  readonly path: string;
  readonly clause: Clause;
  readonly number: number;
  /** From 1: the rank of the rows that a run adds. */
  readonly round: number;
  readonly plan: Plan;
  readonly target: Relation;
  /** Summed over all runs of the clause from this step. */
  readonly counters: Counters;
}

/** A clause's plan for one delta, bound once for all rounds. */
interface Run {
  readonly plan: Plan;
  readonly bound: BoundPlan;
  readonly counters: Counters;
  /** Its sources of growing relations. */
  readonly moving: readonly {
    readonly source: Mutable<Source>;
    readonly role: SourceRole;
    readonly growing: Growing;
  }[];
}

/** A clause with its runs by delta. */
interface RunningTask extends ClauseTask {
  readonly runs: Map<number, Run>;
  readonly totalsOf: (aggregate: Expression & { op: 'aggregate' }) => GroupTotals | null;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Rows visited since the last yield, approximately. */
interface YieldCounter {
  rows: number;
}

/** Wraps the run of a plan, to measure it. */
export type Observer = (run: ClauseRun, work: Generator<void, unknown>) => Generator<void, unknown>;

export interface EvaluateOptions {
  readonly observe?: Observer;
  /** Expected rows of a relation, so that it need not grow. */
  readonly expected?: (path: string) => number;
  /** Where the totals of a clause's aggregate are kept. */
  readonly totalsOf?: TotalsOf;
}

export type TotalsOf = (task: ClauseTask, aggregate: Expression & { op: 'aggregate' }) => GroupTotals | null;

/** Yields between blocks of work. Throws EvaluationFault, and leaves nothing behind then. */
export function* evaluateComponent(
  inputs: Inputs,
  component: Component,
  { observe, expected, totalsOf }: EvaluateOptions = {},
): Generator<void, Evaluated> {
  const growing = new Map<string, Growing>();
  for (const path of component.paths) {
    const arity = inputs.program.relations.get(path)?.endpoints.length ?? 0;
    growing.set(path, { relation: Relation.evaluated(arity, expected?.(path)), low: 0, high: 0 });
  }
  // What a plan is chosen by does not change during an evaluation.
  const tasks = clauseTasks(inputs.program, component).map(
    (task): RunningTask => ({ ...task, runs: new Map(), totalsOf: (aggregate) => totalsOf?.(task, aggregate) ?? null }),
  );
  const yieldCounter = { rows: BLOCK_ROWS };
  let cost = 0;
  for (const task of tasks) {
    if (task.isWhole || task.deltas.length === 0)
      cost += yield* runClause(inputs, growing, task, -1, yieldCounter, observed(observe, 1));
  }
  for (let round = 1; closeRound(growing, round); round++) {
    const watch = observed(observe, round + 1);
    for (const task of tasks) {
      if (task.isWhole) cost += yield* runClause(inputs, growing, task, -1, yieldCounter, watch);
      else for (const delta of task.deltas) cost += yield* runClause(inputs, growing, task, delta, yieldCounter, watch);
    }
  }
  for (const { relation } of growing.values()) {
    relation.seal();
    cost += relation.count;
  }
  return { relations: new Map([...growing].map(([path, { relation }]) => [path, relation])), cost };
}

/** The clauses of a component's relations, in order. */
export function clauseTasks(program: EngineProgram, component: Component): readonly ClauseTask[] {
  const known = TASKS.get(component) ?? findTasks(program, component);
  TASKS.set(component, known);
  return known;
}

const TASKS = new WeakMap<Component, readonly ClauseTask[]>();

function findTasks(program: EngineProgram, component: Component): ClauseTask[] {
  const members = new Set(component.paths);
  const isMember = (relation: string): boolean => members.has(relation);
  return component.paths.flatMap((path) =>
    program.clausesOf(path).map((clause, number) => {
      const deltas = recursiveSteps(program, clause, isMember);
      return { path, clause, number, deltas, isWhole: looksUpMember(program, clause, isMember) };
    }),
  );
}

/** Ends a round, which is the rank of its rows. False if it added none. */
function closeRound(growing: ReadonlyMap<string, Growing>, round: number): boolean {
  let added = false;
  for (const each of growing.values()) {
    each.low = each.high;
    each.high = each.relation.count;
    if (each.high === each.low) continue;
    each.relation.beginRound(round, each.low);
    added = true;
  }
  return added;
}

interface Watch {
  readonly observe: Observer;
  readonly round: number;
}

function observed(observe: Observer | undefined, round: number): Watch | undefined {
  return observe && { observe, round };
}

function* runClause(
  inputs: Inputs,
  growing: ReadonlyMap<string, Growing>,
  task: RunningTask,
  delta: number,
  yieldCounter: YieldCounter,
  watch: Watch | undefined,
): Generator<void, number> {
  const { path, number: clause, runs } = task;
  try {
    const run = runs.get(delta) ?? (yield* openRun(inputs, growing, task, delta, watch !== undefined));
    runs.set(delta, run);
    if (!(yield* advance(run))) return 0;
    const work = run.bound.start();
    if (watch === undefined) return yield* costOf(work, yieldCounter);
    const target = (growing.get(path) as Growing).relation;
    const { plan, counters } = run;
    return yield* costOf(
      watch.observe({ path, clause: task.clause, number: clause, round: watch.round, plan, target, counters }, work),
      yieldCounter,
    );
  } catch (error) {
    throw error instanceof EvaluationFault ? error.at({ path, clause, span: task.clause.span }) : error;
  }
}

function* openRun(
  inputs: Inputs,
  growing: ReadonlyMap<string, Growing>,
  task: RunningTask,
  delta: number,
  counts: boolean,
): Generator<void, Run> {
  const plan = yield* clausePlan(inputs, growing, task, delta, counts);
  const counters = { rows: 0, heads: 0 };
  const bound = yield* bindPlan(
    plan,
    inputs.interner,
    (spec) => {
      const member = growing.get(spec.path);
      return member === undefined
        ? rowsOfInput(inputs, spec)
        : { relation: member.relation, version: 0, ...boundsOf(spec.role, member) };
    },
    {
      target: (growing.get(task.path) as Growing).relation,
      factsMax: inputs.factsMax,
      overBudget: () => overBudget(inputs, task.path),
      outer: {},
      bound: [],
      context: {},
      totals: totalsFor(plan.followed, task.totalsOf),
      counters,
    },
  );
  const moving = plan.sources.flatMap(({ path, role }, index) => {
    const member = growing.get(path);
    const source = bound.sources[index];
    return member === undefined || source === undefined ? [] : [{ source, role, growing: member }];
  });
  return { plan, bound, counters, moving };
}

/** Shows the run the rows of the last round. False if its delta is empty. */
function* advance({ moving }: Run): Generator<void, boolean> {
  for (const { source, role, growing } of moving) {
    if (role === 'delta' && growing.low === growing.high) return false;
    Object.assign(source, boundsOf(role, growing));
    const { index, relation } = source;
    if (index === null) continue;
    if (relation.count - index.indexed > BLOCK_ROWS) yield* index.extendInBlocks(relation, false);
    index.extend(relation.rows, relation.count);
  }
  return true;
}

function boundsOf(role: SourceRole, { low, high }: Growing): { readonly low: number; readonly high: number } {
  return { low: role === 'delta' ? low : 0, high: role === 'old' ? low : high };
}

/**
 * Runs a plan and returns its cost. Starting costs something too, since many short runs take long. Without `pace` it
 * yields first. Stops once the cost is too much.
 */
export function* costOf(
  work: Generator<void, unknown>,
  yieldCounter: YieldCounter = { rows: BLOCK_ROWS },
  isTooMuch: (cost: number) => boolean = never,
): Generator<void, number> {
  let cost = RUN_COST;
  yieldCounter.rows += RUN_COST;
  if (yieldCounter.rows >= BLOCK_ROWS) {
    yieldCounter.rows = 0;
    yield;
  }
  for (; work.next().done !== true && !isTooMuch(cost); cost += BLOCK_ROWS) yield;
  return cost;
}

function never(): boolean {
  return false;
}

/** Cost of starting a plan, in rows. */
const RUN_COST = 256;

export function overBudget(inputs: Inputs, path: string): never {
  throw new EvaluationFault('factBudget', `${path} derives more than ${inputs.factsMax} facts`, { path });
}

const PLANS = new WeakMap<Clause, Map<string, Plan>>();

/**
 * A plan is cached until the sizes that decided its order change by an order of magnitude. Yields before it compiles.
 */
function* clausePlan(
  inputs: Inputs,
  growing: ReadonlyMap<string, Growing>,
  task: ClauseTask,
  delta: number,
  counts: boolean,
): Generator<void, Plan> {
  const { program } = inputs;
  const isMember = (path: string): boolean => growing.has(path);
  const { key, access } = readAs(inputs, program.componentOf(task.path).reads, isMember);
  const plans = PLANS.get(task.clause) ?? new Map<string, Plan>();
  PLANS.set(task.clause, plans);
  const name = `${delta} ${counts ? 'counts ' : ''}${key}`;
  const known = plans.get(name);
  if (known !== undefined) return known;
  yield;
  const plan = compileClause(program, task.path, task.clause, { isMember, delta }, access, counts);
  plans.set(name, plan);
  return plan;
}

/** True if the clause reads the component inside an expression that normalisation leaves as a lookup. */
function looksUpMember(program: EngineProgram, clause: Clause, isMember: (relation: string) => boolean): boolean {
  return lookups(program, clause).some(isMember);
}

function lookups(program: EngineProgram, clause: Clause): string[] {
  const found: string[] = [];
  const visit = (expression: Expression): void => {
    if (expression.op === 'navigate') found.push(expression.relation);
    for (const part of partsOf(expression)) visit(part);
  };
  for (const step of normalise(program, clause.condition).steps) {
    if (step.kind === 'let') visit(step.value);
    if (step.kind === 'each') visit(step.in);
    if (step.kind === 'test') visit(step.condition);
  }
  return found;
}

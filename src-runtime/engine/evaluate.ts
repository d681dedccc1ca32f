/** Evaluates the rules of one component semi-naively, in strict rounds: round n joins what round n−1 added with what was there. */

import type { Clause, Expression } from '../artifact/types.js';
import { EvaluationFault } from './errors.js';
import { type Inputs, readAs, rowsOfInput } from './inputs.js';
import { normalise } from './plan/normalise.js';
import { compileClause, type Plan, recursiveSteps, startPlan } from './plan/plans.js';
import { BLOCK_ROWS, type SourceRows, type SourceSpec } from './plan/unit.js';
import type { Component, EngineProgram } from './program.js';
import { partsOf } from './reads.js';
import { Relation } from './relation.js';

/** A relation while its component is evaluated: rows below `low` are older than the last round's, those below `high` are joined. */
interface Growing {
  readonly relation: Relation;
  low: number;
  high: number;
}

export interface ClauseTask {
  readonly path: string;
  readonly clause: Clause;
  readonly number: number;
  /** Steps that join relations of the component; empty for a clause that reads none. */
  readonly deltas: readonly number[];
  /** Reads its component where no delta can be taken (under `or`, for one): runs whole in every round. */
  readonly isWhole: boolean;
}

/** A component's relations, evaluated on one state. */
export interface Evaluated {
  readonly relations: ReadonlyMap<string, Relation>;
  /** Rows that it visited, about. */
  readonly cost: number;
}

/** One run of a clause in a round: whole, or over what the last round added to one of its steps. */
export interface ClauseRun {
  readonly path: string;
  readonly clause: Clause;
  readonly number: number;
  /** From 1; what a run adds has this height. */
  readonly round: number;
  readonly plan: Plan;
  readonly target: Relation;
}

/** Stands between an evaluation and its plans, for those who want to know what each run took. */
export type Observer = (run: ClauseRun, work: Generator<void, unknown>) => Generator<void, unknown>;

/** Yields between blocks of work. Throws EvaluationFault, with nothing left behind. */
export function* evaluateComponent(
  inputs: Inputs,
  component: Component,
  observe?: Observer,
): Generator<void, Evaluated> {
  const growing = new Map<string, Growing>();
  for (const path of component.paths) {
    const arity = inputs.program.relations.get(path)?.endpoints.length ?? 0;
    growing.set(path, { relation: Relation.derived(arity), low: 0, high: 0 });
  }
  // What a plan is chosen by stays as it is for the whole evaluation.
  const tasks = clauseTasks(inputs.program, component).map((task) => ({ ...task, plans: new Map<number, Plan>() }));
  let cost = 0;
  for (const task of tasks) {
    if (task.isWhole || task.deltas.length === 0)
      cost += yield* runClause(inputs, growing, task, -1, observed(observe, 1));
  }
  for (let round = 1; closeRound(growing, round); round++) {
    const watch = observed(observe, round + 1);
    for (const task of tasks) {
      if (task.isWhole) cost += yield* runClause(inputs, growing, task, -1, watch);
      else for (const delta of task.deltas) cost += yield* runClause(inputs, growing, task, delta, watch);
    }
  }
  for (const { relation } of growing.values()) relation.seal();
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

/** Ends a round, which is the height of what it added; false where it added nothing. */
function closeRound(growing: ReadonlyMap<string, Growing>, round: number): boolean {
  let added = false;
  for (const each of growing.values()) {
    each.low = each.high;
    each.high = each.relation.count;
    each.relation.height.fill(round, each.low, each.high);
    if (each.high > each.low) added = true;
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
  task: ClauseTask & { readonly plans: Map<number, Plan> },
  delta: number,
  watch: Watch | undefined,
): Generator<void, number> {
  const target = growing.get(task.path) as Growing;
  const { path, number: clause, plans } = task;
  try {
    const plan = plans.get(delta) ?? clausePlan(inputs, growing, task, delta);
    plans.set(delta, plan);
    const isIdle = plan.sources.some((spec) => spec.role === 'delta' && isEmptyDelta(growing.get(spec.path)));
    if (isIdle) return 0;
    const work = startPlan(plan, inputs.interner, (spec) => resolveSource(inputs, growing, spec), {
      target: target.relation,
      factsMax: inputs.factsMax,
      overBudget: () => overBudget(inputs, path),
      outer: {},
      bound: [],
      context: {},
    });
    if (watch === undefined) return yield* costOf(work);
    const run = { path, clause: task.clause, number: clause, round: watch.round, plan, target: target.relation };
    return yield* costOf(watch.observe(run, work));
  } catch (error) {
    throw error instanceof EvaluationFault ? error.at({ path, clause, span: task.clause.span }) : error;
  }
}

/** Runs a plan. Many short runs are long work too, so that each yields and costs something. */
export function* costOf(work: Generator<void, unknown>): Generator<void, number> {
  let cost = RUN_COST;
  yield;
  for (; work.next().done !== true; cost += BLOCK_ROWS) yield;
  return cost;
}

/** What starting a plan costs, in rows. */
const RUN_COST = 256;

export function overBudget(inputs: Inputs, path: string): never {
  throw new EvaluationFault('factBudget', `${path} derives more than ${inputs.factsMax} facts`, { path });
}

function isEmptyDelta(growing: Growing | undefined): boolean {
  return growing !== undefined && growing.low === growing.high;
}

function resolveSource(inputs: Inputs, growing: ReadonlyMap<string, Growing>, spec: SourceSpec): SourceRows {
  const member = growing.get(spec.path);
  if (member === undefined) return rowsOfInput(inputs, spec);
  const { relation } = member;
  const low = spec.role === 'delta' ? member.low : 0;
  const high = spec.role === 'old' ? member.low : member.high;
  return { relation, version: 0, low, high };
}

const PLANS = new WeakMap<Clause, Map<string, Plan>>();

/** A plan is made anew where the sizes that decided its order have changed by an order of magnitude. */
function clausePlan(inputs: Inputs, growing: ReadonlyMap<string, Growing>, task: ClauseTask, delta: number): Plan {
  const { program } = inputs;
  const isMember = (path: string): boolean => growing.has(path);
  const { key, access } = readAs(inputs, program.componentOf(task.path).reads, isMember);
  const plans = PLANS.get(task.clause) ?? new Map<string, Plan>();
  PLANS.set(task.clause, plans);
  const known = plans.get(`${delta} ${key}`);
  if (known !== undefined) return known;
  const plan = compileClause(program, task.path, task.clause, { isMember, delta }, access);
  plans.set(`${delta} ${key}`, plan);
  return plan;
}

/** True where the clause reads a member inside an expression that normalisation leaves as a lookup. */
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

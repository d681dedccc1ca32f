/** Evaluates the rules of one component semi-naively, in strict rounds: round n joins what round n−1 added with what was there. */

import type { Clause, Expression } from '../artifact/types.js';
import { EvaluationFault } from './errors.js';
import { normalise } from './plan/normalise.js';
import { compileClause, type Plan, recursiveSteps, type SizeOf, startPlan } from './plan/plans.js';
import type { SourceRole, SourceSpec } from './plan/unit.js';
import type { Component, EngineProgram } from './program.js';
import { partsOf } from './reads.js';
import { Relation } from './relation.js';
import type { Interner } from './values/codec.js';

/** A derived relation that is whole. Facts of round r are the rows from `rounds[r − 1]` (0 for the first) to `rounds[r]`. */
export interface Materialised {
  readonly relation: Relation;
  readonly rounds: readonly number[];
}

/** One state to evaluate on. */
export interface Inputs {
  readonly program: EngineProgram;
  readonly interner: Interner;
  readonly version: number;
  readonly factsMax: number;
  stored(path: string): Relation;
  derived(path: string): Materialised;
}

/** A relation while its component is evaluated: rows below `low` are older than the last round's, those below `high` are joined. */
interface Growing {
  readonly relation: Relation;
  readonly rounds: number[];
  low: number;
  high: number;
}

interface ClauseTask {
  readonly path: string;
  readonly clause: Clause;
  readonly number: number;
  /** Steps to run as delta; empty for a clause that reads nothing of its component. */
  readonly deltas: readonly number[];
  /** Reads its component where no delta can be taken (under `or`, for one): runs whole in every round. */
  readonly isWhole: boolean;
}

/** Yields between blocks of work. Throws EvaluationFault, with nothing left behind. */
export function* evaluateComponent(
  inputs: Inputs,
  component: Component,
): Generator<void, ReadonlyMap<string, Materialised>> {
  const growing = new Map<string, Growing>();
  for (const path of component.paths) {
    const arity = inputs.program.relations.get(path)?.endpoints.length ?? 0;
    growing.set(path, { relation: new Relation(arity, false), rounds: [], low: 0, high: 0 });
  }
  const tasks = component.paths.flatMap((path) => clauseTasks(inputs.program, path, growing));
  for (const task of tasks) if (task.isWhole || task.deltas.length === 0) yield* runClause(inputs, growing, task, -1);
  while (closeRound(growing)) {
    for (const task of tasks) {
      if (task.isWhole) yield* runClause(inputs, growing, task, -1);
      else for (const delta of task.deltas) yield* runClause(inputs, growing, task, delta);
    }
  }
  return growing;
}

function clauseTasks(program: EngineProgram, path: string, growing: ReadonlyMap<string, Growing>): ClauseTask[] {
  const isMember = (relation: string): boolean => growing.has(relation);
  return program.clausesOf(path).map((clause, number) => {
    const deltas = recursiveSteps(program, clause, isMember);
    return { path, clause, number, deltas, isWhole: looksUpMember(program, clause, isMember) };
  });
}

/** Ends a round; false where it added nothing. */
function closeRound(growing: ReadonlyMap<string, Growing>): boolean {
  let added = false;
  for (const each of growing.values()) {
    each.low = each.high;
    each.high = each.relation.count;
    each.rounds.push(each.high);
    if (each.high > each.low) added = true;
  }
  return added;
}

function* runClause(
  inputs: Inputs,
  growing: ReadonlyMap<string, Growing>,
  task: ClauseTask,
  delta: number,
): Generator<void, void> {
  const target = growing.get(task.path) as Growing;
  const { path, number: clause } = task;
  try {
    const plan = clausePlan(inputs, growing, task, delta);
    const isIdle = plan.sources.some((spec) => spec.role === 'delta' && isEmptyDelta(growing.get(spec.path)));
    if (isIdle) return;
    yield* startPlan(plan, inputs.interner, (spec) => resolveSource(inputs, growing, spec), {
      target: target.relation,
      factsMax: inputs.factsMax,
      overBudget: () => {
        throw new EvaluationFault('factBudget', `${path} derives more than ${inputs.factsMax} facts`, { path });
      },
      outer: {},
      bound: [],
      context: {},
    });
    // Many short runs are long work too.
    yield;
  } catch (error) {
    throw error instanceof EvaluationFault ? error.at({ path, clause, span: task.clause.span }) : error;
  }
}

function isEmptyDelta(growing: Growing | undefined): boolean {
  return growing !== undefined && growing.low === growing.high;
}

function resolveSource(inputs: Inputs, growing: ReadonlyMap<string, Growing>, spec: SourceSpec) {
  const member = growing.get(spec.path);
  if (member === undefined) return resolveInput(inputs, spec);
  const { relation } = member;
  const low = spec.role === 'delta' ? member.low : 0;
  const high = spec.role === 'old' ? member.low : member.high;
  return { relation, version: 0, low, high };
}

/** The rows that a state has of a relation. */
export function resolveInput(inputs: Inputs, spec: { readonly path: string; readonly role: SourceRole }) {
  const relation = spec.role === 'stored' ? inputs.stored(spec.path) : inputs.derived(spec.path).relation;
  return { relation, version: inputs.version, low: 0, high: relation.count };
}

const PLANS = new WeakMap<Clause, Map<string, Plan>>();

/** A plan is made anew where the sizes that decided its order have changed by an order of magnitude. */
function clausePlan(inputs: Inputs, growing: ReadonlyMap<string, Growing>, task: ClauseTask, delta: number): Plan {
  const { program } = inputs;
  const sizeOf: SizeOf = (path) => (growing.has(path) ? GROWING_SIZE : sizeOfInput(inputs, path));
  const sizes = program.componentOf(task.path).reads;
  const key = `${delta} ${[...sizes].map((path) => sizeClass(sizeOf(path))).join(' ')}`;
  const plans = PLANS.get(task.clause) ?? new Map<string, Plan>();
  PLANS.set(task.clause, plans);
  const known = plans.get(key);
  if (known !== undefined) return known;
  const recursion = { isMember: (path: string) => growing.has(path), delta };
  const plan = compileClause(program, task.path, task.clause, recursion, (path) => 10 ** sizeClass(sizeOf(path)));
  plans.set(key, plan);
  return plan;
}

/** What to expect of a relation of which nothing is known yet. */
const GROWING_SIZE = 10_000;

export function sizeOfInput(inputs: Inputs, path: string): number {
  return inputs.program.isRule(path) ? inputs.derived(path).relation.count : inputs.stored(path).count;
}

export function sizeClass(size: number): number {
  return Math.round(Math.log10(size + 1));
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

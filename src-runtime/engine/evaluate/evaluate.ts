/**
 * Semi-naive evaluation of one component in strict rounds: round n joins what round n−1 added with all earlier rows.
 *
 * A component with `least` or `greatest` values is evaluated twice. The first time finds the best value of each group,
 * in any order that suits (`best-values.ts`). The second time takes in only heads with a best value, so that its rounds
 * give each fact the height of its lowest proof from facts that are kept.
 */

import type { Clause, Expression } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import { type GroupTotals, totalsFor } from '../plan/group-totals.js';
import { normalise } from '../plan/normalise.js';
import type { Source, SourceRole, SourceRows } from '../plan/physical/sources.js';
import { type BoundPlan, bindPlan, compileClause, type Plan, recursiveSteps, type TakeHead } from '../plan/plans.js';
import { BLOCK_ROWS, type Counters, type Target } from '../plan/unit.js';
import { isLinear, isStrict } from '../program/kept-values.js';
import type { Component, EngineProgram } from '../program/program.js';
import { partsOf } from '../program/reads.js';
import { appendRow } from '../relation/insert-row.js';
import { UNFOUNDED_RANK } from '../relation/ranks.js';
import { Relation } from '../relation/relation.js';
import type { EndpointInfo } from '../types.js';
import { comparedBy } from '../values/kept-order.js';
import { BestValues, offerCode, Settling, settleCode } from './best-values.js';
import { type Inputs, readAs, rowsOfInput } from './inputs.js';

/** A relation during evaluation. Rows before `low` are older than the last round; rows before `high` are joined. */
interface Growing {
  readonly relation: Relation;
  low: number;
  high: number;
  /** While the best values are looked for: its batches are the rounds. */
  readonly best?: BestValues;
  /** Of a relation with a kept value: what takes in heads, and how. */
  readonly kept?: { readonly name: string; readonly target: Target; readonly take: TakeHead };
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

type GrowingRelations = ReadonlyMap<string, Growing>;

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
  readonly observe?: Observer | undefined;
  /** Expected rows of a relation, so that it need not grow. */
  readonly expected?: (path: string) => number;
  /** Where the totals of a clause's aggregate are kept. */
  readonly totalsOf?: TotalsOf | undefined;
}

export type TotalsOf = (task: ClauseTask, aggregate: Expression & { op: 'aggregate' }) => GroupTotals | null;

/** Yields between blocks of work. Throws EvaluationFault, and leaves nothing behind then. */
export function* evaluateComponent(
  inputs: Inputs,
  component: Component,
  { observe, expected, totalsOf }: EvaluateOptions = {},
): Generator<void, Evaluated> {
  const growing = new Map<string, Growing>();
  const best = new Map<string, BestValues>();
  for (const path of component.paths) {
    const values = keptValues(inputs, path, expected?.(path));
    if (values !== undefined) best.set(path, values);
    growing.set(path, growingOf(inputs.program.relations.get(path)?.endpoints.length ?? 0, expected?.(path)));
  }
  let cost = 0;
  if (best.size > 0) {
    const searched = new Map<string, Growing>();
    for (const path of component.paths) {
      const endpoints = inputs.program.relations.get(path)?.endpoints ?? [];
      const values = best.get(path);
      searched.set(path, values === undefined ? growingOf(endpoints.length) : searchedBy(values, endpoints));
    }
    cost += yield* evaluateInRounds(inputs, component, searched, { observe, totalsOf });
    if (isStrict(inputs.program, component) && isLinear(inputs.program, component)) {
      // The batch that found a value is its rank: what it was derived from was found earlier, and is still the best.
      const relations = [...best].map(([path, { rows }]) => [path, rows] as const);
      for (const [, { ownRanks, count }] of relations) {
        ownRanks.areLowest = false;
        cost += count;
      }
      return { relations: new Map(relations), cost };
    }
    for (const [path, values] of best) {
      const relation = Relation.evaluated(values.rows.arity, values.rows.count);
      const kept = { name: 'settles', target: new Settling(values, relation), take: settleCode(relation.arity) };
      growing.set(path, { relation, low: 0, high: 0, kept });
    }
    cost += yield* evaluateInRounds(inputs, component, growing, { totalsOf });
    cost += yield* keepUnfounded(inputs, component, growing, searched, totalsOf);
  } else {
    cost += yield* evaluateInRounds(inputs, component, growing, { observe, totalsOf });
  }
  for (const { relation } of growing.values()) {
    relation.seal();
    cost += relation.count;
  }
  return { relations: new Map([...growing].map(([path, { relation }]) => [path, relation])), cost };
}

/** Undefined for a relation that keeps all values. */
function keptValues({ program, interner }: Inputs, path: string, expected = 0): BestValues | undefined {
  const endpoints = program.relations.get(path)?.endpoints ?? [];
  const isKept = endpoints.at(-1)?.keeps !== undefined;
  return isKept ? new BestValues(program, interner, endpoints, expected) : undefined;
}

function growingOf(arity: number, expected?: number): Growing {
  return { relation: Relation.evaluated(arity, expected), low: 0, high: 0 };
}

function searchedBy(best: BestValues, endpoints: readonly EndpointInfo[]): Growing {
  const take = offerCode(endpoints.length, comparedBy(endpoints.at(-1) as EndpointInfo));
  return { relation: best.rows, low: 0, high: 0, best, kept: { name: 'offers', target: best, take } };
}

/**
 * Adds facts that only follow by way of a value which a better one has replaced since, derived from the fact itself.
 * They have no rank, so the component is not maintained; its history serves their proofs.
 */
function* keepUnfounded(
  inputs: Inputs,
  component: Component,
  growing: GrowingRelations,
  searched: GrowingRelations,
  totalsOf: TotalsOf | undefined,
): Generator<void, number> {
  const isWhole = [...searched].every(([path, { relation }]) => growing.get(path)?.relation.count === relation.count);
  if (isWhole) return 0;
  const rows = { count: 0 };
  const recorded = new Map<string, Growing & { readonly kept: { readonly target: Recorder } }>();
  for (const [path, { relation: found }] of searched) {
    const { relation } = growing.get(path) as Growing;
    relation.beginRound(UNFOUNDED_RANK, relation.count);
    for (let row = 0; row < found.count; row++) relation.add(found.rowAt(row));
    recorded.set(path, recordedFor(inputs, path, rows));
  }
  const cost = yield* evaluateInRounds(inputs, component, recorded, { totalsOf });
  for (const [path, { kept }] of recorded) {
    const { ownRanks } = (growing.get(path) as Growing).relation;
    ownRanks.history = kept.target.history;
    ownRanks.areLowest = false;
  }
  return cost;
}

/** Notes each row, and each better value, in the order in which they are found. */
interface Recorder extends Target {
  readonly history: Relation;
  take(codes: readonly number[]): boolean;
}

const record: TakeHead = (target: Recorder, ...codes) => target.take(codes);

function recordedFor(inputs: Inputs, path: string, rows: { count: number }) {
  const endpoints = inputs.program.relations.get(path)?.endpoints ?? [];
  const arity = endpoints.length;
  const history = Relation.withRanks(arity);
  history.ownRanks.areLowest = false;
  const append = appendRow(arity);
  const own = keptValues(inputs, path);
  const member = own === undefined ? growingOf(arity) : searchedBy(own, endpoints);
  const offer = own === undefined ? undefined : offerCode(arity, comparedBy(endpoints.at(-1) as EndpointInfo));
  const target: Recorder = {
    history,
    get count() {
      return history.count;
    },
    take(codes) {
      const isNew = own === undefined || offer === undefined ? member.relation.add(codes) : offer(own, ...codes);
      rows.count += 1;
      if (isNew) append(history, rows.count, ...codes);
      return isNew;
    },
  };
  return { ...member, kept: { name: 'records', target, take: record } };
}

/** Runs the clauses until a round adds nothing. Returns the cost. */
function* evaluateInRounds(
  inputs: Inputs,
  component: Component,
  growing: GrowingRelations,
  { observe, totalsOf }: EvaluateOptions,
): Generator<void, number> {
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
  return cost;
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
function closeRound(growing: GrowingRelations, round: number): boolean {
  let added = false;
  for (const each of growing.values()) {
    if (each.best !== undefined) {
      each.best.nextBatch();
      each.high = each.best.batch.count;
      if (each.high > 0) added = true;
      continue;
    }
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
  growing: GrowingRelations,
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
  growing: GrowingRelations,
  task: RunningTask,
  delta: number,
  counts: boolean,
): Generator<void, Run> {
  const own = growing.get(task.path) as Growing;
  const plan = yield* clausePlan(inputs, growing, task, delta, counts);
  const counters = { rows: 0, heads: 0 };
  const bound = yield* bindPlan(
    plan,
    inputs.interner,
    (spec) => {
      const member = growing.get(spec.path);
      return member === undefined ? rowsOfInput(inputs, spec) : rowsOfMember(spec.role, member);
    },
    {
      target: own.kept?.target ?? own.relation,
      factsMax: inputs.factsMax,
      overBudget: () => overBudget(inputs, task.path, own.best),
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
    const { low, high } = rowsOfMember(role, growing);
    source.low = low;
    source.high = high;
    const { index, relation } = source;
    if (index === null) continue;
    if (relation.count - index.indexed > BLOCK_ROWS) yield* index.extendInBlocks(relation, false);
    index.extend(relation.rows, relation.count);
  }
  return true;
}

function rowsOfMember(role: SourceRole, { relation, low, high, best }: Growing): SourceRows {
  if (best !== undefined) {
    // Rows of a batch are joined with all rows as they are now: whichever of two is better last is joined last.
    const read = role === 'delta' ? best.batch : relation;
    return { relation: read, version: 0, low: 0, high: read.count };
  }
  return { relation, version: 0, low: role === 'delta' ? low : 0, high: role === 'old' ? low : high };
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

/** With `best`, the values of a few facts may have become better without end. */
export function overBudget(inputs: Inputs, path: string, best?: BestValues): never {
  const isEndless = best !== undefined && best.rows.count <= inputs.factsMax;
  const message = isEndless
    ? `${path} derives more than ${inputs.factsMax} values, each better than the one before: they may get better without end`
    : `${path} derives more than ${inputs.factsMax} facts`;
  throw new EvaluationFault('factBudget', message, { path });
}

const PLANS = new WeakMap<Clause, Map<string, Plan>>();

/**
 * A plan is cached until the sizes that decided its order change by an order of magnitude. Yields before it compiles.
 */
function* clausePlan(
  inputs: Inputs,
  growing: GrowingRelations,
  task: ClauseTask,
  delta: number,
  counts: boolean,
): Generator<void, Plan> {
  const { program } = inputs;
  const isMember = (path: string): boolean => growing.has(path);
  const { key, access } = readAs(inputs, program.componentOf(task.path).reads, isMember);
  const plans = PLANS.get(task.clause) ?? new Map<string, Plan>();
  PLANS.set(task.clause, plans);
  const { kept } = growing.get(task.path) as Growing;
  const taken = kept === undefined ? '' : `${kept.name} `;
  const name = `${delta} ${taken}${counts ? 'counts ' : ''}${key}`;
  const known = plans.get(name);
  if (known !== undefined) return known;
  yield;
  const plan = compileClause(program, task.path, task.clause, { isMember, delta }, access, counts, kept?.take);
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

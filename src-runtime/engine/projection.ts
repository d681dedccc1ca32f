/** Evaluates every rule of a program on one state, and tells what each clause took and added, round by round. */

import { type Clock, DeadlineExceeded, type Pacer } from '../base/ports.js';
import type { Span } from '../base/span.js';
import { BLOCK_ITEMS } from './blocks.js';
import { drive } from './drive.js';
import { type ClauseRun, evaluateComponent, type Observer } from './evaluate.js';
import type { Inputs, Materialised } from './inputs.js';
import type { Plan } from './plan/plans.js';
import { BLOCK_ROWS } from './plan/unit.js';
import type { Component, EngineProgram } from './program.js';
import type { StoreView } from './store.js';
import type { View } from './types.js';

/** One run of a clause: all it reads, or one step over what the round before added and the others over everything. */
export interface TraceEntry {
  /** Index into the projection's strata. */
  readonly stratum: number;
  /** From 1, within the stratum. */
  readonly round: number;
  readonly rule: string;
  /** From 0. */
  readonly clause: number;
  readonly span: Span;
  readonly newFacts: number;
  /** Time inside the run; what other work did between its blocks is not counted. */
  readonly ms: number;
  /** Rounded down to blocks, so that a short run shows 0. */
  readonly rowsVisited: number;
  /** The relations that the plan reads, outermost first, and how. */
  readonly joinOrder: string;
}

export interface ClauseProfile {
  readonly rule: string;
  readonly clause: number;
  readonly span: Span;
  runs: number;
  newFacts: number;
  ms: number;
  rowsVisited: number;
}

export interface Stratum {
  readonly relations: readonly string[];
  readonly recursive: boolean;
  readonly rounds: number;
  readonly facts: number;
  readonly ms: number;
}

export interface Projection {
  /** Derived facts by rule, defines and checks among them, in the order in which they were evaluated. */
  readonly facts: ReadonlyMap<string, number>;
  /** In the order of evaluation. */
  readonly strata: readonly Stratum[];
  /** The slowest first. */
  readonly clauses: readonly ClauseProfile[];
  readonly trace: readonly TraceEntry[];
}

/** Throws EvaluationFault and DeadlineExceeded; nothing is kept then. The state's own derived relations stay as they are. */
export async function project(view: View, clock: Clock, pacer: Pacer): Promise<Projection> {
  const { program, store, version, interner } = view as StoreView;
  const derived = new Map<string, Materialised>();
  const inputs: Inputs = {
    program,
    interner,
    version,
    factsMax: store.factsMax,
    stored: (path) => store.state(path).relation,
    derived: (path) => derived.get(path) as Materialised,
  };
  const strata: Stratum[] = [];
  const trace: TraceEntry[] = [];
  for (const component of program.componentsFor(program.rules.keys())) {
    const first = trace.length;
    const observe = observer(program, clock, strata.length, trace);
    const { relations } = await within(component, drive(evaluateComponent(inputs, component, observe), pacer));
    let facts = 0;
    for (const [path, relation] of relations) {
      derived.set(path, { relation, version, size: relation.count });
      facts += relation.count;
    }
    const own = trace.slice(first);
    strata.push({
      relations: component.paths,
      recursive: component.recursive,
      rounds: own.findLast(({ newFacts }) => newFacts > 0)?.round ?? 0,
      facts,
      ms: own.reduce((sum, { ms }) => sum + ms, 0),
    });
  }
  const facts = new Map([...derived].map(([path, { size }]) => [path, size]));
  return { facts, strata, clauses: await drive(profileOf(trace), pacer), trace };
}

/** Names the rule that the time ran out in. */
async function within<T>(component: Component, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DeadlineExceeded ? new DeadlineExceeded(error.budgetMs, component.paths[0]) : error;
  }
}

function observer(program: EngineProgram, clock: Clock, stratum: number, trace: TraceEntry[]): Observer {
  return function* (run: ClauseRun, work) {
    const before = run.target.count;
    let ms = 0;
    let blocks = 0;
    for (;;) {
      const start = clock.now();
      const step = work.next();
      ms += clock.now() - start;
      if (step.done === true) break;
      blocks += 1;
      yield;
    }
    trace.push({
      stratum,
      round: run.round,
      rule: run.path,
      clause: run.number,
      span: run.clause.span,
      newFacts: run.target.count - before,
      ms,
      rowsVisited: blocks * BLOCK_ROWS,
      joinOrder: joinOrder(program, run.plan),
    });
  };
}

function* profileOf(trace: readonly TraceEntry[]): Generator<void, ClauseProfile[]> {
  const profiles = new Map<string, ClauseProfile>();
  for (const [index, { rule, clause, span, newFacts, ms, rowsVisited }] of trace.entries()) {
    if (index % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
    const key = `${rule} ${clause}`;
    const profile = profiles.get(key) ?? { rule, clause, span, runs: 0, newFacts: 0, ms: 0, rowsVisited: 0 };
    profiles.set(key, profile);
    profile.runs += 1;
    profile.newFacts += newFacts;
    profile.ms += ms;
    profile.rowsVisited += rowsVisited;
  }
  return [...profiles.values()].sort((left, right) => right.ms - left.ms || right.rowsVisited - left.rowsVisited);
}

/** A plan opens its sources in the order of its joins. */
function joinOrder(program: EngineProgram, plan: Plan): string {
  const known = ORDERS.get(plan);
  if (known !== undefined) return known;
  const words = plan.sources.map(({ path, role, columns }) => {
    const endpoints = program.relations.get(path)?.endpoints ?? [];
    const names = (columns ?? []).map((column) => endpoints[column]?.name ?? String(column));
    const how = names.length === 0 ? 'scan' : `index on ${names.join(', ')}`;
    return `${path}${role === 'delta' ? ' (new)' : ''} by ${how}`;
  });
  const order = words.join(' → ');
  ORDERS.set(plan, order);
  return order;
}

const ORDERS = new WeakMap<Plan, string>();

/** Evaluates every rule of a program on one state, and measures each clause round by round. */

import type { Deadline, Stopwatch } from '../../base/ports.js';
import type { Span } from '../../base/span.js';
import { type ClauseRun, evaluateComponent, type Observer } from '../evaluate/evaluate.js';
import type { Inputs, Materialised } from '../evaluate/inputs.js';
import type { SourceRole } from '../plan/physical/sources.js';
import type { Plan } from '../plan/plans.js';
import type { Join } from '../plan/unit.js';
import type { EngineProgram } from '../program/program.js';
import { derivingDeadline } from '../scheduling/deriving.js';
import { drive } from '../scheduling/drive.js';
import type { StoreView } from '../store/store-view.js';
import type { View } from '../types.js';

/** One run of a clause: over all it reads, or over the last round's rows for one step and all rows for the others. */
export interface TraceEntry {
  /** Index into the projection's strata. */
  readonly stratum: number;
  /** From 1, within the stratum. */
  readonly round: number;
  readonly rule: string;
  /** From 0. */
  readonly clause: number;
  readonly span: Span;
  /** Bindings that satisfied the body. */
  readonly heads: number;
  /** Heads that were new. */
  readonly newFacts: number;
  /** Time within the run, without other work between its blocks. */
  readonly ms: number;
  /** Rows that its loops visited, those of aggregates and numbers of ranges included. */
  readonly rowsVisited: number;
  /** How the plan finds its rows, the outermost first. */
  readonly joinOrder: string;
}

export interface ClauseProfile {
  readonly rule: string;
  readonly clause: number;
  readonly span: Span;
  /** Of its plans, one for each step that reads the delta. */
  readonly joinOrders: string[];
  runs: number;
  heads: number;
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
  /** Derived facts by rule in the order of evaluation, defines and checks included. */
  readonly facts: ReadonlyMap<string, number>;
  /** In the order of evaluation. */
  readonly strata: readonly Stratum[];
  /** The slowest first. */
  readonly clauses: readonly ClauseProfile[];
  /** The first runs in order. A deep recursion has more than anybody reads. */
  readonly trace: readonly TraceEntry[];
  /** True if there were more. The profile counts all. */
  readonly traceCut: boolean;
}

/** Entries of a trace by default. */
const TRACE_MAX = 10_000;

interface ProjectOptions {
  readonly traceMax?: number;
}

/** Throws EvaluationFault and DeadlineExceeded; nothing is kept then. The state's derived relations are not changed. */
export async function project(
  view: View,
  stopwatch: Stopwatch,
  deadline: Deadline,
  {
    paths,
    ...options
  }: ProjectOptions & {
    /** Evaluates only these relations and those that they are derived from. */
    readonly paths?: Iterable<string>;
  } = {},
): Promise<Projection> {
  const { program } = view as StoreView;
  const wanted = paths ?? program.rules.keys();
  return (await projectRules(view, program, wanted, { stopwatch, deadline, ...options })).projection;
}

/** The same for these rules of a program and those that they read. `inputs` reads the results. */
export async function projectRules(
  view: View,
  program: EngineProgram,
  wanted: Iterable<string>,
  {
    stopwatch,
    deadline,
    traceMax = TRACE_MAX,
  }: ProjectOptions & { readonly stopwatch: Stopwatch; readonly deadline: Deadline },
): Promise<{ readonly inputs: Inputs; readonly projection: Projection }> {
  const { store, version, interner } = view as StoreView;
  const derived = new Map<string, Materialised>();
  const inputs: Inputs = {
    program,
    interner,
    version,
    factsMax: store.factsMax,
    stored: (path) => store.stored.of(path).relation,
    derived: (path) => derived.get(path) as Materialised,
  };
  const strata: Stratum[] = [];
  const record = new TraceRecorder(program, stopwatch, traceMax);
  for (const component of program.componentsFor(wanted)) {
    const taken = record.begin(strata.length);
    const deriving = derivingDeadline(deadline, component.paths[0] ?? '');
    const { relations } = await drive(evaluateComponent(inputs, component, { observe: record.observe }), deriving);
    let facts = 0;
    for (const [path, relation] of relations) {
      derived.set(path, { relation, version, size: relation.count });
      facts += relation.count;
    }
    strata.push({ relations: component.paths, recursive: component.recursive, facts, ...taken });
  }
  const facts = new Map([...derived].map(([path, { size }]) => [path, size]));
  const projection = { facts, strata, clauses: record.slowestFirst(), trace: record.trace, traceCut: record.isCut };
  return { inputs, projection };
}

/** Records each run of a clause. */
class TraceRecorder {
  readonly trace: TraceEntry[] = [];
  isCut = false;
  private readonly program: EngineProgram;
  private readonly stopwatch: Stopwatch;
  private readonly traceMax: number;
  private readonly profiles = new Map<string, ClauseProfile>();
  private stratum = 0;
  /** Of the stratum. */
  private taken = { rounds: 0, ms: 0 };

  constructor(program: EngineProgram, stopwatch: Stopwatch, traceMax: number) {
    this.program = program;
    this.stopwatch = stopwatch;
    this.traceMax = traceMax;
  }

  /** Returns totals of the stratum, which are final once it is evaluated. */
  begin(stratum: number): { readonly rounds: number; readonly ms: number } {
    this.stratum = stratum;
    this.taken = { rounds: 0, ms: 0 };
    return this.taken;
  }

  slowestFirst(): ClauseProfile[] {
    const profiles = [...this.profiles.values()];
    return profiles.sort((left, right) => right.ms - left.ms || right.rowsVisited - left.rowsVisited);
  }

  readonly observe: Observer = (run, work) => this.follow(run, work);

  private *follow(run: ClauseRun, work: Generator<void, unknown>): Generator<void, void> {
    const { stopwatch } = this;
    const { rows, heads } = run.counters;
    const before = run.target.count;
    const ms = yield* timed(work, stopwatch);
    this.add({
      stratum: this.stratum,
      round: run.round,
      rule: run.path,
      clause: run.number,
      span: run.clause.span,
      heads: run.counters.heads - heads,
      newFacts: run.target.count - before,
      ms,
      rowsVisited: run.counters.rows - rows,
      joinOrder: joinOrder(this.program, run.plan),
    });
  }

  private add(entry: TraceEntry): void {
    if (this.trace.length < this.traceMax) this.trace.push(entry);
    else this.isCut = true;
    const { rule, clause, span, round, heads, newFacts, ms, rowsVisited, joinOrder } = entry;
    if (newFacts > 0) this.taken.rounds = Math.max(this.taken.rounds, round);
    this.taken.ms += ms;
    const key = `${rule} ${clause}`;
    const none = { rule, clause, span, joinOrders: [], runs: 0, heads: 0, newFacts: 0, ms: 0, rowsVisited: 0 };
    const profile: ClauseProfile = this.profiles.get(key) ?? none;
    this.profiles.set(key, profile);
    if (!profile.joinOrders.includes(joinOrder)) profile.joinOrders.push(joinOrder);
    profile.runs += 1;
    profile.heads += heads;
    profile.newFacts += newFacts;
    profile.ms += ms;
    profile.rowsVisited += rowsVisited;
  }
}

/** Runs work to its end and measures it, without other work between its blocks. */
export function* timed(work: Generator<void, unknown>, stopwatch: Stopwatch): Generator<void, number> {
  let ms = 0;
  for (;;) {
    const start = stopwatch.now();
    const step = work.next();
    ms += stopwatch.now() - start;
    if (step.done === true) return ms;
    yield;
  }
}

export function joinOrder(program: EngineProgram, plan: Plan): string {
  const known = ORDERS.get(plan);
  if (known !== undefined) return known;
  const order = wordsOf(program, plan.joins);
  ORDERS.set(plan, order);
  return order;
}

const ORDERS = new WeakMap<Plan, string>();

function wordsOf(program: EngineProgram, joins: readonly Join[]): string {
  return joins.map((join) => joinWords(program, join)).join(' → ');
}

function joinWords(program: EngineProgram, join: Join): string {
  if (join.kind === 'each') return `each ${join.variable}`;
  if (join.kind === 'either') return join.alternatives.map((each) => `(${wordsOf(program, each)})`).join(' or ');
  if (join.kind === 'aggregate') return `${join.name} of (${wordsOf(program, join.joins)})`;
  const { kind, path, role, columns } = join;
  const endpoints = program.relations.get(path)?.endpoints ?? [];
  const names = (columns ?? []).map((column) => endpoints[column]?.name ?? String(column));
  const how = names.length === 0 ? 'scan' : `index on ${names.join(', ')}`;
  return `${kind === 'absent' ? 'not ' : ''}${path}${AGES[role] ?? ''} by ${how}`;
}

/** The part of a growing relation that a step of a recursive clause reads; all of it by default. */
const AGES: Partial<{ [Role in SourceRole]: string }> = { delta: ' (new)', old: ' (older)' };

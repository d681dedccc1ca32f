/** Compiles clauses, conditions and expressions to plans, one for each kind of use, and binds plans to relations. */

import type { Clause, Expression, Type } from '../../artifact/types.js';
import type { Bare } from '../../base/bare-record.js';
import type { EngineProgram } from '../program/program.js';
import { insertRow } from '../relation/insert-row.js';
import { type Layer, layersOf } from '../relation/overlays.js';
import type { Relation } from '../relation/relation.js';
import type { Interner } from '../values/codec.js';
import { isComposite } from '../values/composites.js';
import { NO_INTS } from '../values/int-array.js';
import type { Value } from '../values/value.js';
import { withBindings } from './bindings.js';
import { PLAIN, writeCondition } from './conditions.js';
import { ExpressionWriter, IN_BODY, OUTSIDE, type Register, type Scope } from './expressions.js';
import { type Goal, wantedOf } from './goal.js';
import { isFaultable, normalise } from './normalise.js';
import { bloomFilter } from './physical/bloom-filter.js';
import type { Source, SourceLayer, SourceRole, SourceRows, SourceSpec } from './physical/sources.js';
import { type Access, type Join, type PlanFactory, type Runtime, Unit } from './unit.js';
import { variablesOf } from './variables.js';

export interface Plan {
  readonly factory: PlanFactory;
  readonly constants: readonly unknown[];
  readonly codes: readonly { readonly type: Type; readonly value: Value }[];
  readonly sources: readonly SourceSpec[];
  /** Aggregates whose totals may outlive a run. */
  readonly followed: readonly (Expression & { op: 'aggregate' })[];
  /** The order of its joins. */
  readonly joins: readonly Join[];
}

/** Outer variables by name. Codes are in `Runtime.bound` in this order; lists and records are by name. */
export type OuterTypes = Readonly<Bare<Type>>;

/** How the steps of a clause read the relations of its component. */
export interface Recursion {
  readonly isMember: (relation: string) => boolean;
  /** The step that reads the delta; −1 if the whole clause reads everything. */
  readonly delta: number;
}

/** The steps of a clause that join relations of its own component. */
export function recursiveSteps(
  program: EngineProgram,
  clause: Clause,
  isMember: (relation: string) => boolean,
): number[] {
  const { steps } = normalise(program, clause.condition);
  return steps.flatMap((step, index) => (step.kind === 'atom' && isMember(step.relation) ? [index] : []));
}

/** A function of generated code that takes in a head, one argument a column after the target. True if it is new. */
export type TakeHead = (target: never, ...codes: number[]) => boolean;

/**
 * A plan that inserts the heads of a clause into its target, by `take` if it is given. With `counts` it counts rows and
 * heads.
 */
export function compileClause(
  program: EngineProgram,
  path: string,
  clause: Clause,
  recursion: Recursion,
  access: Access,
  counts: boolean,
  take?: TakeHead,
): Plan {
  const unit = new Unit(program, access, { counts });
  const { steps } = normalise(program, clause.condition);
  const roleOfStep = (index: number): SourceRole | undefined => {
    const step = steps[index];
    if (step?.kind !== 'atom' || !recursion.isMember(step.relation) || recursion.delta < 0) return undefined;
    return index === recursion.delta ? 'delta' : index < recursion.delta ? 'all' : 'old';
  };
  const wanted = new Set(clause.head.flatMap((head) => [...variablesOf(head)]));
  const options = { first: recursion.delta, roleOfStep, mayRepeat: true, wanted };
  const body = writeCondition(unit, clause.condition, new Map(), options, (scope) => {
    return `${counts ? COUNT_HEAD : ''} ${insertHead(unit, path, clause, scope, take)}`;
  });
  return planOf(unit, body);
}

const COUNT_HEAD = 'X.counters.heads++;';

function insertHead(unit: Unit, path: string, clause: Clause, scope: Scope, take?: TakeHead): string {
  const codes = headCodes(unit, path, clause, scope);
  if (!clause.head.some((head) => isFaultable(unit.program, head))) return insertSource(unit, codes, '', take);
  const names = codes.map(() => unit.name('head'));
  const assign = codes.map((code, column) => `${names[column]} = ${code};`).join(' ');
  return `let ${names.join(', ')}; ${withBindings(unit, assign, scope)} ${insertSource(unit, names, '', take)}`;
}

/** Source of the codes of a clause's head. */
export function headCodes(unit: Unit, path: string, clause: Clause, scope: Scope): string[] {
  const endpoints = unit.program.relations.get(path)?.endpoints ?? [];
  const writer = new ExpressionWriter(unit, scope, IN_BODY);
  return clause.head.map((head, column) => writer.code(head, endpoints[column]?.type ?? { kind: 'class', path: '' }));
}

/**
 * A plan that inserts the wanted variables of the condition, in their order, into its target. With `pauses` it yields
 * after each solution, for readers that want only the first. With `counts` it counts rows and solutions. With
 * `onlyCodes` outer lists and records are codes too.
 */
export function compileCondition(
  program: EngineProgram,
  condition: Goal,
  outer: OuterTypes,
  access: Access,
  {
    pauses = false,
    counts = false,
    onlyCodes = false,
  }: { readonly pauses?: boolean; readonly counts?: boolean; readonly onlyCodes?: boolean },
): Plan {
  const unit = new Unit(program, access, { counts });
  const { scope, declare } = outerScope(outer, onlyCodes);
  // Counting needs all solutions.
  const options = counts ? PLAIN : { ...PLAIN, wanted: new Set(wantedOf(condition).map(({ name }) => name)) };
  const body = writeCondition(unit, condition, scope, options, (inner) => {
    const codes = wantedOf(condition).map(({ name }) => inner.get(name)?.js ?? 'NONE');
    return `${counts ? COUNT_HEAD : ''} ${insertSource(unit, codes, pauses ? 'yield;' : '')}`;
  });
  return planOf(unit, `${declare} ${body}`);
}

/** A plan that returns the value of an expression outside rules. With `counts` it counts rows. */
export function compileExpression(
  program: EngineProgram,
  expression: Expression,
  outer: OuterTypes,
  access: Access,
  counts = false,
): Plan {
  const unit = new Unit(program, access, { counts });
  const { scope, declare } = outerScope(outer);
  const value = new ExpressionWriter(unit, scope, OUTSIDE).value(expression);
  return planOf(unit, `${declare} ${withBindings(unit, `return ${value};`, scope)}`);
}

/** The names of outer variables with codes. */
export function codedNames(outer: OuterTypes): string[] {
  return Object.keys(outer).filter((name) => !isComposite(outer[name] as Type));
}

/** A plan with its sources. It can be started any number of times. */
export interface BoundPlan {
  /** In the plan's order. */
  readonly sources: readonly Source[];
  start(): Generator<void, Value>;
  /** With its own outer variables and context. */
  startWith(outer: Runtime['outer'], bound: Runtime['bound'], context: Runtime['context']): Generator<void, Value>;
}

/** `resolve` says which rows each source sees. Yields while it builds indexes. */
export function* bindPlan(
  plan: Plan,
  interner: Interner,
  resolve: (spec: SourceSpec) => SourceRows,
  runtime: Omit<Runtime, 'interner' | 'resolve'>,
): Generator<void, BoundPlan> {
  const sources = yield* sourcesOf(plan, resolve);
  const codes = codesOf(plan, interner);
  const whole = runtimeOf(interner, resolve, runtime, runtime.outer, runtime.bound, runtime.context);
  return {
    sources,
    start: () => plan.factory(plan.constants, codes, sources, whole),
    startWith: (outer, bound, context) => {
      const own = runtimeOf(interner, resolve, whole, outer, bound, context);
      return plan.factory(plan.constants, codes, sources, own);
    },
  };
}

/** The plan's sources with their indexes. */
export function* sourcesOf(plan: Plan, resolve: (spec: SourceSpec) => SourceRows): Generator<void, readonly Source[]> {
  for (const spec of plan.sources) {
    if (spec.columns === null) continue;
    const { relation } = resolve(spec);
    if (relation.isFarAheadOf(spec.columns)) yield* relation.indexInBlocks(spec.columns);
  }
  const sources: Source[] = [];
  for (const spec of plan.sources) sources.push(openSource(spec, resolve(spec)));
  return sources;
}

function openSource({ columns, isLayered }: SourceSpec, resolved: SourceRows): Source {
  const indexOf = ({ relation }: { relation: Relation }) => (columns === null ? null : relation.index(columns));
  if (!isLayered) return sourceOf(resolved, indexOf(resolved), null, null);
  const layers = layersOf(resolved.relation, resolved.version);
  const opened: SourceLayer[] = [];
  for (const layer of layers) opened.push(layerOf(layer, indexOf(layer)));
  return sourceOf(resolved, null, opened, columns === null ? null : bloomFilter(layers, columns));
}

/** Codes of the plan's constants. */
export function codesOf({ codes }: Plan, interner: Interner): number[] {
  const encoded: number[] = [];
  for (const { type, value } of codes) encoded.push(interner.encode(type, value));
  return encoded;
}

/**
 * Sources and runtimes are written out field by field, so that they always have the same hidden class. The class of a
 * spread object is forgotten with the last such object, and the next one would deoptimise compiled plans. Arrays are
 * filled by push for the same reason: the result of `map` changes its kind once V8 has compiled the call.
 */

function runtimeOf(
  interner: Interner,
  resolve: Runtime['resolve'],
  { target, factsMax, overBudget, totals, counters }: Omit<Runtime, 'interner' | 'resolve'>,
  outer: Runtime['outer'],
  bound: Runtime['bound'],
  context: Runtime['context'],
): Runtime {
  return { interner, target, factsMax, overBudget, outer, bound, context, totals, resolve, counters };
}

export function sourceOf(
  { relation, version, low, high, below }: SourceRows,
  index: Source['index'],
  layers: Source['layers'],
  filter: Source['filter'],
): Source {
  const createdEnd = relation.createdEnd(version) - relation.offset;
  return { relation, version, low, high, below, createdEnd, index, layers, filter };
}

function layerOf({ relation, version, offset, createdEnd, tombstones }: Layer, index: Source['index']): SourceLayer {
  const { rows, ranks, count } = relation;
  const { deletedAt, liveEnd } = relation.lifetimes;
  const { slots, next, chainedFrom, layout } = index ?? NO_INDEX;
  return {
    relation,
    version,
    offset,
    createdEnd,
    tombstones,
    index,
    rows,
    deletedAt,
    liveEnd,
    ranks,
    slots,
    next,
    chainedFrom,
    layout,
    count,
  };
}

const NO_INDEX = { slots: NO_INTS, next: NO_INTS, chainedFrom: 0, layout: null };

export function planOf(unit: Unit, body: string): Plan {
  return {
    factory: unit.finish(body),
    constants: unit.constants,
    codes: unit.codes,
    sources: unit.sources,
    followed: unit.followed,
    joins: unit.frame.joins,
  };
}

/** Source that inserts a row into the target, and statements for a new row. */
export function insertSource(unit: Unit, codes: readonly string[], after: string, take?: TakeHead): string {
  const insert = unit.constant(take ?? insertRow(codes.length));
  return `if (${insert}(${['T', ...codes].join(', ')})) { if (T.count > X.factsMax) X.overBudget(); ${after} }`;
}

function outerScope(outer: OuterTypes, onlyCodes = false): { scope: Scope; declare: string } {
  const scope = new Map<string, Register>();
  const declarations: string[] = [];
  for (const [name, type] of Object.entries(outer)) {
    if (isComposite(type) && !onlyCodes) {
      scope.set(name, { js: `X.outer[${JSON.stringify(name)}]`, type, isCode: false });
      continue;
    }
    const js = `o${declarations.length}`;
    declarations.push(`const ${js} = X.bound[${declarations.length}];`);
    scope.set(name, { js, type, isCode: true });
  }
  return { scope, declare: declarations.join(' ') };
}

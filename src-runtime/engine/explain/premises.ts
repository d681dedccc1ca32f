/** What an instance of a clause rests on: the facts that each of its literals reads, and what it counts. */

import type { Clause, Condition, Expression, Literal, Type } from '../../artifact/types.js';
import { type Inputs, relationOf } from '../inputs.js';
import { conditionOf, normalise, type Step } from '../plan/normalise.js';
import { groupOf } from '../plan/variables.js';
import type { EngineProgram } from '../program.js';
import { partsOf } from '../reads.js';
import { BOOL } from '../values/value.js';
import { type CodeBindings, factLike, findBindings, type HeightLimits, tupleOf, typesOf } from './search.js';
import { codeOf, typeOf } from './value-of.js';

export interface ReadFact {
  readonly path: string;
  readonly codes: readonly number[];
}

export interface Premise {
  readonly literal: Literal;
  /** The fact of an atom; what an expression reads on its way, each once. */
  readonly facts: readonly ReadFact[];
  /** Of an aggregate: the bindings of its condition, all of them. */
  readonly contributions?: number;
  /** Facts behind further bindings were left out. */
  readonly isCut: boolean;
}

/** Where the premises of an instance are looked up. */
export interface Site {
  readonly inputs: Inputs;
  readonly bindings: CodeBindings;
  readonly types: ReadonlyMap<string, Type>;
  /** Of relations evaluated together with the head: facts of which heights count. */
  readonly limits: HeightLimits;
  /** Whether facts of this relation are asked for. */
  wants(path: string): boolean;
}

/** Bindings of an aggregate's condition behind which facts are looked up. */
const CONTRIBUTIONS_MAX = 1000;

/** Facts that one navigation to many reads, or one wildcard of an aggregate leaves open. */
const OPEN_MAX = 1000;

const EXPLICIT = new WeakMap<Clause, Condition>();

/**
 * The clause's condition with a variable in the place of each wildcard, so that a binding tells one fact from another: a proof
 * is not the only one where another fact would do in the place of the one that it shows.
 */
export function explicitCondition(program: EngineProgram, clause: Clause): Condition {
  const known = EXPLICIT.get(clause);
  if (known !== undefined) return known;
  const variables = [...clause.condition.variables];
  const literals = clause.condition.literals.map((literal): Literal => {
    if (literal.op !== 'atom' || !literal.args.includes(null)) return literal;
    const endpoints = program.relations.get(literal.relation)?.endpoints ?? [];
    const args = literal.args.map((arg, column) => {
      const type = endpoints[column]?.type;
      if (arg !== null || type === undefined) return arg;
      const name = `${WILDCARD_PREFIX}${variables.length}`;
      variables.push({ name, type });
      return { op: 'variable' as const, name };
    });
    return { ...literal, args };
  });
  const explicit = { variables, literals };
  EXPLICIT.set(clause, explicit);
  return explicit;
}

/** No source can spell it, and neither does normalisation. */
const WILDCARD_PREFIX = '$w';

/** The premises of a condition in source order. */
export function* premisesOf(site: Site, condition: Condition): Generator<void, Premise[]> {
  const premises: Premise[] = [];
  for (const index of condition.literals.keys()) premises.push(yield* premiseOf(site, condition, index));
  return premises;
}

function* premiseOf(site: Site, condition: Condition, index: number): Generator<void, Premise> {
  const literal = condition.literals[index] as Literal;
  const { inputs, bindings } = site;
  if (literal.op === 'absent') return { literal, facts: [], isCut: false };
  if (literal.op === 'atom') {
    if (!site.wants(literal.relation)) return { literal, facts: [], isCut: false };
    const codes = yield* factLike(inputs, literal.relation, tupleOf(inputs, literal, bindings), site.limits);
    return { literal, facts: codes === undefined ? [] : [{ path: literal.relation, codes }], isCut: false };
  }
  const facts = new FactSet();
  const { steps, types } = normalise(inputs.program, condition);
  const own = steps.filter((step) => step.literal === index);
  const read = yield* factsRead(site, own);
  facts.addAll(read.facts);
  const inner: Site = { ...site, bindings: read.bindings, types: new Map([...site.types, ...types]) };
  for (const step of own) {
    const expression = expressionOf(step);
    if (expression !== undefined) facts.addAll(yield* factsLookedUp(inner, expression));
  }
  let contributions: number | undefined;
  let isCut = false;
  for (const aggregate of aggregatesIn(expressionOf(literal))) {
    const found = yield* contributionsOf(site, aggregate);
    facts.addAll(found.facts);
    contributions = (contributions ?? 0) + found.count;
    isCut ||= found.isCut;
  }
  return { literal, facts: facts.all, isCut, ...(contributions !== undefined && { contributions }) };
}

/** What a literal or step evaluates beside facts. */
export function expressionOf(part: Step | Literal): Expression | undefined {
  if ('condition' in part) return part.condition;
  if ('value' in part && typeof part.value === 'object') return part.value;
  return 'in' in part ? part.in : undefined;
}

/** Facts that normalised steps read as joins, and the bindings that this adds. Of those that a wildcard leaves open, one or `all`. */
function* factsRead(
  { inputs, bindings, limits, wants }: Site,
  steps: readonly Step[],
  all = false,
): Generator<void, { readonly facts: readonly ReadFact[]; readonly bindings: CodeBindings }> {
  const known = new Map(bindings);
  const facts: ReadFact[] = [];
  for (const step of steps) {
    if (step.kind !== 'atom') continue;
    const pattern = tupleOf(inputs, step, known);
    const found = all && pattern.includes(null) ? yield* factsLike(inputs, step.relation, pattern) : [];
    const codes = found[0] ?? (yield* factLike(inputs, step.relation, pattern, limits));
    if (codes === undefined) continue;
    if (wants(step.relation)) {
      for (const each of found.length === 0 ? [codes] : found) facts.push({ path: step.relation, codes: each });
    }
    for (const [column, arg] of step.args.entries()) {
      if (arg?.op === 'variable' && !known.has(arg.name)) known.set(arg.name, codes[column] ?? 0);
    }
  }
  return { facts, bindings: known };
}

/** The first facts that agree with the pattern. */
function* factsLike(inputs: Inputs, path: string, pattern: readonly (number | null)[]): Generator<void, number[][]> {
  const { relation, version } = relationOf(inputs, path);
  const columns = [...pattern.keys()].filter((column) => pattern[column] !== null);
  yield* relation.indexInBlocks(columns);
  const rows = relation.matching(
    columns,
    columns.map((column) => pattern[column] ?? 0),
    version,
  );
  return rows.slice(0, OPEN_MAX).map((row) => relation.rowAt(row));
}

/** Facts that an expression looks up under `not`, `or`, `if`, `??` and the like; of branches, only those that count. */
function* factsLookedUp(site: Site, expression: Expression): Generator<void, ReadFact[]> {
  switch (expression.op) {
    case 'aggregate':
      return [];
    case 'if': {
      const facts = yield* factsLookedUp(site, expression.condition);
      const isTrue = yield* holds(site, expression.condition);
      return [...facts, ...(yield* factsLookedUp(site, isTrue ? expression.then : expression.else))];
    }
    case 'or': {
      for (const operand of expression.operands) {
        if (yield* holds(site, operand)) return yield* factsLookedUp(site, operand);
      }
      break;
    }
    case 'coalesce': {
      const facts = yield* factsLookedUp(site, expression.left);
      const type = typeOf(site.inputs, expression.left, site.types);
      const code = type && (yield* codeOf(site, expression.left, type));
      return typeof code === 'number' ? facts : [...facts, ...(yield* factsLookedUp(site, expression.right))];
    }
    case 'field':
    case 'navigate':
      return [...(yield* factsLookedUp(site, expression.of)), ...(yield* factsNavigated(site, expression))];
    default:
      break;
  }
  const facts: ReadFact[] = [];
  for (const part of partsOf(expression)) facts.push(...(yield* factsLookedUp(site, part)));
  return facts;
}

function* holds(site: Site, condition: Expression): Generator<void, boolean> {
  const code = yield* codeOf(site, condition, BOOL);
  return typeof code === 'number' && site.inputs.interner.decode(BOOL, code) === true;
}

function* factsNavigated(site: Site, read: Expression & { op: 'field' | 'navigate' }): Generator<void, ReadFact[]> {
  const [path, own] = read.op === 'field' ? [read.field, 0] : [read.relation, read.own];
  if (!site.wants(path)) return [];
  const { inputs, limits } = site;
  const type = inputs.program.relations.get(path)?.endpoints[own]?.type;
  const code = type && (yield* codeOf(site, read.of, type));
  if (typeof code !== 'number') return [];
  const { relation, version } = relationOf(inputs, path);
  const below = limits.get(path) ?? Number.POSITIVE_INFINITY;
  yield* relation.indexInBlocks([own]);
  const rows = relation.matching([own], [code], version).filter((row) => relation.heightOf(row) < below);
  return rows.slice(0, OPEN_MAX).map((row) => ({ path, codes: relation.rowAt(row) }));
}

/** The facts behind the bindings that an aggregate counts, and how many bindings there are. */
function* contributionsOf(
  site: Site,
  aggregate: Expression & { op: 'aggregate' },
): Generator<void, { readonly facts: readonly ReadFact[]; readonly count: number; readonly isCut: boolean }> {
  const { inputs, bindings } = site;
  const condition = conditionOf(aggregate);
  const { steps } = normalise(inputs.program, condition);
  const names = groupOf(aggregate);
  const group = new Map([...bindings].filter(([name]) => names.has(name)));
  const types = typesOf(condition, site.types);
  const found = yield* findBindings(inputs, aggregate.condition, group, types, { most: Number.POSITIVE_INFINITY });
  const facts = new FactSet();
  const shown = Math.min(found.count, CONTRIBUTIONS_MAX);
  for (let index = 0; index < shown; index++) {
    facts.addAll((yield* factsRead({ ...site, bindings: found.at(index) }, steps, true)).facts);
    if (index % 64 === 63) yield;
  }
  return { facts: facts.all, count: found.count, isCut: shown < found.count };
}

class FactSet {
  readonly all: ReadFact[] = [];
  private readonly known = new Set<string>();

  addAll(facts: readonly ReadFact[]): void {
    for (const fact of facts) {
      const key = `${fact.path} ${fact.codes.join()}`;
      if (this.known.has(key)) continue;
      this.known.add(key);
      this.all.push(fact);
    }
  }
}

export function aggregatesIn(expression: Expression | undefined): (Expression & { op: 'aggregate' })[] {
  if (expression === undefined) return [];
  if (expression.op === 'aggregate') return [expression];
  return partsOf(expression).flatMap(aggregatesIn);
}

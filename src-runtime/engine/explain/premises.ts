/** The premises of a clause instance: the facts that its literals read, and the bindings that it aggregates. */

import type { Clause, Condition, Expression, Literal, Type } from '../../artifact/types.js';
import { type Inputs, relationOf } from '../evaluate/inputs.js';
import { conditionOf, normalise, type Step, VALUE } from '../plan/normalise.js';
import { groupOf } from '../plan/variables.js';
import type { EngineProgram } from '../program/program.js';
import { branchesOf, partsOf } from '../program/reads.js';
import { BLOCK_ITEMS } from '../scheduling/blocks.js';
import { comparison } from '../values/compare.js';
import { BOOL } from '../values/value.js';
import {
  type CodeBindings,
  type FoundBindings,
  factLike,
  findBindings,
  type HeightLimits,
  tupleOf,
  typesOf,
} from './search.js';
import { codeOf, typeOf } from './value-of.js';

export interface ReadFact {
  readonly path: string;
  readonly codes: readonly number[];
}

export interface Premise {
  readonly literal: Literal;
  /** The fact of an atom, or the distinct facts that an expression reads. */
  readonly facts: readonly ReadFact[];
  /** What its aggregates take in. */
  readonly taken: readonly Taken[];
  /** A limit left out facts of further bindings. */
  readonly isCut: boolean;
}

export type Aggregate = Expression & { readonly op: 'aggregate' };

/** What one aggregate takes in. */
export interface Taken {
  readonly aggregate: Aggregate;
  /** All bindings of its condition. */
  readonly found: FoundBindings;
  /** Places in `found` of the bindings whose facts are looked up. One that decides a minimum or maximum comes first. */
  readonly shown: readonly number[];
}

/** Where the premises of an instance are looked up. */
export interface Site {
  readonly inputs: Inputs;
  readonly bindings: CodeBindings;
  readonly types: ReadonlyMap<string, Type>;
  /** Limits on ranks of relations in the head's component. */
  readonly limits: HeightLimits;
  /** Whether facts of this relation are wanted. */
  wants(path: string): boolean;
}

/** Bindings of an aggregate's condition whose facts are looked up. */
const CONTRIBUTIONS_MAX = 1000;

/** Facts for one navigation to many, or for one wildcard of an aggregate. */
const OPEN_MAX = 1000;

const EXPLICIT = new WeakMap<Clause, Condition>();

/**
 * The clause's condition with a variable for each wildcard, so that bindings tell facts apart: a proof is not the only
 * one if another fact would do for a wildcard.
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

/** Neither source nor normalisation uses this name. */
const WILDCARD_PREFIX = '$w';

/** The text of the alternatives that a clause consists of. */
export function branchOf({ branches = [] }: Clause): { readonly branch?: string } {
  return branches.length === 0 ? {} : { branch: branches.map(({ text }) => text).join(', ') };
}

/** The premises of a condition in source order. */
export function* premisesOf(site: Site, condition: Condition): Generator<void, Premise[]> {
  const premises: Premise[] = [];
  for (const index of condition.literals.keys()) premises.push(yield* premiseOf(site, condition, index));
  return premises;
}

function* premiseOf(site: Site, condition: Condition, index: number): Generator<void, Premise> {
  const literal = condition.literals[index] as Literal;
  const { inputs, bindings } = site;
  if (literal.op === 'absent') return { literal, facts: [], taken: [], isCut: false };
  if (literal.op === 'atom') {
    if (!site.wants(literal.relation)) return { literal, facts: [], taken: [], isCut: false };
    const codes = yield* factLike(inputs, literal.relation, tupleOf(inputs, literal, bindings), site.limits);
    return { literal, facts: codes === undefined ? [] : [{ path: literal.relation, codes }], taken: [], isCut: false };
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
  const taken: Taken[] = [];
  for (const aggregate of aggregatesIn(expressionOf(literal))) {
    const each = yield* takenBy(site, aggregate);
    for (const [count, index] of each.shown.entries()) {
      facts.addAll(yield* contributedFacts({ ...site, bindings: each.found.at(index) }, aggregate));
      if (count % 64 === 63) yield;
    }
    taken.push(each);
  }
  return { literal, facts: facts.all, taken, isCut: taken.some(({ found, shown }) => shown.length < found.count) };
}

/** What a literal or step evaluates besides facts. */
export function expressionOf(part: Step | Literal): Expression | undefined {
  if ('condition' in part) return part.condition;
  if ('value' in part && typeof part.value === 'object') return part.value;
  return 'in' in part ? part.in : undefined;
}

/** Facts that normalised steps read by joins, with the bindings that this adds. For a wildcard, one fact or `all`. */
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

/** The first facts that match the pattern. */
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

/** Facts that an expression looks up under `not`, `or`, `if`, `??` and the like; of branches, only the taken ones. */
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
  const rows = relation.matching([own], [code], version).filter((row) => relation.rankOf(row) < below);
  return rows.slice(0, OPEN_MAX).map((row) => ({ path, codes: relation.rowAt(row) }));
}

function* takenBy({ inputs, bindings, types }: Site, aggregate: Aggregate): Generator<void, Taken> {
  const names = groupOf(aggregate);
  const group = new Map([...bindings].filter(([name]) => names.has(name)));
  const all = typesOf(aggregate.condition, types);
  const found = yield* findBindings(inputs, aggregate.condition, group, all, { most: Number.POSITIVE_INFINITY });
  const first = [...Array(Math.min(found.count, CONTRIBUTIONS_MAX)).keys()];
  if (first.length === found.count || !isDecided(aggregate)) return { aggregate, found, shown: first };
  const decisive = (yield* contributedValues(inputs, aggregate, group, types)).decisive;
  const at = [...Array(found.count).keys()].find((index) => decisive.has(overKey(aggregate, found, index)));
  return { aggregate, found, shown: at === undefined ? first : [...new Set([at, ...first])].slice(0, first.length) };
}

/** The facts of one binding of an aggregate's condition; for a wildcard, all. */
export function* contributedFacts(site: Site, aggregate: Aggregate): Generator<void, readonly ReadFact[]> {
  const facts: ReadFact[] = [];
  for (const { site: own, condition } of yield* heldBranches(site, conditionOf(aggregate))) {
    const { steps } = normalise(site.inputs.program, condition);
    facts.push(...(yield* factsRead(own, steps, true)).facts);
  }
  return facts;
}

/** The branches of a condition that hold for a binding. Each site also binds the variables of its branch. */
export function* heldBranches(
  site: Site,
  condition: Condition,
): Generator<void, readonly { readonly site: Site; readonly condition: Condition }[]> {
  const branches = branchesOf(condition);
  if (branches.length === 1) return [{ site, condition }];
  const held: { site: Site; condition: Condition }[] = [];
  for (const branch of branches) {
    const types = typesOf(branch, site.types);
    const found = yield* findBindings(site.inputs, branch, site.bindings, types, { most: 1 });
    if (found.count === 0) continue;
    const bindings = new Map([...site.bindings, ...found.at(0)]);
    held.push({ site: { ...site, bindings, types }, condition: branch });
  }
  return held;
}

/** True if one of the values is the result. */
function isDecided(aggregate: Aggregate): boolean {
  return aggregate.function === 'min' || aggregate.function === 'max';
}

/** Identifies a contribution: the variables that the aggregate ranges over. */
export function overKey({ over }: Aggregate, found: FoundBindings, index: number): string {
  const [only, ...others] = over;
  if (only !== undefined && others.length === 0) return String(found.codeAt(index, only));
  return over.map((name) => found.codeAt(index, name)).join();
}

export interface ContributedValues {
  /** By `overKey`, as codes. Bindings without a value are left out. */
  readonly values: ReadonlyMap<string, number>;
  /** Keys of those that are the minimum or maximum. */
  readonly decisive: ReadonlySet<string>;
}

/** The value of each binding for an aggregate. If a binding has several values, the least counts. */
export function* contributedValues(
  inputs: Inputs,
  aggregate: Aggregate,
  group: CodeBindings,
  types: ReadonlyMap<string, Type>,
): Generator<void, ContributedValues> {
  const condition = conditionOf(aggregate);
  const found = yield* findBindings(inputs, condition, group, typesOf(condition, types), {
    most: Number.POSITIVE_INFINITY,
  });
  const compare = comparison(inputs.program, aggregate.result);
  const decode = (code: number) => inputs.interner.decode(aggregate.result, code);
  const values = new Map<string, number>();
  for (let index = 0; index < found.count; index++) {
    const [key, code] = [overKey(aggregate, found, index), found.codeAt(index, VALUE)];
    const known = values.get(key);
    if (code === undefined || known === code) continue;
    if (known === undefined || compare(decode(code), decode(known)) < 0) values.set(key, code);
    if (index % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
  }
  if (!isDecided(aggregate)) return { values, decisive: new Set() };
  const sign = aggregate.function === 'min' ? 1 : -1;
  let best: number | undefined;
  for (const code of values.values()) {
    if (best === undefined || sign * compare(decode(code), decode(best)) < 0) best = code;
  }
  return { values, decisive: new Set([...values].filter(([, code]) => code === best).map(([key]) => key)) };
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

export function aggregatesIn(expression: Expression | undefined): Aggregate[] {
  if (expression === undefined) return [];
  if (expression.op === 'aggregate') return [expression];
  return partsOf(expression).flatMap(aggregatesIn);
}

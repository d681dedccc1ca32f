/** Finds bindings of a condition on evaluated relations, as rows of codes, for proofs and why-nots. */

import { expressionText } from '../../artifact/expression-text.js';
import type { Clause, Condition, Expression, Literal, Term, Type } from '../../artifact/types.js';
import { bareRecord } from '../../base/bare-record.js';
import type { DecimalValue } from '../../base/decimal.js';
import { EvaluationFault } from '../errors.js';
import { type Inputs, readAs, relationOf, rowsOfInput } from '../evaluate/inputs.js';
import { NO_TOTALS } from '../plan/group-totals.js';
import { isHidden } from '../plan/normalise.js';
import type { Source, SourceRole, SourceRows, SourceSpec } from '../plan/physical/sources.js';
import { codesOf, compileCondition, type OuterTypes, type Plan, sourceOf, sourcesOf } from '../plan/plans.js';
import { noReads, readsOfCondition } from '../program/reads.js';
import { Relation } from '../relation/relation.js';
import { BLOCK_ITEMS } from '../scheduling/blocks.js';
import { NONE } from '../values/codec.js';
import { INT } from '../values/value.js';
import { constantValue } from '../values/wire.js';

/** Codes of variables by name. */
export type CodeBindings = ReadonlyMap<string, number>;

/** The facts of its own component that a proof may use: those below this rank. */
export type HeightLimits = ReadonlyMap<string, number>;

const NO_LIMITS: HeightLimits = new Map();

const PLANS = new WeakMap<Condition, Map<string, Plan>>();

export interface FindOptions {
  /** Limits for these relations. */
  readonly limits?: HeightLimits;
  /** The minimum to search for; 1 by default, all if infinite. */
  readonly most?: number;
}

/** Found bindings, decoded one at a time. */
export interface FoundBindings {
  readonly count: number;
  /** The given bindings plus the condition's own variables. */
  at(index: number): Map<string, number>;
  /** The code of one of the condition's own variables. */
  codeAt(index: number, name: string): number | undefined;
}

/** The facts that a search needs cannot be asked for. Only whole rules have them. */
export class NotAsked extends Error {
  override readonly name = 'NotAsked';
}

/** Bindings of the condition's variables that extend `bound`, in the order of its plan. Throws NotAsked. */
export function* findBindings(
  inputs: Inputs,
  condition: Condition,
  bound: CodeBindings,
  types: ReadonlyMap<string, Type>,
  { limits = NO_LIMITS, most = 1 }: FindOptions = {},
): Generator<void, FoundBindings> {
  const { asking } = inputs;
  if (asking !== undefined && !(yield* asking.solutions(condition, bound, types))) throw new NotAsked();
  const shape = { names: [...bound.keys()], types, limited: [...limits.keys()], pauses: Number.isFinite(most) };
  return yield* new Finder(inputs, condition, shape).find(bound, limits, most);
}

function* askForFacts({ asking }: Inputs, path: string, pattern: readonly (number | null)[]): Generator<void, void> {
  if (asking !== undefined && !(yield* asking.facts(path, pattern))) throw new NotAsked();
}

/** What searches have in common that differ in codes and limits only. */
export interface FinderShape {
  /** The bound variables. */
  readonly names: readonly string[];
  readonly types: ReadonlyMap<string, Type>;
  /** Paths of the relations with limits. */
  readonly limited: readonly string[];
  /** Whether to stop after each binding. */
  readonly pauses: boolean;
}

/** Rows that a target keeps room for. */
const TARGET_ROWS_MAX = 1024;

/** Finds bindings of one condition on one state, repeatedly. One search at a time. */
export class Finder {
  private readonly inputs: Inputs;
  private readonly condition: Condition;
  private readonly plan: Plan;
  private sources: readonly Source[] | undefined;
  private readonly codes: readonly number[];
  private readonly names: readonly string[];
  private target: Relation;

  constructor(inputs: Inputs, condition: Condition, { names, types, limited, pauses }: FinderShape) {
    this.inputs = inputs;
    this.condition = condition;
    const outer = bareRecord<Type>();
    for (const name of names) outer[name] = types.get(name) ?? INT;
    this.plan = planFor(inputs, condition, outer, limited, pauses);
    this.codes = codesOf(this.plan, inputs.interner);
    this.names = names;
    this.target = Relation.plain(condition.variables.length);
  }

  *find(bound: CodeBindings, limits: HeightLimits, most: number): Generator<void, FoundBindings> {
    const { inputs, condition, plan } = this;
    if (this.target.capacity > TARGET_ROWS_MAX) this.target = Relation.plain(condition.variables.length);
    else this.target.clear();
    const { target } = this;
    this.sources ??= yield* sourcesOf(plan, (spec) => rowsOfInput(inputs, spec));
    const resolve = (spec: SourceSpec): SourceRows => ({ ...rowsOfInput(inputs, spec), below: limits.get(spec.path) });
    const sources =
      limits.size === 0
        ? this.sources
        : this.sources.map((source, index) => {
            const below = limits.get(plan.sources[index]?.path ?? '');
            return below === undefined
              ? source
              : sourceOf({ ...source, below }, source.index, source.layers, source.filter);
          });
    const work = plan.factory(plan.constants, this.codes, sources, {
      interner: inputs.interner,
      target,
      factsMax: inputs.factsMax,
      overBudget: () => {
        throw new EvaluationFault('factBudget', `more than ${inputs.factsMax} bindings`);
      },
      outer: {},
      bound: this.names.map((name) => bound.get(name) ?? NONE),
      context: {},
      totals: NO_TOTALS,
      resolve,
    });
    while (work.next().done !== true && target.count < most) yield;
    const { count, arity } = target;
    const rows = target.rows.slice(0, count * arity);
    const columns = new Map(condition.variables.map(({ name }, column) => [name, column]));
    return {
      count,
      codeAt(index, name) {
        const column = columns.get(name);
        const code = column === undefined ? undefined : rows[index * arity + column];
        return code === NONE ? undefined : code;
      },
      at(index) {
        const bindings = new Map(bound);
        for (const [column, { name }] of condition.variables.entries()) {
          const code = rows[index * arity + column] ?? NONE;
          if (code !== NONE) bindings.set(name, code);
        }
        return bindings;
      },
    };
  }
}

function planFor(
  inputs: Inputs,
  condition: Condition,
  outer: OuterTypes,
  limited: readonly string[],
  pauses: boolean,
): Plan {
  const { program } = inputs;
  const plans = PLANS.get(condition) ?? new Map<string, Plan>();
  PLANS.set(condition, plans);
  const { key, access } = readAs(inputs, readsOfCondition(program, condition, noReads()).relations);
  const name = `${pauses} ${limited.join(' ')} ${JSON.stringify(outer)} ${key}`;
  const known = plans.get(name);
  if (known !== undefined) return known;
  const roleOf = (path: string): SourceRole => {
    const role = access.roleOf(path);
    return !limited.includes(path) ? role : role === 'whole' ? 'wholeLower' : 'lower';
  };
  const plan = compileCondition(program, condition, outer, { ...access, roleOf }, { pauses, onlyCodes: true });
  plans.set(name, plan);
  return plan;
}

/** The types of a condition's variables and of outer ones. */
export function typesOf(condition: Condition, outer: Iterable<readonly [string, Type]> = []): Map<string, Type> {
  const types = new Map(outer);
  for (const { name, type } of condition.variables) types.set(name, type);
  return types;
}

/**
 * The variables that a head binds for this tuple; null leaves an endpoint open. Undefined if the head cannot be this
 * tuple: it repeats a variable, or converts an Int and the tuple has a fraction.
 */
export function headBindings(
  inputs: Inputs,
  path: string,
  clause: Clause,
  tuple: readonly (number | null)[],
): Map<string, number> | undefined {
  const bindings = new Map<string, number>();
  for (const [column, head] of clause.head.entries()) {
    const code = tuple[column] ?? null;
    if (code === null) continue;
    const fixed = headCode(inputs, inputs.program.relations.get(path)?.endpoints[column]?.type ?? INT, head, code);
    if (fixed === undefined) return undefined;
    if (fixed === null) continue;
    if ((bindings.get(fixed.name) ?? fixed.code) !== fixed.code) return undefined;
    bindings.set(fixed.name, fixed.code);
  }
  return bindings;
}

/** Null if the head binds no variable; undefined if it cannot have this code. */
function headCode(
  inputs: Inputs,
  type: Type,
  head: Expression,
  code: number,
): { name: string; code: number } | null | undefined {
  if (head.op === 'variable') return { name: head.name, code };
  if (head.op === 'constant') return codeOfTerm(inputs, head, new Map(), type) === code ? null : undefined;
  if (head.op !== 'convert' || head.operand.op !== 'variable') return null;
  const value = inputs.interner.decode(type, code) as DecimalValue;
  const whole = value.toNumber();
  if (!value.isInteger() || !Number.isSafeInteger(whole)) return undefined;
  return { name: head.operand.name, code: inputs.interner.encodeInt(whole) };
}

/** Null if the variable is unbound. */
function codeOfTerm(inputs: Inputs, term: Term, bindings: CodeBindings, type: Type): number | null {
  if (term.op === 'variable') return bindings.get(term.name) ?? null;
  return inputs.interner.encode(type, constantValue(term.type, term.value));
}

/** The tuple of a literal under these bindings; null for an open endpoint. */
export function tupleOf(
  inputs: Inputs,
  literal: { readonly relation: string; readonly args: readonly (Term | null)[] },
  bindings: CodeBindings,
): (number | null)[] {
  const endpoints = inputs.program.relations.get(literal.relation)?.endpoints ?? [];
  return literal.args.map((arg, column) =>
    arg === null ? null : codeOfTerm(inputs, arg, bindings, endpoints[column]?.type ?? INT),
  );
}

/** The first fact that matches the tuple, within the limits. Throws NotAsked. */
export function* factLike(
  inputs: Inputs,
  path: string,
  tuple: readonly (number | null)[],
  limits: HeightLimits = NO_LIMITS,
): Generator<void, number[] | undefined> {
  yield* askForFacts(inputs, path, tuple);
  const { relation, version } = relationOf(inputs, path);
  const columns = [...tuple.keys()].filter((column) => tuple[column] !== null);
  const below = limits.get(path) ?? Number.POSITIVE_INFINITY;
  if (columns.length === 0) {
    // Any fact will do: an index would list all of them.
    for (let row = 0; row < relation.end; row++) {
      if (relation.isVisible(row, version) && relation.rankOf(row) < below) return relation.rowAt(row);
      if (row % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
    }
    return undefined;
  }
  yield* relation.indexInBlocks(columns);
  const key = columns.map((column) => tuple[column] ?? 0);
  const row = relation.matching(columns, key, version).find((each) => relation.rankOf(each) < below);
  return row === undefined ? undefined : relation.rowAt(row);
}

/** The facts that match the tuple in natural order, with a limit. Throws NotAsked. */
export function* factsLike(
  inputs: Inputs,
  path: string,
  tuple: readonly (number | null)[],
  most: number,
): Generator<void, number[][]> {
  yield* askForFacts(inputs, path, tuple);
  const { relation, version } = relationOf(inputs, path);
  const columns = [...tuple.keys()].filter((column) => tuple[column] !== null);
  if (columns.length > 0) {
    yield* relation.indexInBlocks(columns);
    const key = columns.map((column) => tuple[column] ?? 0);
    const rows = relation.matching(columns, key, version);
    return rows.slice(0, most).map((row) => relation.rowAt(row));
  }
  const facts: number[][] = [];
  for (let row = 0; row < relation.end && facts.length < most; row++) {
    if (relation.isVisible(row, version)) facts.push(relation.rowAt(row));
    if (row % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
  }
  return facts;
}

/**
 * A literal as shown in a proof: an argument that was written as an expression appears as such, instead of the
 * compiler's variable.
 */
export function literalText(literal: Literal, { literals }: Condition): string {
  if (literal.op === 'either') return literal.branches.map(conditionText).join(' or ');
  if (literal.op !== 'atom' && literal.op !== 'absent') return literal.text;
  const args = literal.args.map((arg) => {
    if (arg === null) return '_';
    if (arg.op === 'constant') return expressionText(arg);
    const named = literals.find((each) => each.op === 'let' && each.variable === arg.name);
    return isHidden(arg.name) && named?.op === 'let' ? named.text : arg.name;
  });
  const text = `${literal.relation.slice(literal.relation.lastIndexOf(':') + 1)}(${args.join(', ')})`;
  return literal.op === 'absent' ? `not ${text}` : text;
}

/** The source text, as far as it differs only in layout. */
export function conditionText(condition: Condition): string {
  const own = condition.literals.filter((literal) => literal.op !== 'let' || !isHidden(literal.variable));
  return own.map((literal) => literalText(literal, condition)).join(', ');
}

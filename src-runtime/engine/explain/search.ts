/** Finds bindings of a condition on evaluated relations, as rows of codes, for proofs and why-nots. */

import type { Clause, Condition, Expression, Literal, Term, Type } from '../../artifact/types.js';
import type { DecimalValue } from '../../base/decimal.js';
import { EvaluationFault } from '../errors.js';
import { type Inputs, readAs, relationOf, rowsOfInput } from '../inputs.js';
import type { Step } from '../plan/normalise.js';
import { codedNames, compileCondition, type OuterTypes, type Plan, startPlan } from '../plan/plans.js';
import type { SourceRole } from '../plan/unit.js';
import { noReads, readsOfCondition } from '../reads.js';
import { Relation } from '../relation.js';
import { NONE } from '../values/codec.js';
import { INT } from '../values/value.js';
import { constantValue } from '../values/wire.js';

/** Codes of variables by name. */
export type CodeBindings = ReadonlyMap<string, number>;

/** What a proof may use of the relations of its own component: facts below this height. */
export type HeightLimits = ReadonlyMap<string, number>;

const NO_LIMITS: HeightLimits = new Map();

const PLANS = new WeakMap<Condition, Map<string, Plan>>();

/** Bindings of the condition's variables that extend `bound`: the first ones, unless `all`. */
export function* findBindings(
  inputs: Inputs,
  condition: Condition,
  bound: CodeBindings,
  types: ReadonlyMap<string, Type>,
  all: boolean,
  limits: HeightLimits = NO_LIMITS,
  most = 1,
): Generator<void, Map<string, number>[]> {
  const outer: Record<string, Type> = {};
  for (const name of bound.keys()) outer[name] = types.get(name) ?? INT;
  const plan = planFor(inputs, condition, outer, limits, all);
  const found = Relation.plain(condition.variables.length);
  const work = startPlan(
    plan,
    inputs.interner,
    (spec) => {
      const below = limits.get(spec.path);
      const rows = rowsOfInput(inputs, spec);
      return below === undefined ? rows : { ...rows, below };
    },
    {
      target: found,
      factsMax: inputs.factsMax,
      overBudget: () => {
        throw new EvaluationFault('factBudget', `more than ${inputs.factsMax} bindings`);
      },
      outer: {},
      bound: codedNames(outer).map((name) => bound.get(name) ?? NONE),
      context: {},
    },
  );
  while (work.next().done !== true && (all || found.count < most)) yield;
  return Array.from({ length: found.count }, (_, row) => {
    const bindings = new Map(bound);
    for (const [column, { name }] of condition.variables.entries()) {
      const code = found.rows[row * found.arity + column] ?? NONE;
      if (code !== NONE) bindings.set(name, code);
    }
    return bindings;
  });
}

function planFor(inputs: Inputs, condition: Condition, outer: OuterTypes, limits: HeightLimits, all: boolean): Plan {
  const { program } = inputs;
  const plans = PLANS.get(condition) ?? new Map<string, Plan>();
  PLANS.set(condition, plans);
  const { key, access } = readAs(inputs, readsOfCondition(program, condition, noReads()).relations);
  const name = `${all} ${[...limits.keys()].join(' ')} ${JSON.stringify(outer)} ${key}`;
  const known = plans.get(name);
  if (known !== undefined) return known;
  const roleOf = (path: string): SourceRole => {
    const role = access.roleOf(path);
    return !limits.has(path) ? role : role === 'whole' ? 'wholeLower' : 'lower';
  };
  const plan = compileCondition(program, condition, outer, { ...access, roleOf }, !all);
  plans.set(name, plan);
  return plan;
}

/** The types of a condition's variables and of those around it. */
export function typesOf(condition: Condition, outer: Iterable<readonly [string, Type]> = []): Map<string, Type> {
  const types = new Map(outer);
  for (const { name, type } of condition.variables) types.set(name, type);
  return types;
}

/**
 * The variables that a head fixes for this tuple, in which null leaves an endpoint open. Undefined where the head cannot
 * be this tuple: it repeats a variable, or converts an Int and the tuple has a fraction.
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

/** Null where the head fixes no variable; undefined where it cannot have this code. */
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

/** Null where the variable is not bound. */
function codeOfTerm(inputs: Inputs, term: Term, bindings: CodeBindings, type: Type): number | null {
  if (term.op === 'variable') return bindings.get(term.name) ?? null;
  return inputs.interner.encode(type, constantValue(term.type, term.value));
}

/** The tuple of a literal under these bindings; null where an endpoint is open. */
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

/** The first fact that agrees with the tuple, within the limits. */
export function factLike(
  inputs: Inputs,
  path: string,
  tuple: readonly (number | null)[],
  limits: HeightLimits = NO_LIMITS,
): number[] | undefined {
  const { relation, version } = relationOf(inputs, path);
  const columns = [...tuple.keys()].filter((column) => tuple[column] !== null);
  const below = limits.get(path) ?? Number.POSITIVE_INFINITY;
  if (columns.length === 0) {
    // Any fact will do: an index would hand out all of them.
    for (let row = 0; row < relation.end; row++) {
      if (relation.isVisible(row, version) && relation.heightOf(row) < below) return relation.rowAt(row);
    }
    return undefined;
  }
  const key = columns.map((column) => tuple[column] ?? 0);
  const row = relation.matching(columns, key, version).find((each) => relation.heightOf(each) < below);
  return row === undefined ? undefined : relation.rowAt(row);
}

/** Facts that a literal reads on the way, as its normalised steps name them, and the bindings that this adds. */
export function factsRead(
  inputs: Inputs,
  steps: readonly Step[],
  bindings: CodeBindings,
  limits: HeightLimits,
): { readonly facts: { readonly path: string; readonly codes: number[] }[]; readonly bindings: CodeBindings } {
  const known = new Map(bindings);
  const facts: { readonly path: string; readonly codes: number[] }[] = [];
  for (const step of steps) {
    if (step.kind !== 'atom') continue;
    const codes = factLike(inputs, step.relation, tupleOf(inputs, step, known), limits);
    if (codes === undefined) continue;
    facts.push({ path: step.relation, codes });
    for (const [column, arg] of step.args.entries()) {
      if (arg?.op === 'variable' && !known.has(arg.name)) known.set(arg.name, codes[column] ?? 0);
    }
  }
  return { facts, bindings: known };
}

/** A literal as a reader of the proof sees it. */
export function literalText(literal: Literal): string {
  if (literal.op !== 'atom' && literal.op !== 'absent') return literal.text;
  const args = literal.args.map((arg) => {
    if (arg === null) return '_';
    return arg.op === 'variable' ? arg.name : JSON.stringify(arg.value);
  });
  const text = `${literal.relation.slice(literal.relation.lastIndexOf(':') + 1)}(${args.join(', ')})`;
  return literal.op === 'absent' ? `not ${text}` : text;
}

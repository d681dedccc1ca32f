/** Why a tuple does not hold: each clause that could have derived it, how far it gets, and the premise where it stops. */

import type { Clause, Json, Literal } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import type { Inputs } from '../inputs.js';
import { literalVariables, normalise } from '../plan/normalise.js';
import type { EngineProofPremise, EngineWhyNot, EngineWhyNotClause } from '../types.js';
import type { Prover } from './proof.js';
import { type CodeBindings, factLike, findBindings, headBindings, literalText, tupleOf, typesOf } from './search.js';

/** Null leaves an endpoint open: no tuple that agrees with the rest holds. */
export type Pattern = readonly (number | null)[];

export function* whyNot(
  inputs: Inputs,
  prover: Prover,
  path: string,
  pattern: Pattern,
  depth: number,
): Generator<void, EngineWhyNot> {
  const tuple = prover.wireTuple(path, pattern);
  const fact = factText(path, tuple, pattern);
  if (!inputs.program.isRule(path)) {
    return { relation: path, tuple, message: `${fact} is not stored.`, clauses: [] };
  }
  const clauses: EngineWhyNotClause[] = [];
  for (const [number, clause] of inputs.program.clausesOf(path).entries()) {
    const explained = yield* whyNotClause(inputs, prover, path, number, clause, pattern, depth);
    if (explained !== undefined) clauses.push(explained);
  }
  const message =
    clauses.length === 0
      ? `${fact} does not hold: no rule can derive it.`
      : `${fact} does not hold: each of its rules lacks a premise.`;
  return { relation: path, tuple, message, clauses };
}

/** Undefined where the head cannot be the tuple. */
function* whyNotClause(
  inputs: Inputs,
  prover: Prover,
  path: string,
  number: number,
  clause: Clause,
  pattern: Pattern,
  depth: number,
): Generator<void, EngineWhyNotClause | undefined> {
  const head = headBindings(inputs, path, clause, pattern);
  if (head === undefined) return undefined;
  const types = typesOf(clause.condition);
  const { variables } = clause.condition;
  const { ordered, held, bindings } = yield* longestPrefix(inputs, clause, head);
  const satisfied: EngineProofPremise[] = [];
  const { steps } = normalise(inputs.program, { variables, literals: ordered });
  for (const [index, literal] of ordered.slice(0, held).entries()) {
    const own = steps.filter((step) => step.literal === index);
    const premise = yield* prover.premise(literal, own, { bindings, types, limits: new Map(), depth: 1 });
    if (premise !== undefined) satisfied.push(premise);
  }
  const failing = ordered[held];
  return {
    rule: path,
    clause: number,
    span: clause.span,
    satisfied,
    bindings: prover.wireBindings(bindings, types),
    fails: failing === undefined ? null : yield* failure(inputs, prover, failing, bindings, depth),
  };
}

/** The literals in the order they were tried, how many of them hold together, and one binding under which they do. */
function* longestPrefix(
  inputs: Inputs,
  clause: Clause,
  head: CodeBindings,
): Generator<void, { readonly ordered: readonly Literal[]; readonly held: number; readonly bindings: CodeBindings }> {
  const { variables } = clause.condition;
  const types = typesOf(clause.condition);
  const waiting = safeOrder(clause, head);
  const ordered: Literal[] = [];
  const postponed = new Set<Literal>();
  let bindings = head;
  for (let literal = waiting.shift(); literal !== undefined; literal = waiting.shift()) {
    const literals = [...ordered, literal];
    const found = yield* attempt(findBindings(inputs, { variables, literals }, head, types, false));
    yield;
    if (found === 'faults' && !postponed.has(literal)) {
      // Where the whole body does not fault, another premise fails first: that is the one to name.
      postponed.add(literal);
      waiting.push(literal);
      continue;
    }
    const [longer] = found === 'faults' ? [] : found;
    if (longer === undefined) return { ordered: [...literals, ...waiting], held: ordered.length, bindings };
    ordered.push(literal);
    bindings = longer;
  }
  return { ordered, held: ordered.length, bindings };
}

function* attempt<T>(work: Generator<void, T>): Generator<void, T | 'faults'> {
  try {
    return yield* work;
  } catch (error) {
    if (error instanceof EvaluationFault) return 'faults';
    throw error;
  }
}

function* failure(
  inputs: Inputs,
  prover: Prover,
  literal: Literal,
  bindings: CodeBindings,
  depth: number,
): Generator<void, NonNullable<EngineWhyNotClause['fails']>> {
  const fails: NonNullable<EngineWhyNotClause['fails']> = { text: literalText(literal), span: literal.span };
  if (literal.op !== 'atom' && literal.op !== 'absent') return fails;
  const pattern = tupleOf(inputs, literal, bindings);
  fails.relation = literal.relation;
  fails.tuple = prover.wireTuple(literal.relation, pattern);
  if (literal.op === 'absent') {
    const blocking = factLike(inputs, literal.relation, pattern);
    const premise = blocking === undefined ? undefined : prover.factPremise(literal.relation, blocking, 1);
    if (premise !== undefined) fails.blockedBy = premise;
    return fails;
  }
  // Bindings that satisfy the other premises otherwise might reach this one with another tuple; where one does hold for
  // the example binding there is nothing to ask on.
  if (depth > 1 && factLike(inputs, literal.relation, pattern) === undefined) {
    fails.whyNot = yield* whyNot(inputs, prover, literal.relation, pattern, depth - 1);
  }
  return fails;
}

/** Source order, but what needs a variable waits until a premise before it binds it. */
function safeOrder(clause: Clause, head: CodeBindings): Literal[] {
  const own = new Set(clause.condition.variables.map(({ name }) => name));
  const bound = new Set(head.keys());
  const waiting = [...clause.condition.literals];
  const ordered: Literal[] = [];
  while (waiting.length > 0) {
    const ready = waiting.findIndex(
      (literal) => literal.op === 'atom' || needsOf(literal, own).every((name) => bound.has(name)),
    );
    const [literal] = waiting.splice(Math.max(ready, 0), 1);
    if (literal === undefined) break;
    ordered.push(literal);
    if (literal.op === 'atom' || literal.op === 'let' || literal.op === 'each') {
      for (const name of literalVariables(literal)) bound.add(name);
    }
  }
  return ordered;
}

function needsOf(literal: Literal, own: ReadonlySet<string>): string[] {
  const names = literalVariables(literal);
  if (literal.op === 'let' || literal.op === 'each') names.delete(literal.variable);
  return [...names].filter((name) => own.has(name));
}

function factText(path: string, tuple: readonly Json[], pattern: Pattern): string {
  const args = tuple.map((value, column) => {
    if (pattern[column] === null) return '_';
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  return `${path}(${args.join(', ')})`;
}

/** Finds redundant rules: clauses covered by an earlier one, and recursion without a base clause. */

import type { Session } from '../names/environment.js';
import { report } from '../names/environment.js';
import type { CheckedClause, CheckedRule, Expression, Literal, Variable } from '../program/checked.js';
import type { PredicateSymbol } from '../program/symbols.js';
import { partsOf, predicatesOf } from '../program/walk.js';
import { neverHolds } from './contradictions.js';

/** Warns of clauses whose conditions include all conditions of an earlier clause of the relation. */
export function warnOfRepeatedClauses(session: Session, rules: readonly CheckedRule[]): void {
  for (const { symbol, clauses } of rules) {
    // By first condition, so that each clause is compared with few others.
    const earlier = new Map<string, { readonly keys: readonly string[]; readonly clause: CheckedClause }[]>();
    for (const clause of clauses) {
      const keys = clauseKeys(clause);
      // A combination that is not needed says nothing of its clause.
      if (keys === undefined || clause.branches !== undefined) continue;
      const own = new Set(keys);
      const before = keys
        .flatMap((key) => earlier.get(key) ?? [])
        .find((other) => other.keys.every((key) => own.has(key)));
      if (before !== undefined) {
        report(
          session,
          'W0403',
          clause.span,
          `an earlier clause of ${symbol.name} already derives everything that this one does`,
          {
            notes: [{ message: 'the earlier clause is here', span: before.clause.span }],
            hint: 'Remove this clause, or correct one of the two.',
          },
        );
      }
      const [first] = keys;
      if (first !== undefined) earlier.set(first, [...(earlier.get(first) ?? []), { keys, clause }]);
    }
  }
}

/** Warns of relations that depend on themselves in every clause, directly or through a cycle. */
export function warnOfBottomlessRecursion(session: Session, rules: readonly CheckedRule[]): void {
  const hollow = hollowRules(rules);
  const needs = (symbol: PredicateSymbol) =>
    (hollow.get(symbol)?.clauses ?? []).flatMap(predicatesOf).filter((predicate) => hollow.has(predicate));
  const reported = new Set<PredicateSymbol>();
  for (const { symbol, clauses } of hollow.values()) {
    const below = reachedFrom(needs, symbol);
    const cycle = [...below].filter((other) => reachedFrom(needs, other).has(symbol));
    if (!below.has(symbol) || cycle.some((other) => reported.has(other))) continue;
    for (const other of cycle) reported.add(other);
    // The contradiction in a clause has been reported.
    if (clauses.some((clause) => neverHolds(clause.condition))) continue;
    const others = cycle.filter((other) => other !== symbol).map((other) => other.name);
    const message = `${symbol.name} never holds: each of its clauses needs ${[symbol.name, ...others].join(' or ')}`;
    report(session, 'W0402', symbol.nameSpan, message, {
      hint: 'Add a base clause that uses other relations.',
    });
  }
}

/** Rules that can never derive a fact, since each clause needs another rule of the set. */
function hollowRules(rules: readonly CheckedRule[]): Map<PredicateSymbol, CheckedRule> {
  const hollow = new Map<PredicateSymbol, CheckedRule>(rules.map((rule) => [rule.symbol, rule]));
  for (let before = -1; before !== hollow.size; ) {
    before = hollow.size;
    for (const { symbol, clauses } of [...hollow.values()]) {
      const begins = clauses.some(
        (clause) => !predicatesOf(clause).some((predicate) => hollow.has(predicate)) && !neverHolds(clause.condition),
      );
      // A relation whose clauses were dropped for errors is not reported.
      if (begins || clauses.length === 0) hollow.delete(symbol);
    }
  }
  return hollow;
}

function reachedFrom(needs: (symbol: PredicateSymbol) => PredicateSymbol[], start: PredicateSymbol) {
  const reached = new Set(needs(start));
  for (const at of reached) for (const next of needs(at)) reached.add(next);
  return reached;
}

/** The conditions of a clause as texts that are equal if they mean the same; undefined if that is not known. */
function clauseKeys(clause: CheckedClause): string[] | undefined {
  const names = new Map<Variable, string>();
  for (const [i, term] of clause.head.entries()) {
    const inner = term.kind === 'convert' ? term.operand : term;
    if (inner.kind !== 'variable') return undefined;
    names.set(inner.variable, `${i}`);
  }
  const keys = clause.condition.literals.map((literal) => literalKey(literal, names));
  return keys.every((key) => key !== undefined) && keys.length > 0 ? keys : undefined;
}

function literalKey(literal: Literal, names: ReadonlyMap<Variable, string>): string | undefined {
  const keyOf = (expression: Expression) => expressionKey(expression, names);
  const nameOf = (variable: Variable) => names.get(variable) ?? variable.name;
  switch (literal.kind) {
    case 'atom':
    case 'absent': {
      const args = literal.args.map((arg) => (arg === null ? '_' : keyOf(arg)));
      return args.includes(undefined) ? undefined : `${literal.kind} ${literal.predicate.path}(${args.join()})`;
    }
    case 'let':
    case 'each': {
      const value = keyOf(literal.kind === 'let' ? literal.value : literal.source);
      return value === undefined ? undefined : `${literal.kind} ${nameOf(literal.variable)} ${value}`;
    }
    case 'test':
      return keyOf(literal.condition);
    case 'either':
      return undefined;
  }
}

function expressionKey(expression: Expression, names: ReadonlyMap<Variable, string>): string | undefined {
  const { kind } = expression;
  if (kind === 'variable') return names.get(expression.variable) ?? expression.variable.name;
  if (kind === 'constant') return JSON.stringify(expression.value);
  // Aggregates, matches and records have parts other than expressions.
  if (kind === 'aggregate' || kind === 'match' || kind === 'record' || kind === 'error') return undefined;
  const parts = partsOf(expression).map((part) => expressionKey(part, names));
  if (parts.includes(undefined)) return undefined;
  return `${kind} ${detailOf(expression)}(${parts.join()})`;
}

function detailOf(expression: Expression): string {
  switch (expression.kind) {
    case 'field':
      return expression.field.path;
    case 'compare':
    case 'arithmetic':
      return expression.operator;
    case 'builtIn':
    case 'member':
    case 'context':
      return expression.name;
    case 'call':
      return expression.function.path;
    default:
      return '';
  }
}

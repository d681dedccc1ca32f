/** Stratification: no relation may depend on its own negation, or on an aggregate over itself. */

import type { Span } from '../../../base/span.js';
import type { AggregateName } from '../../ast.js';
import type { Session } from '../names/environment.js';
import { report } from '../names/environment.js';
import type { CheckedRule, Condition, Expression } from '../program/checked.js';
import type { PredicateSymbol } from '../program/symbols.js';
import { isOptional, isScalar, required } from '../program/types.js';
import { branchesOf, partsOf, partsOfLiteral } from '../program/walk.js';

interface Edge {
  readonly to: PredicateSymbol;
  /** The reason for a strict dependency; null for a plain one. */
  readonly through: 'not' | AggregateName | null;
  readonly span: Span;
}

/** Reports each cycle of rules with a negation or an aggregate once, and spells it out. */
export function checkStratification(session: Session, rules: readonly CheckedRule[]): void {
  const edges = new Map<PredicateSymbol, Edge[]>();
  for (const rule of rules) {
    const own = edges.get(rule.symbol) ?? [];
    edges.set(rule.symbol, own);
    for (const clause of rule.clauses) visitCondition(clause.condition, null, (edge) => own.push(edge));
  }
  const reported = new Set<PredicateSymbol>();
  for (const [from, own] of edges) {
    for (const edge of own) {
      if (edge.through === null || reported.has(from)) continue;
      const way = pathBetween(edges, edge.to, from);
      if (way === undefined) continue;
      for (const symbol of way) reported.add(symbol);
      reported.add(from);
      reportCycle(session, from, edge, way, edges);
    }
  }
}

function reportCycle(
  session: Session,
  from: PredicateSymbol,
  edge: Edge,
  way: readonly PredicateSymbol[],
  edges: ReadonlyMap<PredicateSymbol, readonly Edge[]>,
): void {
  const strict = edge.through === 'not' ? 'the negation of' : 'an aggregate over';
  const rest = way.slice(1).map((symbol) => `, which depends on ${symbol.name}`);
  const message = `${from.name} depends on ${strict} ${edge.to.name}${rest.join('')}`;
  const notes = way.slice(0, -1).flatMap((symbol, i) => {
    const next = way[i + 1];
    const step = edges.get(symbol)?.find((candidate) => candidate.to === next);
    return step === undefined
      ? []
      : [{ message: `${symbol.name} depends on ${next?.name ?? ''} here`, span: step.span }];
  });
  report(session, 'E0501', edge.span, message, {
    notes,
    hint: hintOf(edge.through),
  });
}

function hintOf(through: Edge['through']): string {
  if (through === 'min') return extremeHint('least');
  if (through === 'max') return extremeHint('greatest');
  if (through === 'not') return 'Break the cycle: derive the negated relation only from other relations.';
  return 'Derive one tuple per path, with the path as a text and its multiplied quantity. Aggregate in a later stratum, and forbid cycles with a blocking check.';
}

/** A relation that keeps only one value may recurse through itself. */
function extremeHint(word: 'least' | 'greatest'): string {
  return `Let the relation keep the ${word} value: \`derive dist(a: Stop, b: Stop, ${word} km: Int) when …\` may use itself, without an aggregate.`;
}

/** The shortest way along rules from one relation to another, both ends included. */
function pathBetween(
  edges: ReadonlyMap<PredicateSymbol, readonly Edge[]>,
  start: PredicateSymbol,
  end: PredicateSymbol,
): PredicateSymbol[] | undefined {
  const before = new Map<PredicateSymbol, PredicateSymbol | null>([[start, null]]);
  const queue = [start];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    if (at === end) {
      const way: PredicateSymbol[] = [];
      for (let step: PredicateSymbol | null = at; step !== null; step = before.get(step) ?? null) way.unshift(step);
      return way;
    }
    for (const edge of edges.get(at) ?? []) {
      if (before.has(edge.to)) continue;
      before.set(edge.to, at);
      queue.push(edge.to);
    }
  }
  return undefined;
}

function visitCondition(condition: Condition, through: Edge['through'], visit: (edge: Edge) => void): void {
  for (const literal of branchesOf(condition).flatMap(({ literals }) => literals)) {
    if (literal.kind === 'atom') visit({ to: literal.predicate, through, span: literal.span });
    if (literal.kind === 'absent') visit({ to: literal.predicate, through: through ?? 'not', span: literal.span });
    const isTest = literal.kind === 'test';
    for (const part of partsOfLiteral(literal)) {
      // The elements that `in` binds are read one by one; elsewhere a field that is a list is read as a whole.
      const isElementwise = literal.kind === 'each' && part.kind === 'field';
      if (isElementwise) visitField(part, through, visit);
      else visitExpression(part, isTest, through, visit);
    }
  }
}

/**
 * Reading a navigation field depends on its relation, strictly if an absent value changes the result. That ends at a test of the
 * body, and at the tests joined by `and` and `or`.
 */
function visitExpression(
  expression: Expression,
  isTest: boolean,
  through: Edge['through'],
  visit: (edge: Edge) => void,
): void {
  if (expression.kind === 'field') {
    const isWhole = expression.field.navigation?.many === true;
    visitField(expression, isWhole ? (through ?? 'not') : through, visit);
    return;
  }
  if (expression.kind === 'aggregate') {
    visitCondition(expression.condition, expression.function, visit);
    for (const part of partsOf(expression)) visitExpression(part, false, expression.function, visit);
    return;
  }
  const isJoined = isTest && (expression.kind === 'and' || expression.kind === 'or');
  const below = seesAbsence(expression, isTest) ? (through ?? 'not') : through;
  for (const part of partsOf(expression)) visitExpression(part, isJoined, below, visit);
}

function visitField(
  field: Expression & { kind: 'field' },
  through: Edge['through'],
  visit: (edge: Edge) => void,
): void {
  const { navigation } = field.field;
  if (navigation !== null) visit({ to: navigation.relation, through, span: field.span });
  visitExpression(field.of, false, through, visit);
}

/** `not`, `??`, `exists`, `if`, `match`, comparisons with none, and Bool values used by another expression. */
function seesAbsence(expression: Expression, isTest: boolean): boolean {
  switch (expression.kind) {
    case 'not':
    case 'coalesce':
    case 'exists':
    case 'if':
    case 'match':
      return true;
    case 'compare':
      return !isTest || expression.left.kind === 'none' || expression.right.kind === 'none';
    case 'and':
    case 'or':
      return !isTest;
    case 'list':
      return isOptional(expression.of);
    case 'record':
      return expression.fields.some(({ value }) => isOptional(value.type));
    case 'builtIn':
    case 'call':
      return !isTest && isScalar(required(expression.type), 'Bool');
    default:
      return false;
  }
}

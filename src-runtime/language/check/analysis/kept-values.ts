/**
 * Recursion through `least` and `greatest`: a better value may only make other values better, and tests that hold go on
 * to hold. Then one value for each tuple is enough, and the order of evaluation does not matter.
 */

import type { Span } from '../../../base/span.js';
import type { Keeps } from '../../ast.js';
import type { Session } from '../names/environment.js';
import { report } from '../names/environment.js';
import type { CheckedClause, CheckedRule, Expression, Literal, Variable } from '../program/checked.js';
import type { PredicateSymbol } from '../program/symbols.js';
import { partsOf, partsOfLiteral, predicatesOf } from '../program/walk.js';
import { reaches } from './termination.js';

/** Reports each use of a recursive kept value that does not follow its order. */
export function checkKeptValues(session: Session, rules: readonly CheckedRule[]): void {
  const needs = new Map<PredicateSymbol, Set<PredicateSymbol>>();
  for (const { symbol, clauses } of rules) needs.set(symbol, new Set(clauses.flatMap(readBy)));
  for (const rule of rules) {
    for (const clause of rule.clauses) {
      const kept = new Set(predicatesOf(clause).filter((predicate) => keptBy(predicate) !== undefined));
      const recursive = new Set([...kept].filter((predicate) => reaches(needs, predicate, rule.symbol)));
      if (recursive.size > 0) new ClauseCheck(session, rule, clause, recursive).run();
    }
  }
}

/** The relations that a clause reads, by its own conditions and through navigation fields. */
function readBy(clause: CheckedClause): PredicateSymbol[] {
  const navigated = (expression: Expression): PredicateSymbol[] => [
    ...(expression.kind === 'field' && expression.field.navigation ? [expression.field.navigation.relation] : []),
    ...partsOf(expression).flatMap(navigated),
  ];
  return [...predicatesOf(clause), ...clause.condition.literals.flatMap(partsOfLiteral).flatMap(navigated)];
}

function keptBy(predicate: PredicateSymbol): Keeps | undefined {
  return predicate.kind === 'derive' ? predicate.endpoints.at(-1)?.keeps : undefined;
}

/** How a value changes with a recursive one that gets better. */
interface Follows {
  readonly keeps: Keeps;
  /** The relation of the recursive literal. */
  readonly from: PredicateSymbol;
}

/** Built-in functions whose result keeps the order of every argument. */
const MONOTONE = new Set(['min', 'max', 'addDays', 'addMonths', 'addSeconds']);

class ClauseCheck {
  private readonly session: Session;
  private readonly rule: CheckedRule;
  private readonly clause: CheckedClause;
  private readonly recursive: ReadonlySet<PredicateSymbol>;
  private readonly follows = new Map<Variable, Follows>();
  private isReported = false;

  constructor(session: Session, rule: CheckedRule, clause: CheckedClause, recursive: ReadonlySet<PredicateSymbol>) {
    this.session = session;
    this.rule = rule;
    this.clause = clause;
    this.recursive = recursive;
  }

  run(): void {
    const { literals } = this.clause.condition;
    for (const literal of literals) if (literal.kind === 'atom') this.readAtom(literal);
    this.followLets(literals.filter((literal) => literal.kind === 'let'));
    for (const literal of literals) this.checkLiteral(literal);
    this.checkHead();
  }

  private readAtom({ predicate, args }: Extract<Literal, { readonly predicate: PredicateSymbol }>): void {
    const keeps = this.recursive.has(predicate) ? keptBy(predicate) : undefined;
    const value = args.at(-1);
    if (keeps === undefined || value === null || value === undefined) return;
    if (value.kind !== 'variable') this.refuse(value.span, `a fixed value of ${predicate.name}`, FIXED_HINT);
    else if (this.follows.has(value.variable)) this.refuseJoin(value.span, value.variable);
    else this.follows.set(value.variable, { keeps, from: predicate });
  }

  /** Variables of `let` follow the values that they are computed from. */
  private followLets(lets: readonly (Literal & { kind: 'let' })[]): void {
    const left = new Set(lets);
    for (let before = -1; before !== left.size; ) {
      before = left.size;
      for (const literal of left) {
        const isReady = [...left].every((other) => other === literal || !mentions(literal.value, other.variable));
        if (!isReady) continue;
        left.delete(literal);
        const follows = this.followed(literal.value);
        if (follows === undefined) continue;
        if (this.follows.has(literal.variable) || this.isJoined(literal.variable, literal))
          this.refuseJoin(literal.span, literal.variable);
        else this.follows.set(literal.variable, follows);
      }
    }
  }

  /** Whether another literal binds the variable too. */
  private isJoined(variable: Variable, own: Literal): boolean {
    return this.clause.condition.literals.some((literal) => literal !== own && binds(literal, variable));
  }

  private checkLiteral(literal: Literal): void {
    switch (literal.kind) {
      case 'atom': {
        const isKept = this.recursive.has(literal.predicate);
        for (const arg of isKept ? literal.args.slice(0, -1) : literal.args) {
          if (arg?.kind === 'variable' && this.follows.has(arg.variable)) this.refuseJoin(arg.span, arg.variable);
        }
        return;
      }
      case 'absent':
        for (const part of partsOfLiteral(literal)) this.refuseMentions(part, '`not`');
        return;
      case 'each':
        this.refuseMentions(literal.source, '`in`');
        if (this.follows.has(literal.variable)) this.refuseJoin(literal.span, literal.variable);
        return;
      case 'test':
        this.checkTest(literal.condition);
        return;
      case 'let':
        if (this.follows.has(literal.variable) && !this.followsAny(literal.value))
          this.refuseJoin(literal.span, literal.variable);
    }
  }

  /** A test that holds has to hold for every better value. */
  private checkTest(condition: Expression): void {
    if (!this.followsAny(condition)) return;
    if (condition.kind === 'and' || condition.kind === 'or') {
      for (const operand of condition.operands) this.checkTest(operand);
      return;
    }
    if (condition.kind !== 'compare') {
      this.refuse(condition.span, textOf(condition), ORDER_HINT);
      return;
    }
    const { operator, left, right } = condition;
    const isLess = operator === '<' || operator === '<=';
    if (!isLess && operator !== '>' && operator !== '>=') {
      this.refuse(condition.span, `\`${operator}\``, TEST_HINT);
      return;
    }
    const [smaller, larger] = isLess ? [left, right] : [right, left];
    const [low, high] = [this.followed(smaller), this.followed(larger)];
    if (low?.keeps === 'greatest' || high?.keeps === 'least') {
      const better = low?.keeps === 'greatest' ? 'greater' : 'smaller';
      this.refuse(condition.span, `\`${operator}\`, which a ${better} value can make false`, TEST_HINT);
    }
  }

  private checkHead(): void {
    const { head } = this.clause;
    const kept = keptBy(this.rule.symbol);
    for (const [column, term] of head.entries()) {
      const isKept = kept !== undefined && column === head.length - 1;
      const follows = this.followed(term);
      if (follows === undefined || follows.keeps === (isKept ? kept : undefined)) continue;
      const { name } = this.rule.symbol;
      if (isKept) {
        this.refuse(term.span, `the ${kept} value of ${name}, from the ${follows.keeps} of ${follows.from.name}`);
      } else {
        const hint = `Write \`${follows.keeps}\` before it, or leave it out of the head.`;
        this.refuse(term.span, `a parameter of ${name} that keeps all values`, hint);
      }
    }
  }

  /** How the value follows recursive ones; undefined if it does not depend on any. Reports operations that do not. */
  private followed(expression: Expression): Follows | undefined {
    if (!this.followsAny(expression)) return undefined;
    switch (expression.kind) {
      case 'variable':
        return this.follows.get(expression.variable);
      case 'convert':
        return this.followed(expression.operand);
      case 'arithmetic':
        if (expression.operator === '+') return this.followedByAll(expression);
        if (expression.operator === '*') {
          const factor = [expression.left, expression.right].find(isCount);
          if (factor !== undefined) return this.followedByAll(expression);
          this.refuse(expression.span, '`*` by anything but a literal of at least 0');
          return undefined;
        }
        this.refuse(expression.span, textOf(expression), expression.operator === '-' ? MINUS_HINT : ORDER_HINT);
        return undefined;
      case 'builtIn':
        if (MONOTONE.has(expression.name)) return this.followedByAll(expression);
        break;
      default:
        break;
    }
    this.refuse(expression.span, textOf(expression));
    return undefined;
  }

  private followedByAll(expression: Expression): Follows | undefined {
    const all = partsOf(expression).flatMap((part) => this.followed(part) ?? []);
    if (new Set(all.map(({ keeps }) => keeps)).size > 1) {
      this.refuse(expression.span, `${textOf(expression)} of a least and a greatest value`);
      return undefined;
    }
    return all[0];
  }

  private followsAny(expression: Expression): boolean {
    return [...this.follows.keys()].some((variable) => mentions(expression, variable));
  }

  private refuseMentions(expression: Expression, operation: string): void {
    if (this.followsAny(expression)) this.refuse(expression.span, operation);
  }

  private refuseJoin(span: Span, { name }: Variable): void {
    this.refuse(span, `a comparison of "${name}" for equality`, FIXED_HINT);
  }

  /** One clause gives one finding: the next ones may follow from the first. */
  private refuse(span: Span, operation: string, hint: string = ORDER_HINT): void {
    if (this.isReported) return;
    this.isReported = true;
    const [from] = this.recursive;
    const keeps = (from && keptBy(from)) ?? 'least';
    const message = `recursion through the ${keeps} value of ${from?.name ?? ''} does not allow ${operation}`;
    report(this.session, 'E0502', span, message, { hint });
  }
}

const ORDER_HINT =
  'Only `+`, `*` by a literal of at least 0, `min`, `max`, `addDays` and `addMonths` keep the order of the value.';
const MINUS_HINT = 'Write `+` and a negative value.';
const TEST_HINT = 'Test the value in another rule, which reads this one.';
const FIXED_HINT = 'Read the value into a separate variable, and compare it in another rule.';

function mentions(expression: Expression, variable: Variable): boolean {
  if (expression.kind === 'variable') return expression.variable === variable;
  if (expression.kind === 'aggregate') {
    const inner = expression.condition.literals.flatMap(partsOfLiteral);
    if (inner.some((part) => mentions(part, variable))) return true;
  }
  return partsOf(expression).some((part) => mentions(part, variable));
}

function binds(literal: Literal, variable: Variable): boolean {
  if (literal.kind === 'let' || literal.kind === 'each') return literal.variable === variable;
  return literal.kind === 'atom' && literal.args.some((arg) => arg?.kind === 'variable' && arg.variable === variable);
}

/** A literal number that is not negative. */
function isCount(expression: Expression): boolean {
  if (expression.kind === 'convert') return isCount(expression.operand);
  return expression.kind === 'constant' && Number(expression.value) >= 0;
}

/** The operation, as a user would name it. */
function textOf(expression: Expression): string {
  switch (expression.kind) {
    case 'arithmetic':
    case 'compare':
      return `\`${expression.operator}\``;
    case 'builtIn':
      return `\`${expression.name}\``;
    case 'call':
      return `\`${expression.function.name}\``;
    case 'negate':
      return '`-`';
    case 'concat':
      return '`++`';
    case 'coalesce':
      return '`??`';
    case 'aggregate':
      return `\`${expression.function}\``;
    default:
      return `\`${expression.kind}\``;
  }
}

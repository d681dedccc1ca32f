/** Expressions. */

import type { Span } from '../../base/span.js';
import type { Name, Path } from './names.js';
import type { Body } from './statements.js';

export type Expression =
  | IntLiteral
  | DecimalLiteral
  | TextLiteral
  | BoolLiteral
  | NoneLiteral
  | DateLiteral
  | DateTimeLiteral
  | NameExpression
  | IndividualExpression
  | ContextExpression
  | FieldExpression
  | CallExpression
  | AggregateExpression
  | CompareExpression
  | LogicExpression
  | NotExpression
  | ArithmeticExpression
  | NegateExpression
  | ConcatExpression
  | CoalesceExpression
  | IfExpression
  | MatchExpression
  | ListExpression
  | IndexExpression
  | RecordExpression
  | GroupExpression
  | ErrorExpression;

/** `42`; never negative and always within Int (one that is too large has been reported, and is 0). */
export interface IntLiteral {
  readonly kind: 'int';
  readonly value: number;
  readonly span: Span;
}

/** `12.50`, digits as written (one that is too large has been reported, and is 0.0). */
export interface DecimalLiteral {
  readonly kind: 'decimal';
  readonly text: string;
  readonly span: Span;
}

/** `"text"`, escapes resolved. */
export interface TextLiteral {
  readonly kind: 'text';
  readonly value: string;
  /** What is between the quotes, if that differs from the value. */
  readonly escaped?: string;
  readonly span: Span;
}

export interface BoolLiteral {
  readonly kind: 'bool';
  readonly value: boolean;
  readonly span: Span;
}

export interface NoneLiteral {
  readonly kind: 'none';
  readonly span: Span;
}

/** `date "2026-01-31"`: a date of the calendar, in wire form. */
export interface DateLiteral {
  readonly kind: 'date';
  readonly value: string;
  readonly span: Span;
}

/** `datetime "2026-01-31T10:00:00Z"`: converted to UTC, in wire form `2026-01-31T10:00:00.000Z`. */
export interface DateTimeLiteral {
  readonly kind: 'datetime';
  readonly value: string;
  readonly span: Span;
}

/** A variable, a parameter, an enum member (`signed`, `Status::signed`, `lease::Status::signed`). */
export interface NameExpression {
  readonly kind: 'name';
  readonly path: Path;
  readonly span: Span;
}

/** `@acme`, `@lease::acme`; the span includes the `@`. */
export interface IndividualExpression {
  readonly kind: 'individual';
  readonly path: Path;
  readonly span: Span;
}

/** `context.name` */
export interface ContextExpression {
  readonly kind: 'context';
  readonly field: Name;
  readonly span: Span;
}

/** `of.name` */
export interface FieldExpression {
  readonly kind: 'field';
  readonly of: Expression;
  readonly name: Name;
  readonly span: Span;
}

/** `path(…)`: a relation, class, function, query, mutation, built-in, `exists` or `range`. */
export interface CallExpression {
  readonly kind: 'call';
  readonly callee: Path;
  readonly args: readonly Argument[];
  readonly span: Span;
}

/** Either all arguments of a call are named or none is (a mixture has been reported). */
export interface Argument {
  readonly name: Name | null;
  readonly value: Expression | Wildcard;
  readonly span: Span;
}

/** `_` as a whole argument or a match pattern. The checker refuses it in calls other than literals and `delete`. */
export interface Wildcard {
  readonly kind: 'wildcard';
  readonly span: Span;
}

export type AggregateName = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'list';

/** `count(for v, … where BODY)` (`value` is null), `sum(EXPR for v, … where BODY)` and the like. */
export interface AggregateExpression {
  readonly kind: 'aggregate';
  readonly function: AggregateName;
  /** The span of the function's name. */
  readonly functionSpan: Span;
  readonly value: Expression | null;
  readonly variables: readonly Name[];
  readonly body: Body;
  readonly span: Span;
}

export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

export interface CompareExpression {
  readonly kind: 'compare';
  readonly operator: CompareOperator;
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly right: Expression;
  readonly span: Span;
}

/** `a and b and c`, `a or b`; two operands or more. */
export interface LogicExpression {
  readonly kind: 'and' | 'or';
  readonly operands: readonly Expression[];
  readonly span: Span;
}

export interface NotExpression {
  readonly kind: 'not';
  readonly operand: Expression;
  readonly span: Span;
}

export type AdditiveOperator = '+' | '-';
export type MultiplicativeOperator = '*' | '/' | 'div' | 'mod';
export type ArithmeticOperator = AdditiveOperator | MultiplicativeOperator;

/**
 * `a + b - c` or `a * b div c`, applied from the left; `rest` has one step or more, all of one precedence. The value
 * after step n spans from the start of `span` to the end of that step's span.
 */
export interface ArithmeticExpression {
  readonly kind: 'arithmetic';
  readonly first: Expression;
  readonly rest: readonly ArithmeticStep[];
  readonly span: Span;
}

/** An operator and its operand; the span covers both. */
export interface ArithmeticStep {
  readonly operator: ArithmeticOperator;
  readonly operatorSpan: Span;
  readonly operand: Expression;
  readonly span: Span;
}

/** Unary `-`. */
export interface NegateExpression {
  readonly kind: 'negate';
  readonly operand: Expression;
  readonly span: Span;
}

/** `a ++ b ++ c`; two operands or more. */
export interface ConcatExpression {
  readonly kind: 'concat';
  readonly operands: readonly Expression[];
  readonly span: Span;
}

/** `a ?? b ?? c`: the first value that is not none. At least two operands. */
export interface CoalesceExpression {
  readonly kind: 'coalesce';
  readonly operands: readonly Expression[];
  readonly span: Span;
}

/** `if c then a else b` */
export interface IfExpression {
  readonly kind: 'if';
  readonly condition: Expression;
  readonly then: Expression;
  readonly else: Expression;
  readonly span: Span;
}

/** `match e { member => expr, _ => expr }` */
export interface MatchExpression {
  readonly kind: 'match';
  readonly subject: Expression;
  readonly cases: readonly MatchCase[];
  readonly span: Span;
}

export interface MatchCase {
  /** A name (a member) or a constant literal. */
  readonly pattern: Expression | Wildcard;
  readonly value: Expression;
  readonly span: Span;
}

export interface ListExpression {
  readonly kind: 'list';
  readonly items: readonly Expression[];
  readonly span: Span;
}

/** `list[index]`. */
export interface IndexExpression {
  readonly kind: 'index';
  readonly of: Expression;
  readonly index: Expression;
  readonly span: Span;
}

export interface RecordExpression {
  readonly kind: 'record';
  readonly entries: readonly Entry[];
  readonly span: Span;
}

/** `name: value` in a record, an insert or an individual. */
export interface Entry {
  readonly name: Name;
  readonly value: Expression;
  readonly span: Span;
}

/**
 * Conditions in parentheses with a comma, `let` or `in`: `a(x), x > 2 or b(x)`. Allowed in bodies only. Other disjunctions are an
 * `or`, also between tuples.
 */
export interface GroupExpression {
  readonly kind: 'group';
  readonly alternatives: readonly Body[];
  readonly span: Span;
}

/** A syntax error, which has been reported. */
export interface ErrorExpression {
  readonly kind: 'error';
  readonly span: Span;
}

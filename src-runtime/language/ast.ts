/**
 * The syntax tree of one module: what the text says, before anything is resolved or typed.
 *
 * Conventions that every reader may rely on:
 * - `kind` tells the members of a union apart. Every node has the exact `span` of its text; a name carries its own.
 * - Parentheses leave no node. The span of a body literal covers them, the span of an expression inside them does not.
 * - The parser knows no declarations, so `active(l)` (a tuple), `Person(p)` (a class) and `startsWith(t, "x")` (a
 *   function) are all a `call`, and `signed` (a member), `l` (a variable) and `Status::signed` are all a `name`. The
 *   checker decides which is which.
 * - Chains of one precedence (`a + b - c`, `a and b and c`) are one flat node, so that thousands of terms make a wide
 *   tree, never a deep one. The tree is never deeper than a small multiple of the nesting limit.
 * - Where a part could not be read, an `error` node stands in its place and a diagnostic has been reported: whoever
 *   meets one says nothing more about it. Items, fields, statements and literals without a usable name are left out.
 */

import type { Span } from '../base/span.js';

/** A word as it was written. */
export interface Name {
  readonly text: string;
  readonly span: Span;
}

/** `a::b::c`; at least one segment. */
export interface Path {
  readonly segments: readonly Name[];
  readonly span: Span;
}

/** The words of a path joined as they are written: `a::b::c`. */
export function pathText(path: Path): string {
  return path.segments.map((segment) => segment.text).join('::');
}

export interface ModuleSyntax {
  readonly file: string;
  /** Null where the `module` line is missing or unreadable; that has been reported. */
  readonly name: Path | null;
  readonly doc: string | null;
  readonly items: readonly Item[];
  /** Names that items declare which could not be read: where they are used, nothing more is wrong. */
  readonly unread: readonly string[];
  /** Nothing was left out for being unreadable. */
  readonly whole: boolean;
  /** Where items stand that have mistakes of syntax: whatever else is wrong there may follow from those. */
  readonly damaged: readonly Span[];
  /** The whole text. */
  readonly span: Span;
}

// ---------------------------------------------------------------------------------------------------------------------
// Items

export type Item =
  | UseItem
  | EnumItem
  | ConceptItem
  | RelationItem
  | IndividualItem
  | FactItem
  | DeriveItem
  | DefineItem
  | CheckItem
  | QueryItem
  | MutationItem
  | FunctionItem
  | ExternFunctionItem
  | ExternTypeItem
  | ContextItem
  | TestItem;

/** What every item has. The span runs from `pub` or the item's own word to its last token; docs stand before it. */
interface ItemBase {
  readonly doc: string | null;
  readonly span: Span;
}

/** What every item that declares a name has. */
interface NamedItem extends ItemBase {
  readonly public: boolean;
  readonly name: Name;
}

/** `use other::{Person, worksFor}` */
export interface UseItem extends ItemBase {
  readonly kind: 'use';
  readonly module: Path;
  readonly names: readonly Name[];
}

/** `enum Status { draft, signed }` */
export interface EnumItem extends NamedItem {
  readonly kind: 'enum';
  readonly members: readonly EnumMember[];
}

export interface EnumMember {
  readonly name: Name;
  readonly doc: string | null;
  readonly span: Span;
}

/** `concept Person is Party { … }` */
export interface ConceptItem extends NamedItem {
  readonly kind: 'concept';
  readonly parent: Path | null;
  readonly fields: readonly Field[];
}

/** `name: Type unique where REFINEMENT = default`, or a navigation field `name: Type via relation.endpoint`. */
export interface Field {
  readonly name: Name;
  readonly type: TypeSyntax;
  readonly unique: boolean;
  /** An expression over `value`. */
  readonly refinement: Expression | null;
  readonly default: Expression | null;
  /** Not null on a navigation field; `unique`, `refinement` and `default` are then absent. */
  readonly via: Via | null;
  readonly doc: string | null;
  readonly span: Span;
}

/** `via relation` or `via relation.endpoint`; the span starts at `via`. */
export interface Via {
  readonly relation: Path;
  readonly endpoint: Name | null;
  readonly span: Span;
}

/** `relation worksFor(person: Person, company: Party [0..1])` */
export interface RelationItem extends NamedItem {
  readonly kind: 'relation';
  readonly endpoints: readonly Endpoint[];
}

export interface Endpoint {
  readonly name: Name;
  readonly type: TypeSyntax;
  /** `[0..1]` stands behind it. */
  readonly functional: boolean;
  readonly doc: string | null;
  readonly span: Span;
}

/** `individual acme: Party { name: "Acme" }` */
export interface IndividualItem extends NamedItem {
  readonly kind: 'individual';
  readonly concept: Path;
  readonly fields: readonly Entry[];
}

/** `fact relation(@a, 42)` */
export interface FactItem extends ItemBase {
  readonly kind: 'fact';
  readonly relation: Path;
  readonly args: readonly Argument[];
}

/** One clause: clauses of one name make one derived relation together. */
export interface DeriveItem extends NamedItem {
  readonly kind: 'derive';
  readonly parameters: readonly HeadParameter[];
  readonly body: Body;
}

/** `define Tenant(p: Person) when …` */
export interface DefineItem extends NamedItem {
  readonly kind: 'define';
  readonly parameter: HeadParameter;
  readonly body: Body;
}

export interface CheckItem extends NamedItem {
  readonly kind: 'check';
  readonly parameters: readonly HeadParameter[];
  readonly body: Body;
  readonly severity: 'blocking' | 'warning';
  readonly message: Template;
}

export interface QueryItem extends NamedItem {
  readonly kind: 'query';
  readonly parameters: readonly Parameter[];
  readonly result: TypeSyntax;
  readonly body: QueryBody;
}

export type QueryBody =
  | Selection
  /** `value EXPR`; the span starts at `value`. */
  | { readonly kind: 'value'; readonly value: Expression; readonly span: Span };

/** `select EXPR where BODY order by … limit N`; the span starts at `select`. */
export interface Selection {
  readonly kind: 'select';
  readonly select: Expression;
  readonly body: Body;
  readonly orderBy: readonly SortKey[];
  readonly limit: Expression | null;
  readonly span: Span;
}

export interface SortKey {
  readonly key: Expression;
  readonly descending: boolean;
  readonly span: Span;
}

export interface MutationItem extends NamedItem {
  readonly kind: 'mutation';
  readonly parameters: readonly Parameter[];
  readonly result: TypeSyntax | null;
  readonly body: Block;
}

/** `fn yearly(rent: Decimal) -> Decimal = rent * 12` */
export interface FunctionItem extends NamedItem {
  readonly kind: 'fn';
  readonly parameters: readonly Parameter[];
  readonly result: TypeSyntax;
  readonly body: Expression;
}

/** `extern fn name(…) -> T` */
export interface ExternFunctionItem extends NamedItem {
  readonly kind: 'externFn';
  readonly parameters: readonly Parameter[];
  readonly result: TypeSyntax;
}

/** `extern type Name` */
export interface ExternTypeItem extends NamedItem {
  readonly kind: 'externType';
}

/** `context name: Type`; never public. */
export interface ContextItem extends ItemBase {
  readonly kind: 'context';
  readonly name: Name;
  readonly type: TypeSyntax;
}

/** `test "title" { … }` */
export interface TestItem extends ItemBase {
  readonly kind: 'test';
  readonly title: TextLiteral;
  readonly body: Block;
}

/** A parameter of a derive, define or check. */
export interface HeadParameter {
  readonly name: Name;
  readonly type: TypeSyntax;
  readonly doc: string | null;
  readonly span: Span;
}

/** A parameter of a query, mutation or function. */
export interface Parameter extends HeadParameter {
  /** An expression over `value`. */
  readonly refinement: Expression | null;
  readonly default: Expression | null;
}

/** A text with `{expr}` in it, of `message`. */
export interface Template {
  readonly parts: readonly TemplatePart[];
  /** The literal, quotes included. */
  readonly span: Span;
}

export type TemplatePart =
  /** With escapes, `{{` and `}}` resolved. */
  | { readonly kind: 'text'; readonly value: string; readonly span: Span }
  /** The span includes the braces. */
  | { readonly kind: 'expression'; readonly expression: Expression; readonly span: Span };

// ---------------------------------------------------------------------------------------------------------------------
// Types

export type TypeSyntax =
  /** A scalar, enum, concept, define or extern type. */
  | { readonly kind: 'named'; readonly path: Path; readonly span: Span }
  | { readonly kind: 'optional'; readonly of: TypeSyntax; readonly span: Span }
  | { readonly kind: 'list'; readonly of: TypeSyntax; readonly span: Span }
  | { readonly kind: 'record'; readonly fields: readonly RecordTypeField[]; readonly span: Span }
  | { readonly kind: 'error'; readonly span: Span };

export interface RecordTypeField {
  readonly name: Name;
  readonly type: TypeSyntax;
  readonly doc: string | null;
  readonly span: Span;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rule bodies

/** A conjunction. The span covers the literals, not the word before them; it is empty where none could be read. */
export interface Body {
  readonly literals: readonly Literal[];
  readonly span: Span;
}

export type Literal =
  /** `let x = expr` */
  | { readonly kind: 'let'; readonly name: Name; readonly value: Expression; readonly span: Span }
  /** `x in expr` */
  | { readonly kind: 'in'; readonly name: Name; readonly source: Expression; readonly span: Span }
  /** `not rel(…)`, `not Concept(…)`, or `not` before any Bool expression: the checker tells them apart by the operand. */
  | { readonly kind: 'not'; readonly operand: Expression; readonly span: Span }
  /** A tuple, a class membership, a comparison or any other Bool expression. */
  | { readonly kind: 'holds'; readonly expression: Expression; readonly span: Span };

// ---------------------------------------------------------------------------------------------------------------------
// Statements

/** `{ … }`; the span includes the braces. */
export interface Block {
  readonly statements: readonly Statement[];
  readonly span: Span;
}

/** `expect` and `expectError` occur in tests only, everything else also in mutations. */
export type Statement =
  | InsertIndividualStatement
  | InsertTupleStatement
  | SetStatement
  | SetContextStatement
  | DeleteStatement
  | ForgetStatement
  | RequireStatement
  | LetStatement
  | CallStatement
  | ForStatement
  | IfStatement
  | ReturnStatement
  | ExpectStatement
  | ExpectErrorStatement;

/** `insert Concept { field: e }` */
export interface InsertIndividual {
  readonly kind: 'insertIndividual';
  readonly concept: Path;
  readonly fields: readonly Entry[];
  readonly span: Span;
}

/** The same as a statement, its value dropped. */
export type InsertIndividualStatement = InsertIndividual;

/** `insert rel(t, …)` */
export interface InsertTupleStatement {
  readonly kind: 'insertTuple';
  readonly relation: Path;
  readonly args: readonly Argument[];
  readonly span: Span;
}

/** `set x.f = e`: `field` of `of`. */
export interface SetStatement {
  readonly kind: 'set';
  readonly of: Expression;
  readonly field: Name;
  readonly value: Expression;
  readonly span: Span;
}

/** `set context.f = e` */
export interface SetContextStatement {
  readonly kind: 'setContext';
  readonly field: Name;
  readonly value: Expression;
  readonly span: Span;
}

/** `delete x` or `delete rel(t, …)`: the latter where the target is a `call`, whose arguments may be wildcards. */
export interface DeleteStatement {
  readonly kind: 'delete';
  readonly target: Expression;
  readonly span: Span;
}

export interface ForgetStatement {
  readonly kind: 'forget';
  readonly target: Expression;
  readonly span: Span;
}

/** `require BODY message "…"` */
export interface RequireStatement {
  readonly kind: 'require';
  readonly body: Body;
  readonly message: Template;
  readonly span: Span;
}

/** `let x = e`; a call may be one of a mutation or a query. */
export interface LetStatement {
  readonly kind: 'let';
  readonly name: Name;
  readonly value: Expression | InsertIndividual;
  readonly span: Span;
}

/** `m(…)` */
export interface CallStatement {
  readonly kind: 'callStatement';
  readonly call: CallExpression;
  readonly span: Span;
}

/** `for x in (select … where …) { … }` or `for x in list { … }` */
export interface ForStatement {
  readonly kind: 'for';
  readonly name: Name;
  readonly source: Selection | Expression;
  readonly body: Block;
  readonly span: Span;
}

/** `if BODY { … } else if BODY { … } else { … }`; at least one branch. */
export interface IfStatement {
  readonly kind: 'ifStatement';
  readonly branches: readonly { readonly condition: Body; readonly body: Block; readonly span: Span }[];
  readonly otherwise: Block | null;
  readonly span: Span;
}

export interface ReturnStatement {
  readonly kind: 'return';
  readonly value: Expression | InsertIndividual;
  readonly span: Span;
}

/** `expect BODY` */
export interface ExpectStatement {
  readonly kind: 'expect';
  readonly body: Body;
  readonly span: Span;
}

/** `expect error CODE from CALL` */
export interface ExpectErrorStatement {
  readonly kind: 'expectError';
  readonly code: Name;
  readonly call: CallExpression;
  readonly span: Span;
}

// ---------------------------------------------------------------------------------------------------------------------
// Expressions

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
  | RecordExpression
  | ErrorExpression;

/** `42`; never negative and always within Int (one that is too large has been reported, and is 0). */
export interface IntLiteral {
  readonly kind: 'int';
  readonly value: number;
  readonly span: Span;
}

/** `12.50`, digits as written. */
export interface DecimalLiteral {
  readonly kind: 'decimal';
  readonly text: string;
  readonly span: Span;
}

/** `"text"`, escapes resolved. */
export interface TextLiteral {
  readonly kind: 'text';
  readonly value: string;
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

/** `_` as a whole argument or as a match pattern; the checker refuses it in calls that are no literal or `delete`. */
export interface Wildcard {
  readonly kind: 'wildcard';
  readonly span: Span;
}

export type AggregateName = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'list';

/** `count(for v, … where BODY)` (`value` is null), `sum(EXPR for v, … where BODY)` and its kin. */
export interface AggregateExpression {
  readonly kind: 'aggregate';
  readonly function: AggregateName;
  /** Where the function's name stands. */
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

/** An operator and what follows it; the span covers both. */
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

/** `a ?? b ?? c`: the first that is not none; two operands or more. */
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

/** What could not be read; reported already. */
export interface ErrorExpression {
  readonly kind: 'error';
  readonly span: Span;
}

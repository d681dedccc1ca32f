/** The items of a module, and the types in them. */

import type { Span } from '../../base/span.js';
import type { Argument, Entry, Expression, TextLiteral } from './expressions.js';
import type { Name, Path } from './names.js';
import type { Block, Body } from './statements.js';

export interface ModuleSyntax {
  readonly file: string;
  /** Null if the `module` line is missing or malformed, which has been reported. */
  readonly name: Path | null;
  readonly doc: string | null;
  readonly items: readonly Item[];
  /** Names that damaged items declare. Their uses are not reported as unknown. */
  readonly unread: readonly string[];
  /** No part was skipped because of a syntax error. */
  readonly whole: boolean;
  /** Spans of items with syntax errors. Other findings there may only follow from those. */
  readonly damaged: readonly Span[];
  /** The whole text. */
  readonly span: Span;
}

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

/** Shared by all items. The span runs from `pub` or the keyword to the last token; the doc comment is before it. */
interface ItemBase {
  readonly doc: string | null;
  readonly span: Span;
}

/** Shared by all items that declare a name. */
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
  /** It has `[0..1]`. */
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

/** Which value of a parameter is kept for each tuple of the other parameters. */
export type Keeps = 'least' | 'greatest';

/** A parameter of a derive, define or check. */
export interface HeadParameter {
  readonly name: Name;
  /** Null if it is that of the first clause. */
  readonly type: TypeSyntax | null;
  /** What it is computed from; null if the body binds it. */
  readonly value: Expression | null;
  /** The word before the name that keeps only one value for each tuple of the others. */
  readonly keeps?: { readonly value: Keeps; readonly span: Span };
  readonly doc: string | null;
  readonly span: Span;
}

/** A parameter of a query, mutation or function. */
export interface Parameter {
  readonly name: Name;
  readonly type: TypeSyntax;
  readonly doc: string | null;
  readonly span: Span;
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

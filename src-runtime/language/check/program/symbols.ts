/**
 * The declarations of a program as symbols, linked to each other and to the source.
 *
 * A symbol made from an artifact instead of syntax has a null `item` and no `clauses`. It can be used, and is not checked.
 */

import type { Span } from '../../../base/span.js';
import type * as syntax from '../../ast.js';
import type { Expression } from './checked.js';
import type { Type } from './types.js';

interface SymbolBase {
  readonly name: string;
  /** Qualified path, `module::name`. */
  readonly path: string;
  /** The module that declares it. */
  readonly module: string;
  public: boolean;
  readonly doc: string | null;
  readonly nameSpan: Span;
  readonly span: Span;
}

export interface EnumSymbol extends SymbolBase {
  readonly kind: 'enum';
  readonly members: readonly syntax.EnumMember[];
}

export interface ConceptSymbol extends SymbolBase {
  readonly kind: 'concept';
  readonly item: syntax.ConceptItem | null;
  parent: ConceptSymbol | null;
  /** Own fields. */
  fields: FieldSymbol[];
}

export interface FieldSymbol {
  readonly kind: 'field';
  readonly name: string;
  readonly path: string;
  readonly concept: ConceptSymbol;
  readonly type: Type;
  readonly unique: boolean;
  /** The relation of a navigation field, in source form. */
  readonly via: string | null;
  /** Written or not, right or wrong. */
  readonly hasDefault: boolean;
  readonly doc: string | null;
  readonly nameSpan: Span;
  readonly span: Span;
  refinement: Expression | null;
  default: Expression | null;
  navigation: Navigation | null;
}

export interface Navigation {
  readonly relation: TupleSymbol;
  readonly own: number;
  readonly read: number;
  readonly many: boolean;
}

export interface ExternTypeSymbol extends SymbolBase {
  readonly kind: 'externType';
}

export interface EndpointSymbol {
  readonly name: string;
  readonly type: Type;
  readonly functional: boolean;
  /** Of a derived relation: which value is kept for each tuple of the other endpoints. */
  readonly keeps?: syntax.Keeps;
  readonly doc: string | null;
  readonly span: Span;
}

/** A stored relation. */
export interface RelationSymbol extends SymbolBase {
  readonly kind: 'relation';
  readonly item: syntax.RelationItem | null;
  endpoints: EndpointSymbol[];
}

/** A derived relation; its endpoints are those of its first clause. */
export interface DeriveSymbol extends SymbolBase {
  readonly kind: 'derive';
  readonly clauses: syntax.DeriveItem[];
  endpoints: EndpointSymbol[];
}

/** A derived class; its parameter is that of its first clause. */
export interface DefineSymbol extends SymbolBase {
  readonly kind: 'define';
  readonly clauses: syntax.DefineItem[];
  readonly parameter: { readonly name: string; readonly doc: string | null; readonly nameSpan: Span };
  /** The class of its parameter; null if that is in error. */
  base: ClassSymbol | null;
}

export interface IndividualSymbol extends SymbolBase {
  readonly kind: 'individual';
  readonly item: syntax.IndividualItem | null;
  concept: ConceptSymbol | null;
}

export interface CheckSymbol extends SymbolBase {
  readonly kind: 'check';
  readonly item: syntax.CheckItem | null;
}

export interface ParameterSymbol {
  readonly name: string;
  readonly type: Type;
  readonly doc: string | null;
  readonly span: Span;
  readonly nameSpan: Span;
  refinement: Expression | null;
  readonly default: Expression | null;
}

export interface QuerySymbol extends SymbolBase {
  readonly kind: 'query';
  readonly item: syntax.QueryItem | null;
  parameters: ParameterSymbol[];
  result: Type;
}

export interface MutationSymbol extends SymbolBase {
  readonly kind: 'mutation';
  readonly item: syntax.MutationItem | null;
  parameters: ParameterSymbol[];
  result: Type | null;
}

export interface FunctionSymbol extends SymbolBase {
  readonly kind: 'fn';
  readonly item: syntax.FunctionItem | syntax.ExternFunctionItem | null;
  parameters: ParameterSymbol[];
  result: Type;
}

/** A field that requests carry; it belongs to the whole program and has no path. */
export interface ContextSymbol {
  readonly kind: 'context';
  readonly name: string;
  readonly module: string;
  readonly type: Type;
  readonly doc: string | null;
  readonly nameSpan: Span;
}

/** A declaration with parameters that arguments can name. */
export type CallableSymbol = QuerySymbol | MutationSymbol | FunctionSymbol;
export type ClassSymbol = ConceptSymbol | DefineSymbol;
export type TupleSymbol = RelationSymbol | DeriveSymbol;
/** A predicate of a body literal. */
export type PredicateSymbol = TupleSymbol | ClassSymbol;
/** A declaration with a name in a module. */
export type DeclaredSymbol =
  | EnumSymbol
  | ConceptSymbol
  | ExternTypeSymbol
  | RelationSymbol
  | DeriveSymbol
  | DefineSymbol
  | IndividualSymbol
  | CheckSymbol
  | QuerySymbol
  | MutationSymbol
  | FunctionSymbol;

/** A symbol that was made from syntax. */
export type Sourced<S extends DeclaredSymbol> = S extends { readonly item: infer I }
  ? S & { readonly item: NonNullable<I> }
  : S;

/** The kind of a declaration with its article, for messages. */
export const KIND_TEXT: { readonly [K in DeclaredSymbol['kind']]: string } = {
  enum: 'an enum',
  concept: 'a concept',
  externType: 'an extern type',
  relation: 'a relation',
  derive: 'a derived relation',
  define: 'a define',
  individual: 'an individual',
  check: 'a check',
  query: 'a query',
  mutation: 'a mutation',
  fn: 'a function',
};

export function isClass(symbol: DeclaredSymbol): symbol is ClassSymbol {
  return symbol.kind === 'concept' || symbol.kind === 'define';
}

export function isPredicate(symbol: DeclaredSymbol): symbol is PredicateSymbol {
  return isClass(symbol) || symbol.kind === 'relation' || symbol.kind === 'derive';
}

/** The class above: a concept's parent, or the class of a define's parameter. */
export function classAbove(symbol: ClassSymbol): ClassSymbol | null {
  return symbol.kind === 'concept' ? symbol.parent : symbol.base;
}

/** The class and its ancestors. Ends at a cycle, which is reported elsewhere. */
export function classChain(symbol: ClassSymbol): ClassSymbol[] {
  const chain = new Set<ClassSymbol>();
  for (let at: ClassSymbol | null = symbol; at !== null && !chain.has(at); at = classAbove(at)) chain.add(at);
  return [...chain];
}

/** Its parent is unknown, or was cut off because of an inheritance cycle. */
export function hasLostParent(symbol: ClassSymbol): boolean {
  return classChain(symbol).some(isCutOff);
}

function isCutOff(symbol: ClassSymbol): boolean {
  if (symbol.kind === 'define') return symbol.base === null;
  return symbol.parent === null && (symbol.item?.parent ?? null) !== null;
}

/** The concept itself, or the concept of a define. */
export function conceptOf(symbol: ClassSymbol): ConceptSymbol | null {
  return classChain(symbol).find((at) => at.kind === 'concept') ?? null;
}

/** All fields an individual of the class has, own ones first. */
export function fieldsOf(symbol: ClassSymbol): FieldSymbol[] {
  return classChain(symbol).flatMap((at) => (at.kind === 'concept' ? at.fields : []));
}

/**
 * The artifact: one JSON document with everything that a runtime needs of a set of modules. It is independent of the source
 * language: the compiler writes it, the engine and the world read it. Every body is a tree of nodes with an `op`. For the engine
 * every predicate is a *relation* with a qualified path: stored relations (`lease::tenantOf`), concepts and defines (unary,
 * `lease::Lease`), stored fields (binary, `lease::Lease.rent`: individual, value), derived relations and checks.
 */

import type { Span } from '../base/span.js';
import type { Expression, MutationBody, Navigation, QueryBody, RuleBody } from './nodes.js';
import type { Json, Type } from './type-terms.js';

export type {
  AggregateFunction,
  ArithmeticOperator,
  Clause,
  CompareOperator,
  Condition,
  ConstantExpression,
  Expression,
  Literal,
  MutationBody,
  Navigation,
  QueryBody,
  RuleBody,
  Statement,
  Term,
  VariableExpression,
} from './nodes.js';
export type { Json, ScalarName, Type } from './type-terms.js';

export const ARTIFACT_FORMAT = 'entail-artifact';
export const ARTIFACT_FORMAT_VERSION = 1;

export interface Artifact {
  readonly format: typeof ARTIFACT_FORMAT;
  readonly formatVersion: typeof ARTIFACT_FORMAT_VERSION;
  /** Name and version of the tool that wrote it, e.g. `entail 0.1.0`. */
  readonly compiler: string;
  readonly modules: readonly ModuleDeclaration[];
  readonly schemaHash: string;
  readonly schema: Schema;
  /** Declared individuals, by path. */
  readonly individuals: readonly IndividualDeclaration[];
  /** Declared tuples of stored relations. */
  readonly facts: readonly FactDeclaration[];
  readonly rules: readonly RuleDeclaration[];
  readonly defines: readonly RuleDeclaration[];
  readonly checks: readonly CheckDeclaration[];
  readonly queries: readonly QueryDeclaration[];
  readonly mutations: readonly MutationDeclaration[];
  readonly functions: readonly FunctionDeclaration[];
  readonly sources?: readonly { readonly file: string; readonly text: string }[];
  /** Lowercase hex SHA-256 of the RFC 8785 form of the document without this member; also the `moduleHash`. */
  readonly integrity: string;
}

export interface ModuleDeclaration {
  readonly name: string;
  readonly file: string;
  readonly doc?: string;
  /** Paths of the module's exports that other modules declare, without this module's name; omitted if there are none. */
  readonly uses?: readonly string[];
}

export interface Schema {
  readonly enums: readonly EnumDeclaration[];
  readonly concepts: readonly ConceptDeclaration[];
  /** Stored relations only; a derived relation's signature is part of its rule. */
  readonly relations: readonly RelationDeclaration[];
  readonly externTypes: readonly Declaration[];
  /** Fields that requests carry; `now` is always there and not listed. */
  readonly context: readonly ContextDeclaration[];
}

/** The members that all declarations have. */
export interface Declaration {
  /** Qualified path, `module::name`. */
  readonly path: string;
  readonly public: boolean;
  readonly doc?: string;
  readonly span: Span;
}

export interface EnumDeclaration extends Declaration {
  /** In order of declaration, which is the order that `<` sees. */
  readonly members: readonly { readonly name: string; readonly doc?: string }[];
}

export interface ConceptDeclaration extends Declaration {
  readonly parent: string | null;
  /** The concept's own fields; inherited fields are listed with the concept that declares them. */
  readonly fields: readonly FieldDeclaration[];
}

export interface FieldDeclaration {
  readonly name: string;
  /** `module::Concept.name`; for a stored field also the path of its binary relation. */
  readonly path: string;
  readonly doc?: string;
  /** `optional` if the field can be absent; a navigation field is `optional` or `list`. */
  readonly type: Type;
  readonly unique: boolean;
  /** A Bool expression over the variable `value`. */
  readonly refinement?: Expression;
  /** A constant expression, used at insert only. */
  readonly default?: Expression;
  /** Present on navigation fields, which are read through a relation and never stored. */
  readonly navigation?: Navigation;
  readonly span: Span;
}

export interface RelationDeclaration extends Declaration {
  readonly endpoints: readonly EndpointDeclaration[];
}

export interface EndpointDeclaration {
  readonly name: string;
  readonly type: Type;
  /** `[0..1]`: at most one value for each combination of the other endpoints. */
  readonly functional: boolean;
  readonly doc?: string;
}

export interface ContextDeclaration {
  readonly name: string;
  /** `optional` if requests may omit it. */
  readonly type: Type;
  readonly module: string;
  readonly doc?: string;
}

export interface IndividualDeclaration extends Declaration {
  readonly concept: string;
  /** Stored fields that have a value, by the field's path; defaults are filled in. */
  readonly fields: readonly { readonly field: string; readonly value: Json }[];
}

export interface FactDeclaration {
  readonly relation: string;
  /** Wire values; a declared individual is `@module::name`. */
  readonly tuple: readonly Json[];
  readonly span: Span;
}

/** Which value is kept for each tuple of the other parameters. */
export type Keeps = 'least' | 'greatest';

export interface Parameter {
  readonly name: string;
  readonly type: Type;
  /** Of the last parameter of a derived relation. */
  readonly keeps?: Keeps;
  readonly doc?: string;
  /** A Bool expression over the variable `value`. */
  readonly refinement?: Expression;
  /** A constant expression. */
  readonly default?: Expression;
}

/** A derived relation (in `rules`) or a derived class (in `defines`, one parameter). */
export interface RuleDeclaration extends Declaration {
  readonly parameters: readonly Parameter[];
  readonly body: RuleBody;
}

export interface CheckDeclaration extends RuleDeclaration {
  readonly severity: 'blocking' | 'warning';
  /** Made by the compiler from `[0..1]`, `unique` or a required reference. */
  readonly builtIn: boolean;
  /** A Text expression over the variables of the one clause. */
  readonly message: Expression;
}

export interface QueryDeclaration extends Declaration {
  readonly parameters: readonly Parameter[];
  /** `list`, `optional`, or for a `value` body anything else. */
  readonly result: Type;
  readonly body: QueryBody;
}

export interface MutationDeclaration extends Declaration {
  readonly parameters: readonly Parameter[];
  /** Null for a mutation without a result. */
  readonly result: Type | null;
  readonly body: MutationBody;
}

export interface FunctionDeclaration extends Declaration {
  readonly parameters: readonly Parameter[];
  readonly result: Type;
  /** `extern` if an embedding host provides it; this runtime provides none. */
  readonly body: Expression | { readonly op: 'extern' };
}

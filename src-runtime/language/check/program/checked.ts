/**
 * The checked program: names are resolved, expressions typed, and conversions explicit. It keeps spans and links for tools; the
 * compiler lowers it to the artifact.
 */

import type { Span } from '../../../base/span.js';
import type * as syntax from '../../ast.js';
import type {
  CallableSymbol,
  CheckSymbol,
  ClassSymbol,
  ConceptSymbol,
  ContextSymbol,
  DeclaredSymbol,
  DefineSymbol,
  DeriveSymbol,
  EnumSymbol,
  FieldSymbol,
  FunctionSymbol,
  IndividualSymbol,
  MutationSymbol,
  ParameterSymbol,
  PredicateSymbol,
  QuerySymbol,
  RelationSymbol,
  Sourced,
} from './symbols.js';
import type { Type } from './types.js';

/** A value in its wire form; declared individuals are `@module::name`. */
export type Constant = null | boolean | number | string;

/** A value of ground truth: a constant, or a list or record of such values. */
export type GroundValue = Constant | readonly GroundValue[] | { readonly [field: string]: GroundValue };

export interface CheckedProgram {
  readonly modules: readonly {
    readonly name: string;
    readonly file: string;
    readonly doc: string | null;
    readonly imported: readonly DeclaredSymbol[];
  }[];
  readonly symbols: readonly DeclaredSymbol[];
  readonly context: readonly ContextSymbol[];
  readonly individuals: readonly CheckedIndividual[];
  readonly facts: readonly CheckedFact[];
  readonly rules: readonly CheckedRule[];
  readonly checks: readonly CheckedCheck[];
  readonly queries: readonly CheckedQuery[];
  readonly mutations: readonly CheckedMutation[];
  readonly functions: readonly CheckedFunction[];
  readonly tests: readonly CheckedTest[];
  /** Every occurrence of a name, with its meaning. The span of a path is that of its last word. Some occurrences appear twice. */
  readonly links: readonly Link[];
}

export interface Link {
  readonly span: Span;
  readonly target: LinkTarget;
}

/** The meaning of a name. */
export type LinkTarget =
  | DeclaredSymbol
  | FieldSymbol
  | ContextSymbol
  | { readonly kind: 'member'; readonly of: EnumSymbol; readonly member: syntax.EnumMember }
  /** The endpoint of a relation or check named by an argument, or the parameter of a define. */
  | { readonly kind: 'endpoint'; readonly of: PredicateSymbol; readonly index: number }
  /** The parameter named by an argument. */
  | { readonly kind: 'parameter'; readonly of: CallableSymbol; readonly parameter: ParameterSymbol }
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'module'; readonly name: string }
  /** A function or aggregate of `std`, or a scalar type. */
  | { readonly kind: 'builtIn'; readonly form: 'function' | 'aggregate' | 'type'; readonly name: string };

export interface CheckedIndividual {
  readonly symbol: IndividualSymbol;
  readonly concept: ConceptSymbol;
  readonly fields: readonly { readonly field: FieldSymbol; readonly value: GroundValue }[];
}

export interface CheckedFact {
  readonly relation: RelationSymbol;
  readonly tuple: readonly GroundValue[];
  readonly span: Span;
}

export interface CheckedRule {
  readonly symbol: DeriveSymbol | DefineSymbol;
  readonly parameters: readonly RuleParameter[];
  readonly clauses: readonly CheckedClause[];
}

export interface RuleParameter {
  readonly name: string;
  readonly type: Type;
  readonly keeps?: syntax.Keeps | undefined;
  readonly doc: string | null;
}

export interface CheckedClause {
  readonly head: readonly Expression[];
  readonly condition: Condition;
  readonly span: Span;
  /** Of a clause with alternatives, which is checked as several: the alternatives of this one. */
  readonly branches?: readonly Span[];
}

export interface CheckedCheck {
  readonly symbol: Sourced<CheckSymbol>;
  readonly parameters: readonly RuleParameter[];
  /** One, or one for each combination of its alternatives. */
  readonly clauses: readonly CheckedClause[];
  readonly message: Expression;
}

export interface CheckedQuery {
  readonly symbol: QuerySymbol;
  readonly body: QueryBody;
}

export type QueryBody = Selection | { readonly kind: 'value'; readonly value: Expression };

export interface Selection {
  readonly kind: 'select';
  readonly select: Expression;
  /** The type of every row: declared by the query, or that of `select`. */
  readonly row: Type;
  readonly condition: Condition;
  readonly orderBy: readonly { readonly key: Expression; readonly descending: boolean }[];
  readonly limit: Expression | null;
}

export interface CheckedMutation {
  readonly symbol: MutationSymbol;
  readonly body: readonly Statement[];
}

export interface CheckedFunction {
  readonly symbol: FunctionSymbol;
  /** Null for an extern one. */
  readonly body: Expression | null;
}

/** A variable, parameter or name; one object each. */
export interface Variable {
  readonly name: string;
  readonly type: Type;
  readonly span: Span;
  /** No source declares it: `value` of a refinement, and what `return` makes on its way. */
  readonly implicit?: true;
  /** The types of all its uses, if those are several defines that overlap. */
  readonly places?: readonly Type[];
}

export interface Condition {
  /** The variables that the literals introduce; parameters and outer variables are not among them. */
  readonly variables: readonly Variable[];
  readonly literals: readonly Literal[];
}

export type Literal =
  | {
      readonly kind: 'atom' | 'absent';
      readonly predicate: PredicateSymbol;
      /** Null is a wildcard. */
      readonly args: readonly (Expression | null)[];
      readonly span: Span;
    }
  | {
      readonly kind: 'let';
      readonly variable: Variable;
      readonly value: Expression;
      /** It computes a parameter in the head. */
      readonly isInHead?: true;
      readonly span: Span;
    }
  | { readonly kind: 'each'; readonly variable: Variable; readonly source: Expression; readonly span: Span }
  | { readonly kind: 'test'; readonly condition: Expression; readonly span: Span }
  /** The only literal of its body: each branch is a whole body, and one of them holds. */
  | { readonly kind: 'either'; readonly branches: readonly Condition[]; readonly span: Span };

interface ExpressionBase {
  readonly type: Type;
  /** Classes that a condition around it has tested, besides its type. */
  readonly classes?: readonly ClassSymbol[];
  readonly span: Span;
}

export type Expression =
  | (ExpressionBase & { readonly kind: 'variable'; readonly variable: Variable })
  | (ExpressionBase & { readonly kind: 'constant'; readonly value: Constant })
  | (ExpressionBase & { readonly kind: 'none' })
  | (ExpressionBase & { readonly kind: 'field'; readonly field: FieldSymbol; readonly of: Expression })
  /** A field of a record. */
  | (ExpressionBase & { readonly kind: 'member'; readonly name: string; readonly of: Expression })
  | (ExpressionBase & {
      readonly kind: 'compare';
      readonly operator: syntax.CompareOperator;
      readonly operandType: Type;
      readonly left: Expression;
      readonly right: Expression;
    })
  | (ExpressionBase & { readonly kind: 'and' | 'or' | 'concat'; readonly operands: readonly Expression[] })
  | (ExpressionBase & { readonly kind: 'not' | 'exists' | 'convert'; readonly operand: Expression })
  | (ExpressionBase & {
      readonly kind: 'if';
      readonly condition: Expression;
      readonly whenTrue: Expression;
      readonly whenFalse: Expression;
    })
  | (ExpressionBase & {
      readonly kind: 'match';
      readonly subject: Expression;
      /** A null pattern matches anything. */
      readonly cases: readonly { readonly pattern: Expression | null; readonly value: Expression }[];
    })
  | (ExpressionBase & {
      readonly kind: 'arithmetic';
      readonly operator: syntax.ArithmeticOperator;
      readonly number: 'Int' | 'Decimal';
      readonly left: Expression;
      readonly right: Expression;
    })
  | (ExpressionBase & { readonly kind: 'negate'; readonly number: 'Int' | 'Decimal'; readonly operand: Expression })
  | (ExpressionBase & { readonly kind: 'coalesce'; readonly left: Expression; readonly right: Expression })
  | (ExpressionBase & {
      readonly kind: 'builtIn';
      readonly name: string;
      readonly operandTypes: readonly Type[];
      readonly args: readonly Expression[];
    })
  | (ExpressionBase & {
      readonly kind: 'call';
      readonly function: FunctionSymbol;
      readonly args: readonly Expression[];
    })
  | (ExpressionBase & { readonly kind: 'context'; readonly name: string })
  | (ExpressionBase & { readonly kind: 'list'; readonly of: Type; readonly items: readonly Expression[] })
  | (ExpressionBase & {
      readonly kind: 'record';
      readonly fields: readonly { readonly name: string; readonly nameSpan: Span; readonly value: Expression }[];
    })
  | (ExpressionBase & {
      readonly kind: 'range';
      readonly from: Expression;
      readonly to: Expression;
      /** Null for 1. */
      readonly step: Expression | null;
    })
  | (ExpressionBase & {
      readonly kind: 'aggregate';
      readonly function: syntax.AggregateName;
      readonly value: Expression | null;
      readonly over: readonly Variable[];
      readonly condition: Condition;
    })
  /** Something is wrong here and has been reported. */
  | (ExpressionBase & { readonly kind: 'error' });

export type Statement =
  | {
      readonly kind: 'insertIndividual';
      readonly concept: ConceptSymbol;
      readonly fields: readonly { readonly field: FieldSymbol; readonly value: Expression }[];
      readonly bind: Variable | null;
      readonly span: Span;
    }
  | {
      readonly kind: 'insertFact';
      readonly relation: RelationSymbol;
      readonly args: readonly Expression[];
      readonly span: Span;
    }
  | {
      readonly kind: 'set';
      readonly target: Expression;
      readonly field: FieldSymbol;
      readonly value: Expression;
      readonly span: Span;
    }
  | {
      readonly kind: 'deleteFacts';
      readonly relation: RelationSymbol;
      readonly args: readonly (Expression | null)[];
      readonly span: Span;
    }
  | { readonly kind: 'deleteIndividual' | 'forget'; readonly target: Expression; readonly span: Span }
  | { readonly kind: 'require'; readonly condition: Condition; readonly message: Expression; readonly span: Span }
  | { readonly kind: 'let'; readonly variable: Variable; readonly value: Expression; readonly span: Span }
  | {
      readonly kind: 'invoke';
      readonly callable: MutationSymbol | QuerySymbol;
      readonly args: readonly Expression[];
      readonly bind: Variable | null;
      readonly span: Span;
    }
  | Loop<Statement>
  | Choice<Statement>
  | { readonly kind: 'return'; readonly value: Expression; readonly span: Span };

/** `for`, with statements or steps as its block. */
export interface Loop<Step> {
  readonly kind: 'for';
  readonly variable: Variable;
  readonly rows: { readonly kind: 'list'; readonly value: Expression } | Selection;
  readonly body: readonly Step[];
  readonly span: Span;
}

/** `if`, with statements or steps as its blocks. */
export interface Choice<Step> {
  readonly kind: 'if';
  readonly branches: readonly { readonly condition: Condition; readonly body: readonly Step[] }[];
  readonly otherwise: readonly Step[];
  readonly span: Span;
}

export interface CheckedTest {
  readonly module: string;
  readonly name: string;
  readonly steps: readonly TestStep[];
  readonly span: Span;
}

export type TestStep =
  | { readonly kind: 'statement'; readonly statement: Statement }
  | { readonly kind: 'expect'; readonly condition: Condition; readonly span: Span }
  /** `call` is an `invoke`, or of a fn a `let` of its `call`. */
  | { readonly kind: 'expectError'; readonly code: string; readonly call: Statement; readonly span: Span }
  | { readonly kind: 'setContext'; readonly field: string; readonly value: Expression; readonly span: Span }
  | Loop<TestStep>
  | Choice<TestStep>;

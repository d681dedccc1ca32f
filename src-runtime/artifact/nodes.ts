/** Bodies: trees of nodes with an `op`, of rules, expressions, queries and mutations. */

import type { Span } from '../base/span.js';
import type { Json, Type } from './type-terms.js';

/** The union of its clauses. */
export interface RuleBody {
  readonly op: 'rule';
  readonly clauses: readonly Clause[];
}

export interface Clause {
  readonly op: 'clause';
  /** One expression per parameter: a variable, or a `convert` of one. */
  readonly head: readonly Expression[];
  readonly condition: Condition;
  readonly span: Span;
  /** Of a clause with alternatives, which is compiled to several: the alternatives of this one. */
  readonly branches?: readonly { readonly text: string; readonly span: Span }[];
}

/** A conjunction. The order of literals carries no meaning. */
export interface Condition {
  /**
   * Every variable that the literals bind, with its type, including a rule's parameters. Variables bound outside (parameters of a
   * callable, names of a mutation, the group of an aggregate) are not listed.
   */
  readonly variables: readonly { readonly name: string; readonly type: Type }[];
  readonly literals: readonly Literal[];
}

/** A variable or a constant. */
export type Term = VariableExpression | ConstantExpression;

export type Literal =
  /** A tuple of a relation; null is a wildcard. */
  | { readonly op: 'atom'; readonly relation: string; readonly args: readonly (Term | null)[]; readonly span: Span }
  /** No such tuple; its variables are bound elsewhere. */
  | { readonly op: 'absent'; readonly relation: string; readonly args: readonly (Term | null)[]; readonly span: Span }
  /** Binds the variable to the value; if the variable is bound, compares them. Does not hold if the value is `none`. */
  | {
      readonly op: 'let';
      readonly variable: string;
      readonly value: Expression;
      readonly text: string;
      readonly span: Span;
    }
  /** Binds the variable to each element of a list parameter, a navigation field of type `[T]` or a range. */
  | {
      readonly op: 'each';
      readonly variable: string;
      readonly in: Expression;
      readonly text: string;
      readonly span: Span;
    }
  /** A Bool expression that must be true. */
  | { readonly op: 'test'; readonly condition: Expression; readonly text: string; readonly span: Span }
  /** The only literal of its condition, outside clauses: one of the branches holds. Each binds the condition's variables. */
  | { readonly op: 'either'; readonly branches: readonly Condition[]; readonly span: Span };

export interface VariableExpression {
  readonly op: 'variable';
  readonly name: string;
}

/** A value in its wire form. */
export interface ConstantExpression {
  readonly op: 'constant';
  readonly type: Type;
  readonly value: Json;
}

export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';
export type ArithmeticOperator = '+' | '-' | '*' | '/' | 'div' | 'mod';
export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'list';

export type Expression =
  | VariableExpression
  | ConstantExpression
  | { readonly op: 'none' }
  /** Reads a stored field; none if it is absent. */
  | { readonly op: 'field'; readonly field: string; readonly of: Expression }
  /** Reads a navigation field: a value or none or, with `many`, the list of distinct values in the language's order. */
  | ({ readonly op: 'navigate'; readonly field: string; readonly of: Expression } & Navigation)
  /** Reads a field of a record; none if the field or the record is absent. `type` is the field's type. */
  | { readonly op: 'member'; readonly name: string; readonly of: Expression; readonly type: Type }
  /** Both operands have type `type`. With an absent operand the comparison is false, except `==` and `!=` with the literal none. */
  | {
      readonly op: 'compare';
      readonly operator: CompareOperator;
      readonly type: Type;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly op: 'and' | 'or'; readonly operands: readonly Expression[] }
  | { readonly op: 'not'; readonly operand: Expression }
  | {
      readonly op: 'if';
      readonly condition: Expression;
      readonly then: Expression;
      readonly else: Expression;
    }
  /** The first case whose pattern equals the subject; a null pattern matches everything. */
  | {
      readonly op: 'match';
      readonly subject: Expression;
      readonly type: Type;
      readonly cases: readonly { readonly pattern: ConstantExpression | null; readonly value: Expression }[];
    }
  /** `type` is the type of operands and result; `/` is Decimal only, `div` and `mod` Int only. */
  | {
      readonly op: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly type: 'Int' | 'Decimal';
      readonly left: Expression;
      readonly right: Expression;
      readonly span: Span;
    }
  | { readonly op: 'negate'; readonly type: 'Int' | 'Decimal'; readonly operand: Expression }
  /** Text `++`, and the parts of a message: operands are Text. */
  | { readonly op: 'concat'; readonly operands: readonly Expression[] }
  /** Int to Decimal. */
  | { readonly op: 'convert'; readonly operand: Expression }
  /** `left ?? right`. */
  | { readonly op: 'coalesce'; readonly left: Expression; readonly right: Expression }
  | { readonly op: 'exists'; readonly operand: Expression }
  /** A built-in function by its name in `std`; `types` (the operand types) selects the overload. */
  | {
      readonly op: 'builtIn';
      readonly name: string;
      readonly types: readonly Type[];
      readonly args: readonly Expression[];
      readonly result: Type;
      readonly span: Span;
    }
  /** A declared function. */
  | { readonly op: 'call'; readonly function: string; readonly args: readonly Expression[]; readonly span: Span }
  | { readonly op: 'context'; readonly name: string; readonly type: Type }
  | { readonly op: 'list'; readonly of: Type; readonly items: readonly Expression[] }
  | {
      readonly op: 'record';
      readonly fields: readonly { readonly name: string; readonly value: Expression; readonly type: Type }[];
    }
  /** The whole numbers from `from` up to but not including `to`: the values of an `each`, otherwise a list. */
  | {
      readonly op: 'range';
      readonly from: Expression;
      readonly to: Expression;
      /** The distance of the numbers, 1 if it is left out. A negative one counts down to `to`. */
      readonly step?: Expression;
      /** Of a range with a step, which faults if that is 0. */
      readonly span?: Span;
    }
  /**
   * Over the distinct bindings of the variables `over` that satisfy `condition`; its other variables are either bound
   * outside (the group) or local. `value` is absent for `count`. `result` is the type of the aggregate's value.
   */
  | {
      readonly op: 'aggregate';
      readonly function: AggregateFunction;
      readonly value: Expression | null;
      readonly over: readonly string[];
      readonly condition: Condition;
      readonly result: Type;
      readonly span: Span;
    };

export type QueryBody =
  | {
      readonly op: 'select';
      readonly select: Expression;
      /** The type of one row. */
      readonly row: Type;
      readonly condition: Condition;
      readonly orderBy: readonly { readonly key: Expression; readonly type: Type; readonly descending: boolean }[];
      readonly limit: Expression | null;
    }
  | { readonly op: 'value'; readonly value: Expression };

export interface MutationBody {
  readonly op: 'block';
  readonly statements: readonly Statement[];
}

export type Statement =
  /** A new individual. `fields` holds the fields written in the source; the defaults are the concept's. */
  | {
      readonly op: 'insertIndividual';
      readonly concept: string;
      readonly fields: readonly { readonly field: string; readonly value: Expression }[];
      /** The variable that holds the new individual. */
      readonly bind: string | null;
      readonly span: Span;
    }
  | {
      readonly op: 'insertFact';
      readonly relation: string;
      readonly args: readonly Expression[];
      readonly span: Span;
    }
  | {
      readonly op: 'set';
      readonly target: Expression;
      readonly field: string;
      readonly value: Expression;
      readonly span: Span;
    }
  /** A null argument matches anything. */
  | {
      readonly op: 'deleteFacts';
      readonly relation: string;
      readonly args: readonly (Expression | null)[];
      readonly span: Span;
    }
  | { readonly op: 'deleteIndividual'; readonly target: Expression; readonly span: Span }
  | { readonly op: 'forget'; readonly target: Expression; readonly span: Span }
  | { readonly op: 'require'; readonly condition: Condition; readonly message: Expression; readonly span: Span }
  | {
      readonly op: 'let';
      readonly variable: string;
      readonly type: Type;
      readonly value: Expression;
      readonly span: Span;
    }
  /** Calls a mutation or a query; `bind` names its result. */
  | {
      readonly op: 'invoke';
      readonly callable: string;
      readonly args: readonly Expression[];
      readonly bind: string | null;
      readonly span: Span;
    }
  | {
      readonly op: 'for';
      readonly variable: string;
      readonly type: Type;
      /** Rows fixed before the first run of the block. */
      readonly rows:
        | { readonly op: 'list'; readonly value: Expression }
        | { readonly op: 'query'; readonly query: QueryBody };
      readonly body: readonly Statement[];
      readonly span: Span;
    }
  | {
      readonly op: 'if';
      readonly branches: readonly { readonly condition: Condition; readonly body: readonly Statement[] }[];
      readonly else: readonly Statement[];
      readonly span: Span;
    }
  | { readonly op: 'return'; readonly value: Expression; readonly span: Span };

/** How a navigation field is read through a relation. */
export interface Navigation {
  readonly relation: string;
  /** Index of the endpoint with the individual that has the field. */
  readonly own: number;
  /** Index of the endpoint with the field's value. */
  readonly read: number;
  readonly many: boolean;
}

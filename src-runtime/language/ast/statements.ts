/** Rule bodies, and the statements of mutations and tests. */

import type { Span } from '../../base/span.js';
import type { Argument, CallExpression, Entry, Expression } from './expressions.js';
import type { Selection, Template } from './items.js';
import type { Name, Path } from './names.js';

/** A conjunction. The span covers the literals, not the keyword before them; it is empty if none could be parsed. */
export interface Body {
  readonly literals: readonly Literal[];
  readonly span: Span;
}

export type Literal =
  /** `let x = expr` */
  | {
      readonly kind: 'let';
      readonly name: Name;
      readonly value: Expression;
      /** It is a computed parameter, whose type is declared. */
      readonly isInHead?: true;
      readonly span: Span;
    }
  /** `x in expr` */
  | { readonly kind: 'in'; readonly name: Name; readonly source: Expression; readonly span: Span }
  /** `not rel(…)`, `not Concept(…)`, or `not` before any Bool expression: the checker tells them apart by the operand. */
  | { readonly kind: 'not'; readonly operand: Expression; readonly span: Span }
  /** A tuple, a class membership, a comparison or any other Bool expression. */
  | { readonly kind: 'holds'; readonly expression: Expression; readonly span: Span };

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

/** `delete x`, or `delete rel(t, …)` if the target is a `call`, whose arguments may be wildcards. */
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

/** `let x = e`; `e` may call a mutation or a query. */
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

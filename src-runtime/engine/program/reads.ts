/** Walks bodies: finds the relations they read, and checks that every node is known to this engine. */

import type { Clause, Condition, Expression, Literal } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';

/** The names that bodies may use. */
export interface ReadableSchema {
  readonly relations: ReadonlyMap<string, { readonly endpoints: readonly unknown[] }>;
  readonly functions: ReadonlyMap<string, unknown>;
}

export interface Reads {
  /** Paths of the relations that are read. */
  readonly relations: Set<string>;
  /** Paths of the functions that are called directly. */
  readonly functions: Set<string>;
}

/** Adds what the condition reads. Throws an undecodable EvaluationFault at an unknown node. */
export function readsOfCondition(schema: ReadableSchema, condition: Condition, reads: Reads): Reads {
  guarded(() => {
    for (const literal of condition.literals) visitLiteral(schema, literal, reads);
  });
  return reads;
}

export function readsOfExpression(schema: ReadableSchema, expression: Expression, reads: Reads): Reads {
  guarded(() => visit(schema, expression, reads));
  return reads;
}

export function readsOfClauses(schema: ReadableSchema, clauses: readonly Clause[]): Reads {
  const reads: Reads = { relations: new Set(), functions: new Set() };
  guarded(() => {
    for (const clause of clauses) {
      if (clause.op !== 'clause') unknownNode(clause);
      for (const head of clause.head) visit(schema, head, reads);
      for (const literal of clause.condition.literals) visitLiteral(schema, literal, reads);
    }
  });
  return reads;
}

export function noReads(): Reads {
  return { relations: new Set(), functions: new Set() };
}

/** A body of a wrong shape makes property reads throw TypeErrors, which also mean that it cannot be decoded. */
function guarded(walk: () => void): void {
  try {
    walk();
  } catch (error) {
    if (error instanceof TypeError) throw new EvaluationFault('undecodable', 'the body is malformed');
    throw error;
  }
}

function visitLiteral(schema: ReadableSchema, literal: Literal, reads: Reads): void {
  switch (literal.op) {
    case 'atom':
    case 'absent': {
      const relation = readRelation(schema, literal.relation, reads);
      if (relation.endpoints.length !== literal.args.length) {
        throw new EvaluationFault(
          'undecodable',
          `a literal of ${literal.relation} has ${literal.args.length} arguments`,
        );
      }
      for (const arg of literal.args) if (arg !== null) visit(schema, arg, reads);
      return;
    }
    case 'let':
      visit(schema, literal.value, reads);
      return;
    case 'each':
      visit(schema, literal.in, reads);
      return;
    case 'test':
      visit(schema, literal.condition, reads);
      return;
    case 'either':
      for (const { literals } of literal.branches) for (const each of literals) visitLiteral(schema, each, reads);
      return;
    default:
      unknownNode(literal);
  }
}

function visit(schema: ReadableSchema, expression: Expression, reads: Reads): void {
  if (expression.op === 'field') readRelation(schema, expression.field, reads);
  if (expression.op === 'navigate') readRelation(schema, expression.relation, reads);
  if (expression.op === 'call') {
    if (!schema.functions.has(expression.function)) {
      throw new EvaluationFault('undecodable', `the body calls ${expression.function}, which is not declared`);
    }
    reads.functions.add(expression.function);
  }
  if (expression.op === 'aggregate') {
    for (const literal of expression.condition.literals) visitLiteral(schema, literal, reads);
  }
  for (const part of partsOf(expression)) visit(schema, part, reads);
}

/** The conjunctions of which one holds: the condition itself, unless it has alternatives. */
export function branchesOf(condition: Condition): readonly Condition[] {
  const [only] = condition.literals;
  return only?.op === 'either' ? only.branches : [condition];
}

/** The condition with more literals, in each of its branches. */
export function conditionWith(
  condition: Condition,
  variables: Condition['variables'],
  literals: readonly Literal[],
): Condition {
  const extend = (each: Condition): Condition => ({
    variables: [...each.variables, ...variables],
    literals: [...each.literals, ...literals],
  });
  const [only] = condition.literals;
  if (only?.op !== 'either') return extend(condition);
  return { ...extend({ ...condition, literals: [] }), literals: [{ ...only, branches: only.branches.map(extend) }] };
}

/** The direct operands of an expression in source order, without an aggregate's condition. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.op) {
    case 'variable':
    case 'constant':
    case 'none':
    case 'context':
      return [];
    case 'field':
    case 'navigate':
    case 'member':
      return [expression.of];
    case 'compare':
    case 'arithmetic':
    case 'coalesce':
      return [expression.left, expression.right];
    case 'and':
    case 'or':
    case 'concat':
      return expression.operands;
    case 'not':
    case 'negate':
    case 'convert':
    case 'exists':
      return [expression.operand];
    case 'if':
      return [expression.condition, expression.then, expression.else];
    case 'match':
      return [expression.subject, ...expression.cases.map((branch) => branch.value)];
    case 'builtIn':
    case 'call':
      return expression.args;
    case 'list':
      return expression.items;
    case 'record':
      return expression.fields.map((field) => field.value);
    case 'range':
      return expression.step === undefined
        ? [expression.from, expression.to]
        : [expression.from, expression.to, expression.step];
    case 'aggregate':
      return expression.value === null ? [] : [expression.value];
    default:
      return unknownNode(expression);
  }
}

function readRelation(schema: ReadableSchema, path: string, reads: Reads): { readonly endpoints: readonly unknown[] } {
  const relation = schema.relations.get(path);
  if (relation === undefined) {
    throw new EvaluationFault('undecodable', `the body reads ${path}, which is not declared`);
  }
  reads.relations.add(path);
  return relation;
}

function unknownNode(node: never | { readonly op: string }): never {
  throw new EvaluationFault(
    'undecodable',
    `the body holds a node "${String((node as { op: unknown }).op)}" that this engine does not know`,
  );
}

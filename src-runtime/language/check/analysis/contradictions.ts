/** Finds bodies that never hold because their tests of constants contradict each other. */

import type { Span } from '../../../base/span.js';
import type { CompareOperator } from '../../ast.js';
import { compareConstants, holdsOfConstants } from '../expressions/evaluate.js';
import type { Session } from '../names/environment.js';
import { report } from '../names/environment.js';
import type { CheckedProgram, Condition, Constant, Expression, Literal, Variable } from '../program/checked.js';
import type { Type } from '../program/types.js';
import { BOOL } from '../program/types.js';

/** What one test requires of a variable or a field: `l.status == signed`. */
interface Constraint {
  readonly operator: CompareOperator;
  readonly type: Type;
  readonly value: boolean | number | string;
  readonly span: Span;
}

/** Warns of each body of a rule, check or query that contradicts itself. */
export function warnOfContradictions(
  session: Session,
  program: Pick<CheckedProgram, 'rules' | 'checks' | 'queries'>,
): void {
  for (const { clauses } of [...program.rules, ...program.checks]) {
    // Other combinations of its alternatives may hold.
    for (const { condition, branches } of clauses) if (branches === undefined) warnOfCondition(session, condition);
  }
  for (const { body } of program.queries) if (body.kind === 'select') warnOfCondition(session, body.condition);
}

/** Whether the literals exclude each other. */
export function neverHolds(condition: Condition): boolean {
  return contradictionIn(condition) !== undefined;
}

function warnOfCondition(session: Session, condition: Condition): void {
  const found = contradictionIn(condition);
  if (found === undefined) return;
  const { earlier, span } = found;
  if (earlier === undefined) {
    report(session, 'W0402', span, 'this condition is never true, so the body never holds', {
      hint: 'Correct it, or remove the declaration.',
    });
    return;
  }
  report(session, 'W0402', span, 'this contradicts an earlier condition, so the body never holds', {
    notes: [{ message: 'the earlier condition is here', span: earlier }],
    hint: 'Write a clause for each case, or correct one of the two.',
  });
}

interface Contradiction {
  readonly span: Span;
  /** Undefined if the condition alone is never true. */
  readonly earlier: Span | undefined;
}

function contradictionIn(condition: Condition): Contradiction | undefined {
  const keys = new Map<Variable, string>();
  const constraints = new Map<string, Constraint[]>();
  for (const literal of condition.literals) {
    for (const [key, constraint] of constraintsOf(literal, keys)) {
      if (key === undefined) return { span: constraint.span, earlier: undefined };
      const before = constraints.get(key) ?? [];
      const excluded = before.find((other) => exclude(other, constraint));
      if (excluded !== undefined) return { span: constraint.span, earlier: excluded.span };
      constraints.set(key, [...before, constraint]);
    }
  }
  return deniedTuple(condition.literals, keys);
}

/** The constraints of a literal by key. A constraint without a key is never satisfied. */
function constraintsOf(literal: Literal, keys: Map<Variable, string>): [string | undefined, Constraint][] {
  if (literal.kind === 'test') return constraintsOfTest(literal.condition, keys);
  if (literal.kind !== 'let' || literal.value.kind !== 'constant' || literal.value.value === null) return [];
  const { type, value } = literal.value;
  return [[keyOfVariable(literal.variable, keys), { operator: '==', type, value, span: literal.span }]];
}

function constraintsOfTest(test: Expression, keys: Map<Variable, string>): [string | undefined, Constraint][] {
  const { span } = test;
  if (test.kind === 'and') return test.operands.flatMap((operand) => constraintsOfTest(operand, keys));
  if (test.kind === 'constant' && test.value === false) return [[undefined, isTrue(false, span)]];
  if (test.kind === 'not') {
    const key = keyOf(test.operand, keys);
    return key === undefined ? [] : [[key, isTrue(false, span)]];
  }
  if (test.kind !== 'compare') {
    const key = keyOf(test, keys);
    return key === undefined ? [] : [[key, isTrue(true, span)]];
  }
  const { operator, operandType: type } = test;
  const [left, right] = [constantOf(test.left), constantOf(test.right)];
  if (left !== undefined && right !== undefined) {
    return holdsOfConstants(operator, type, left, right) ? [] : [[undefined, isTrue(false, span)]];
  }
  const value = left ?? right;
  const key = keyOf(left === undefined ? test.left : test.right, keys);
  if (value === undefined || key === undefined) return [];
  return [[key, { operator: left === undefined ? operator : MIRRORED[operator], type, value, span }]];
}

const MIRRORED: { readonly [O in CompareOperator]: CompareOperator } = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function isTrue(value: boolean, span: Span): Constraint {
  return { operator: '==', type: BOOL, value, span };
}

function constantOf(expression: Expression): Exclude<Constant, null> | undefined {
  return expression.kind === 'constant' && expression.value !== null ? expression.value : undefined;
}

/** Equal for the same variable or field path; undefined for computed values. */
function keyOf(expression: Expression, keys: Map<Variable, string>): string | undefined {
  if (expression.kind === 'variable') return keyOfVariable(expression.variable, keys);
  if (expression.kind === 'convert') return keyOf(expression.operand, keys);
  if (expression.kind !== 'field' && expression.kind !== 'member') return undefined;
  const of = keyOf(expression.of, keys);
  if (of === undefined) return undefined;
  return `${of}.${expression.kind === 'field' ? expression.field.path : expression.name}`;
}

function keyOfVariable(variable: Variable, keys: Map<Variable, string>): string {
  const key = keys.get(variable) ?? `${keys.size}`;
  keys.set(variable, key);
  return key;
}

function exclude(a: Constraint, b: Constraint): boolean {
  if (a.operator === '==') return !holdsOfConstants(b.operator, b.type, a.value, b.value);
  if (b.operator === '==') return !holdsOfConstants(a.operator, a.type, b.value, a.value);
  const [low, high] = a.operator.startsWith('>') ? [a, b] : [b, a];
  if (!low.operator.startsWith('>') || !high.operator.startsWith('<')) return false;
  const order = compareConstants(low.type, low.value, high.value);
  return order > 0 || (order === 0 && (low.operator === '>' || high.operator === '<'));
}

/** A tuple that the body both needs and denies. */
function deniedTuple(literals: readonly Literal[], keys: Map<Variable, string>): Contradiction | undefined {
  for (const denied of literals) {
    if (denied.kind !== 'absent') continue;
    const needed = literals.find(
      (other) =>
        other.kind === 'atom' &&
        other.predicate === denied.predicate &&
        denied.args.every((arg, i) => arg === null || sameTerm(arg, other.args[i] ?? null, keys)),
    );
    if (needed !== undefined) return { span: denied.span, earlier: needed.span };
  }
  return undefined;
}

function sameTerm(a: Expression, b: Expression | null, keys: Map<Variable, string>): boolean {
  if (b === null) return false;
  if (a.kind === 'constant') return b.kind === 'constant' && a.value === b.value;
  const key = keyOf(a, keys);
  return key !== undefined && key === keyOf(b, keys);
}

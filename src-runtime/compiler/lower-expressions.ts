/** Checked expressions to the artifact's. */

import type * as ir from '../artifact/index.js';
import { invariant } from '../base/invariant.js';
import { type Expression, isOptional, required } from '../language/check/index.js';
import { lowerCondition } from './lower-conditions.js';
import type { Lowering } from './lowering.js';
import { lowerType } from './lowering.js';

export function lowerExpression(lowering: Lowering, node: Expression): ir.Expression {
  const lower = (part: Expression): ir.Expression => lowerExpression(lowering, part);
  const { span } = node;
  switch (node.kind) {
    case 'variable':
      return { op: 'variable', name: node.variable.name };
    case 'constant':
      return lowerConstant(node);
    case 'none':
      return { op: 'none' };
    case 'field':
      return lowerField(lowering, node);
    case 'member':
      return { op: 'member', name: node.name, of: lower(node.of), type: lowerType(node.type) };
    case 'compare':
      return {
        op: 'compare',
        operator: node.operator,
        type: lowerType(node.operandType),
        left: lower(node.left),
        right: lower(node.right),
      };
    case 'and':
    case 'or':
      return { op: node.kind, operands: node.operands.map(lower) };
    case 'concat':
      return { op: 'concat', operands: node.operands.map(lower) };
    case 'not':
    case 'exists':
    case 'convert':
      return { op: node.kind, operand: lower(node.operand) };
    case 'if':
      return {
        op: 'if',
        condition: lower(node.condition),
        // biome-ignore lint/suspicious/noThenProperty: the artifact's word; nobody awaits an expression.
        then: lower(node.whenTrue),
        else: lower(node.whenFalse),
      };
    case 'match':
      return lowerMatch(lowering, node);
    case 'arithmetic':
      return {
        op: 'arithmetic',
        operator: node.operator,
        type: node.number,
        left: lower(node.left),
        right: lower(node.right),
        span,
      };
    case 'negate':
      return { op: 'negate', type: node.number, operand: lower(node.operand) };
    case 'coalesce':
      return { op: 'coalesce', left: lower(node.left), right: lower(node.right) };
    case 'builtIn':
      return lowerBuiltIn(lowering, node);
    case 'call':
      return { op: 'call', function: node.function.path, args: node.args.map(lower), span };
    case 'context':
      return { op: 'context', name: node.name, type: lowerType(node.type) };
    case 'list':
      return { op: 'list', of: lowerType(node.of), items: node.items.map(lower) };
    case 'record':
      return {
        op: 'record',
        fields: node.fields.map(({ name, value }) => ({
          name,
          value: lower(value),
          type: fieldType(node, name, value),
        })),
      };
    case 'range':
      return lowerRange(lowering, node);
    case 'aggregate':
      return lowerAggregate(lowering, node);
    case 'error':
      invariant(false, 'a program without errors has no erroneous expression');
  }
}

/** The type of the value, but required where the record's field is: an absent value then makes the record absent. */
function fieldType({ type }: Expression & { kind: 'record' }, name: string, value: Expression): ir.Type {
  const own = type.kind === 'record' ? type.fields.find((field) => field.name === name)?.type : undefined;
  return lowerType(own === undefined || isOptional(own) ? value.type : required(value.type));
}

export function lowerConstant(node: Expression & { kind: 'constant' }): ir.ConstantExpression {
  return { op: 'constant', type: lowerType(node.type), value: node.value };
}

function lowerField(lowering: Lowering, node: Expression & { kind: 'field' }): ir.Expression {
  const { field } = node;
  const of = lowerExpression(lowering, node.of);
  if (field.navigation === null) return { op: 'field', field: field.path, of };
  const { relation, own, read, many } = field.navigation;
  return { op: 'navigate', field: field.path, of, relation: relation.path, own, read, many };
}

function lowerMatch(lowering: Lowering, node: Expression & { kind: 'match' }): ir.Expression {
  const subjectType = node.subject.type.kind === 'optional' ? node.subject.type.of : node.subject.type;
  return {
    op: 'match',
    subject: lowerExpression(lowering, node.subject),
    type: lowerType(subjectType),
    cases: node.cases.map(({ pattern, value }) => ({
      pattern: pattern?.kind === 'constant' ? lowerConstant(pattern) : null,
      value: lowerExpression(lowering, value),
    })),
  };
}

function lowerBuiltIn(lowering: Lowering, node: Expression & { kind: 'builtIn' }): ir.Expression {
  return {
    op: 'builtIn',
    name: node.name,
    types: node.operandTypes.map(lowerType),
    args: node.args.map((arg) => lowerExpression(lowering, arg)),
    result: lowerType(node.type),
    span: node.span,
  };
}

function lowerRange(lowering: Lowering, { from, to, step, span }: Expression & { kind: 'range' }): ir.Expression {
  const lower = (part: Expression): ir.Expression => lowerExpression(lowering, part);
  return { op: 'range', from: lower(from), to: lower(to), ...(step !== null && { step: lower(step), span }) };
}

function lowerAggregate(lowering: Lowering, node: Expression & { kind: 'aggregate' }): ir.Expression {
  return {
    op: 'aggregate',
    function: node.function,
    value: node.value === null ? null : lowerExpression(lowering, node.value),
    over: node.over.map((variable) => variable.name),
    condition: lowerCondition(lowering, node.condition),
    result: lowerType(node.type),
    span: node.span,
  };
}

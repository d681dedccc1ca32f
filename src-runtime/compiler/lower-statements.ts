/** Checked queries and mutations to the artifact's bodies. */

import type * as ir from '../artifact/index.js';
import type { QueryBody, Selection, Statement } from '../language/check/index.js';
import { lowerCondition } from './lower-conditions.js';
import { lowerExpression } from './lower-expressions.js';
import type { Lowering } from './lowering.js';
import { lowerType } from './lowering.js';

export function lowerQueryBody(lowering: Lowering, body: QueryBody): ir.QueryBody {
  if (body.kind === 'value') return { op: 'value', value: lowerExpression(lowering, body.value) };
  return lowerSelection(lowering, body);
}

export function lowerBlock(lowering: Lowering, statements: readonly Statement[]): ir.Statement[] {
  return statements.map((statement) => lowerStatement(lowering, statement));
}

function lowerSelection(lowering: Lowering, body: Selection): ir.QueryBody {
  return {
    op: 'select',
    select: lowerExpression(lowering, body.select),
    row: lowerType(body.row),
    condition: lowerCondition(lowering, body.condition),
    orderBy: body.orderBy.map(({ key, descending }) => ({
      key: lowerExpression(lowering, key),
      type: lowerType(key.type.kind === 'optional' ? key.type.of : key.type),
      descending,
    })),
    limit: body.limit === null ? null : lowerExpression(lowering, body.limit),
  };
}

function lowerStatement(lowering: Lowering, node: Statement): ir.Statement {
  const lower = (part: Parameters<typeof lowerExpression>[1]) => lowerExpression(lowering, part);
  const { span } = node;
  switch (node.kind) {
    case 'insertIndividual':
      return {
        op: 'insertIndividual',
        concept: node.concept.path,
        fields: node.fields.map(({ field, value }) => ({ field: field.path, value: lower(value) })),
        bind: node.bind?.name ?? null,
        span,
      };
    case 'insertFact':
      return { op: 'insertFact', relation: node.relation.path, args: node.args.map(lower), span };
    case 'set':
      return { op: 'set', target: lower(node.target), field: node.field.path, value: lower(node.value), span };
    case 'deleteFacts': {
      const args = node.args.map((arg) => (arg === null ? null : lower(arg)));
      return { op: 'deleteFacts', relation: node.relation.path, args, span };
    }
    case 'deleteIndividual':
    case 'forget':
      return { op: node.kind, target: lower(node.target), span };
    case 'require':
      return { op: 'require', condition: lowerCondition(lowering, node.condition), message: lower(node.message), span };
    case 'let':
      return {
        op: 'let',
        variable: node.variable.name,
        type: lowerType(node.variable.type),
        value: lower(node.value),
        span,
      };
    case 'invoke':
      return {
        op: 'invoke',
        callable: node.callable.path,
        args: node.args.map(lower),
        bind: node.bind?.name ?? null,
        span,
      };
    case 'for':
      return {
        op: 'for',
        variable: node.variable.name,
        type: lowerType(node.variable.type),
        rows:
          node.rows.kind === 'list'
            ? { op: 'list', value: lower(node.rows.value) }
            : { op: 'query', query: lowerSelection(lowering, node.rows) },
        body: lowerBlock(lowering, node.body),
        span,
      };
    case 'if':
      return {
        op: 'if',
        branches: node.branches.map(({ condition, body }) => ({
          condition: lowerCondition(lowering, condition),
          body: lowerBlock(lowering, body),
        })),
        else: lowerBlock(lowering, node.otherwise),
        span,
      };
    case 'return':
      return { op: 'return', value: lower(node.value), span };
  }
}

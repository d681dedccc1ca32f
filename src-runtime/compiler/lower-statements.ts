/** Checked queries and mutations to the artifact's bodies. */

import type * as ir from '../artifact/index.js';
import type { Choice, Loop, QueryBody, Selection, Statement } from '../language/check/index.js';
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
      return { ...lowerLoop(lowering, node, (body) => lowerBlock(lowering, body)), span };
    case 'if':
      return { ...lowerChoice(lowering, node, (body) => lowerBlock(lowering, body)), span };
    case 'return':
      return { op: 'return', value: lower(node.value), span };
  }
}

/** A `for` without its span; `Step` is the type of the statements in its block. */
export interface LoweredLoop<Step>
  extends Pick<ir.Statement & { readonly op: 'for' }, 'op' | 'variable' | 'type' | 'rows'> {
  readonly body: readonly Step[];
}

/** An `if` without its span; `Step` is the type of the statements in its blocks. */
export interface LoweredChoice<Step> {
  readonly op: 'if';
  readonly branches: readonly { readonly condition: ir.Condition; readonly body: readonly Step[] }[];
  readonly else: readonly Step[];
}

/** `steps` lowers the statements of the block. */
export function lowerLoop<Step, Lowered>(
  lowering: Lowering,
  { variable, rows, body }: Loop<Step>,
  steps: (body: readonly Step[]) => readonly Lowered[],
): LoweredLoop<Lowered> {
  return {
    op: 'for',
    variable: variable.name,
    type: lowerType(variable.type),
    rows:
      rows.kind === 'list'
        ? { op: 'list', value: lowerExpression(lowering, rows.value) }
        : { op: 'query', query: lowerSelection(lowering, rows) },
    body: steps(body),
  };
}

/** `steps` lowers the statements of each block. */
export function lowerChoice<Step, Lowered>(
  lowering: Lowering,
  { branches, otherwise }: Choice<Step>,
  steps: (body: readonly Step[]) => readonly Lowered[],
): LoweredChoice<Lowered> {
  return {
    op: 'if',
    branches: branches.map(({ condition, body }) => ({
      condition: lowerCondition(lowering, condition),
      body: steps(body),
    })),
    else: steps(otherwise),
  };
}

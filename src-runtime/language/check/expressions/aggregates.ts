/** Types aggregates: `count(for v where …)`, `sum(e for v where …)` and their kin. */

import type * as syntax from '../../ast.js';
import type { Environment } from '../names/environment.js';
import { linkVariable, report } from '../names/environment.js';
import type { Condition, Expression, Literal, Variable } from '../program/checked.js';
import type { Type } from '../program/types.js';
import {
  DECIMAL,
  ERROR,
  INT,
  isNumber,
  isOptional,
  isOrdered,
  optional,
  required,
  typeText,
} from '../program/types.js';
import { checkBody } from './bodies.js';
import { toDecimal } from './coercion.js';
import { checkExpression, errorAt } from './expressions.js';
import { warnOfUndeterminedValue } from './undetermined.js';

/** `expected` decides whether `min`, `max` and `avg` without bindings are none or an evaluation error. */
export function checkAggregate(env: Environment, node: syntax.AggregateExpression, expected?: Type): Expression {
  if (env.place === 'pure' && env.bindings.find('value')?.implicit === true) {
    report(env.session, 'E0601', node.span, 'refinements cannot aggregate', {
      hint: 'Use only `value`, or write a check.',
    });
    return errorAt(node);
  }
  const target = { kind: 'builtIn', form: 'aggregate', name: node.function } as const;
  env.session.links.push({ span: node.functionSpan, target });
  if (node.function === 'list' && (env.place === 'rule' || env.absentFails)) {
    report(env.session, 'E0607', node.span, '`list` is not allowed in rule bodies', {
      hint: 'Use `count`, `sum`, `avg`, `min` or `max`, or the tuples themselves.',
    });
    return errorAt(node);
  }
  const fresh: syntax.Name[] = [];
  for (const name of node.variables) {
    if (env.bindings.find(name.text) === undefined && !fresh.some((other) => other.text === name.text)) {
      fresh.push(name);
      continue;
    }
    report(env.session, 'E0107', name.span, `"${name.text}" is already defined, and an aggregate needs new names`, {
      hint: 'Rename it. Variables of the enclosing body form the group automatically.',
    });
    return errorAt(node);
  }
  const listed = node.variables.map((name) => ({ name: name.text, span: name.span }));
  const body = checkBody(env, node.body, { mustBind: listed, reads: node.value === null ? [] : [node.value] });
  const over = listed.map(({ name, span }) => body.bindings.find(name) ?? { name, type: ERROR, span });
  for (const [i, { span }] of listed.entries()) if (over[i] !== undefined) linkVariable(env.session, span, over[i]);
  const inner: Environment = { ...body.env, absentFails: true };
  const value = node.value === null ? null : checkExpression(inner, node.value);
  if (value?.type.kind === 'error') return errorAt(node);
  const fitted = value === null ? null : fitValue(env, node, value);
  if (fitted === undefined) return errorAt(node);
  if (fitted !== null) warnOfUndeterminedValue(env, fitted, over, body.condition);
  const bare = resultType(node.function, fitted?.type);
  const mayBeNone = node.function === 'min' || node.function === 'max' || node.function === 'avg';
  const none = mayBeNone && (env.absentFails || (expected !== undefined && isOptional(expected)));
  return {
    kind: 'aggregate',
    function: node.function,
    value: fitted,
    over,
    condition: listing(over, body.condition),
    type: none ? optional(bare) : bare,
    span: node.span,
  };
}

/** The condition with the listed variables among its own. */
function listing(over: readonly Variable[], condition: Condition): Condition {
  const literals = condition.literals.map((literal): Literal => {
    if (literal.kind !== 'either') return literal;
    return { ...literal, branches: literal.branches.map((branch) => listing(over, branch)) };
  });
  return { variables: [...over, ...condition.variables], literals };
}

function fitValue(env: Environment, node: syntax.AggregateExpression, value: Expression): Expression | undefined {
  const type = required(value.type);
  if (type.kind === 'none') {
    report(env.session, 'E0209', value.span, 'the type of `none` is unknown here', {
      hint: 'Aggregate a field or a variable.',
    });
    return undefined;
  }
  if (node.function === 'sum' || node.function === 'avg') {
    if (!isNumber(type)) {
      report(env.session, 'E0203', value.span, `${node.function} needs numbers, found ${typeText(value.type)}`, {
        hint: 'Write an expression of Int or Decimal before `for`.',
      });
      return undefined;
    }
    return node.function === 'avg' ? toDecimal(value) : value;
  }
  if ((node.function === 'min' || node.function === 'max') && !isOrdered(type)) {
    report(env.session, 'E0203', value.span, `${node.function} needs ordered values, found ${typeText(value.type)}`, {
      hint: 'Write an expression of a scalar or an enum before `for`.',
    });
    return undefined;
  }
  return value;
}

function resultType(name: syntax.AggregateName, value: Type | undefined): Type {
  if (name === 'count' || value === undefined) return INT;
  if (name === 'avg') return DECIMAL;
  return name === 'list' ? { kind: 'list', of: required(value) } : required(value);
}

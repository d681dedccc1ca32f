/** Evaluates refinements on constants at compile time, as far as they can be told without running anything. */

import { Decimal } from 'decimal.js';
import type { Constant, Expression } from './checked.js';
import type { Type } from './types.js';

/** What the refinement says of the constant; undefined where only the runtime can tell. */
export function holdsFor(refinement: Expression, value: Constant): boolean | undefined {
  const result = evaluate(refinement, value);
  return typeof result === 'boolean' ? result : undefined;
}

function evaluate(node: Expression, value: Constant): Constant | undefined {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'variable':
      return value;
    case 'convert':
      return evaluate(node.operand, value);
    case 'not': {
      const operand = evaluate(node.operand, value);
      return typeof operand === 'boolean' ? !operand : undefined;
    }
    case 'and':
    case 'or':
      return evaluateLogic(node, value);
    case 'compare':
      return evaluateCompare(node, value);
    case 'builtIn':
      return evaluateText(node, value);
    default:
      return undefined;
  }
}

function evaluateLogic(node: Expression & { kind: 'and' | 'or' | 'concat' }, value: Constant): boolean | undefined {
  const decisive = node.kind === 'or';
  const operands = node.operands.map((operand) => evaluate(operand, value));
  if (operands.includes(decisive)) return decisive;
  return operands.every((operand) => operand === !decisive) ? !decisive : undefined;
}

function evaluateCompare(node: Expression & { kind: 'compare' }, value: Constant): boolean | undefined {
  const left = evaluate(node.left, value);
  const right = evaluate(node.right, value);
  if (left === undefined || right === undefined || left === null || right === null) return undefined;
  const order = compareConstants(node.operandType, left, right);
  switch (node.operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

function compareConstants(type: Type, a: boolean | number | string, b: boolean | number | string): number {
  if (type.kind === 'enum') {
    const place = (name: unknown) => type.symbol.members.findIndex((member) => member.name.text === name);
    return place(a) - place(b);
  }
  if (typeof a === 'boolean' || typeof b === 'boolean') return Number(a) - Number(b);
  if (type.kind === 'scalar' && (type.name === 'Int' || type.name === 'Decimal')) {
    return new Decimal(a).comparedTo(new Decimal(b));
  }
  return compareCodePoints(String(a), String(b));
}

function compareCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function evaluateText(node: Expression & { kind: 'builtIn' }, value: Constant): Constant | undefined {
  const [text, other] = node.args.map((arg) => evaluate(arg, value));
  if (typeof text !== 'string') return undefined;
  if (node.name === 'length') return [...text].length;
  if (typeof other !== 'string') return undefined;
  if (node.name === 'contains') return text.includes(other);
  if (node.name === 'startsWith') return text.startsWith(other);
  return node.name === 'endsWith' ? text.endsWith(other) : undefined;
}

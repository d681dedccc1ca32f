/** Evaluates refinements on constants at compile time, as far as they can be told without running anything. */

import { Decimal } from 'decimal.js';
import { parseDateTime } from '../../base/dates.js';
import { standardFunctions } from '../../base/standard-functions.js';
import type { ArithmeticOperator, CompareOperator } from '../ast.js';
import type { Constant, Expression } from './checked.js';
import { Decimal34, decimalText } from './coercion.js';
import type { Type } from './types.js';

/** What the refinement says of the constant; undefined where only the runtime can tell. */
export function holdsFor(refinement: Expression, value: Constant | undefined): boolean | undefined {
  const result = evaluate(refinement, value);
  return typeof result === 'boolean' ? result : undefined;
}

/** The value of an expression without variables; undefined where it has none, or only the runtime can tell. */
export function constantOf(node: Expression): Constant | undefined {
  return evaluate(node, undefined);
}

function evaluate(node: Expression, value: Constant | undefined): Constant | undefined {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'variable':
      return value;
    case 'none':
      return null;
    case 'convert':
      return decimalOf(evaluate(node.operand, value));
    case 'arithmetic':
      return evaluateArithmetic(node, value);
    case 'negate':
      return negated(evaluate(node.operand, value));
    case 'concat': {
      const parts = node.operands.map((operand) => evaluate(operand, value));
      return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
    }
    case 'coalesce': {
      const left = evaluate(node.left, value);
      return left === null ? evaluate(node.right, value) : left;
    }
    case 'if': {
      const condition = evaluate(node.condition, value);
      if (typeof condition !== 'boolean') return undefined;
      return evaluate(condition ? node.whenTrue : node.whenFalse, value);
    }
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
      return evaluateBuiltIn(node, value);
    default:
      return undefined;
  }
}

/** Int stays a number, Decimal is its wire text, as everywhere. */
function evaluateArithmetic(
  node: Expression & { kind: 'arithmetic' },
  value: Constant | undefined,
): Constant | undefined {
  const [left, right] = [evaluate(node.left, value), evaluate(node.right, value)];
  if (!isNumeral(left) || !isNumeral(right)) return undefined;
  const [a, b] = [new Decimal34(left), new Decimal34(right)];
  const { operator } = node;
  if (b.isZero() && (operator === '/' || operator === 'div' || operator === 'mod')) return undefined;
  const result = ARITHMETIC[operator](a, b);
  if (node.number === 'Decimal') return result.isFinite() ? decimalText(result.toFixed()) : undefined;
  const int = result.toNumber();
  return Number.isSafeInteger(int) ? int + 0 : undefined;
}

const ARITHMETIC: { readonly [O in ArithmeticOperator]: (a: Decimal, b: Decimal) => Decimal } = {
  '+': (a, b) => a.plus(b),
  '-': (a, b) => a.minus(b),
  '*': (a, b) => a.times(b),
  '/': (a, b) => a.div(b),
  div: (a, b) => a.div(b).trunc(),
  mod: (a, b) => a.mod(b),
};

function isNumeral(value: Constant | undefined): value is number | string {
  return typeof value === 'number' || typeof value === 'string';
}

function negated(value: Constant | undefined): Constant | undefined {
  if (typeof value === 'number') return value === 0 ? 0 : -value;
  return typeof value === 'string' ? decimalText(new Decimal34(value).negated().toFixed()) : undefined;
}

function decimalOf(value: Constant | undefined): Constant | undefined {
  return typeof value === 'number' ? decimalText(String(value)) : value;
}

function evaluateLogic(
  node: Expression & { kind: 'and' | 'or' | 'concat' },
  value: Constant | undefined,
): boolean | undefined {
  const decisive = node.kind === 'or';
  const operands = node.operands.map((operand) => evaluate(operand, value));
  if (operands.includes(decisive)) return decisive;
  return operands.every((operand) => operand === !decisive) ? !decisive : undefined;
}

function evaluateCompare(node: Expression & { kind: 'compare' }, value: Constant | undefined): boolean | undefined {
  const left = evaluate(node.left, value);
  const right = evaluate(node.right, value);
  if (left === undefined || right === undefined || left === null || right === null) return undefined;
  return holdsOfConstants(node.operator, node.operandType, left, right);
}

/** The comparison of two constants of one type. */
export function holdsOfConstants(
  operator: CompareOperator,
  type: Type,
  left: boolean | number | string,
  right: boolean | number | string,
): boolean {
  const order = compareConstants(type, left, right);
  switch (operator) {
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

/** Less than, equal to or greater than 0, by the order of the type's values. */
export function compareConstants(type: Type, a: boolean | number | string, b: boolean | number | string): number {
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

const STANDARD = standardFunctions((message) => new Error(message));

/** Undefined also where the function has no result: the runtime will say so. */
function evaluateBuiltIn(node: Expression & { kind: 'builtIn' }, value: Constant | undefined): Constant | undefined {
  const args = node.args.map((arg) => evaluate(arg, value));
  const [first, second] = args;
  const [type] = node.operandTypes;
  if (args.some((arg) => arg === undefined || arg === null) || type === undefined) return undefined;
  if (node.name === 'text') return String(first);
  if ((node.name === 'min' || node.name === 'max') && isNumeral(first) && isNumeral(second)) {
    const order = compareConstants(type, first, second) * (node.name === 'min' ? 1 : -1);
    return order <= 0 ? first : second;
  }
  const ofDecimal = type.kind === 'scalar' && type.name === 'Decimal';
  const apply = (ofDecimal ? STANDARD.decimal.get(node.name) : undefined) ?? STANDARD.plain.get(node.name);
  if (apply === undefined) return undefined;
  const plain = args.map((arg, i) => plainValue(node.operandTypes[i] ?? type, arg ?? null));
  try {
    const result = apply(...(plain as never[]));
    return typeof result === 'object' ? decimalText(result.toFixed()) : result;
  } catch {
    return undefined;
  }
}

/** A constant as the standard functions take it. */
function plainValue(type: Type, value: Constant) {
  if (type.kind !== 'scalar') return value;
  if (type.name === 'Decimal') return new Decimal34(String(value));
  return type.name === 'DateTime' ? parseDateTime(String(value)) : value;
}

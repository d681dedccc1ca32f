/** Evaluates refinements of constants at compile time, as far as possible. */

import { dateTimeText, parseDateTime } from '../../../base/dates.js';
import { Decimal, type DecimalValue, decimalText } from '../../../base/decimal.js';
import type { PlainFunction } from '../../../base/number-functions.js';
import { standardFunctions } from '../../../base/standard-functions.js';
import type { ArithmeticOperator, CompareOperator } from '../../ast.js';
import type { Constant, Expression } from '../program/checked.js';
import type { FunctionSymbol } from '../program/symbols.js';
import type { Type } from '../program/types.js';
import { isScalar, required } from '../program/types.js';
import { decimalOfDigits } from './coercion.js';

/** The bodies of functions that constants may go through; null for an extern one. */
export type FunctionBodies = ReadonlyMap<FunctionSymbol, Expression | null>;

/** The result of the refinement for the constant; undefined if only the runtime can decide. */
export function holdsFor(
  refinement: Expression,
  value: Constant,
  functions: FunctionBodies,
): boolean | 'faults' | undefined {
  const evaluation = { values: new Map([['value', value]]), functions, calls: { left: CALLS_MAX } };
  try {
    const result = evaluate(refinement, evaluation);
    return typeof result === 'boolean' ? result : undefined;
  } catch (error) {
    if (error instanceof ConstantFault) return 'faults';
    // Long expressions in functions that call each other can go deeper than the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The value of an expression without variables; undefined if it has none, or only the runtime can decide. */
export function constantOf(node: Expression): Constant | undefined {
  try {
    return evaluate(node, { values: new Map(), functions: new Map(), calls: { left: 0 } });
  } catch (error) {
    if (error instanceof ConstantFault) return undefined;
    throw error;
  }
}

interface Evaluation {
  /** Of the parameters in sight, by name. */
  readonly values: ReadonlyMap<string, Constant | undefined>;
  readonly functions: FunctionBodies;
  /** Calls left to follow. Functions that call each other in a cycle are evaluated before they are refused. */
  readonly calls: { left: number };
}

const CALLS_MAX = 200;

/** The expression would fail at run time. */
class ConstantFault extends Error {}

function evaluate(node: Expression, at: Evaluation): Constant | undefined {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'variable':
      return at.values.get(node.variable.name);
    case 'none':
      return null;
    case 'convert':
      return decimalOf(evaluate(node.operand, at));
    case 'arithmetic':
      return evaluateArithmetic(node, at);
    case 'negate':
      return negated(evaluate(node.operand, at));
    case 'concat': {
      const parts = node.operands.map((operand) => evaluate(operand, at));
      return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
    }
    case 'coalesce': {
      const left = evaluate(node.left, at);
      return left === null ? evaluate(node.right, at) : left;
    }
    case 'if': {
      const condition = evaluate(node.condition, at);
      if (typeof condition !== 'boolean') return undefined;
      return evaluate(condition ? node.whenTrue : node.whenFalse, at);
    }
    case 'match':
      return evaluateMatch(node, at);
    case 'not': {
      const operand = evaluate(node.operand, at);
      return typeof operand === 'boolean' ? !operand : undefined;
    }
    case 'exists': {
      const operand = evaluate(node.operand, at);
      return operand === undefined ? undefined : operand !== null;
    }
    case 'and':
    case 'or':
      return evaluateLogic(node, at);
    case 'compare':
      return evaluateCompare(node, at);
    case 'builtIn':
      return evaluateBuiltIn(node, at);
    case 'call':
      return evaluateCall(node, at);
    default:
      return undefined;
  }
}

function evaluateMatch(node: Expression & { kind: 'match' }, at: Evaluation): Constant | undefined {
  const subject = evaluate(node.subject, at);
  if (subject === undefined || subject === null) return undefined;
  for (const { pattern, value } of node.cases) {
    const wanted = pattern === null ? subject : evaluate(pattern, at);
    if (wanted === undefined || wanted === null) return undefined;
    if (holdsOfConstants('==', required(node.subject.type), subject, wanted)) return evaluate(value, at);
  }
  return undefined;
}

function evaluateCall(node: Expression & { kind: 'call' }, at: Evaluation): Constant | undefined {
  const body = at.functions.get(node.function) ?? null;
  if (body === null || at.calls.left === 0) return undefined;
  at.calls.left -= 1;
  const args = node.args.map((arg) => evaluate(arg, at));
  const values = new Map(node.function.parameters.map(({ name }, i) => [name, args[i]]));
  return evaluate(body, { ...at, values });
}

/** Int stays a number, Decimal is its wire text, as everywhere. */
function evaluateArithmetic(node: Expression & { kind: 'arithmetic' }, at: Evaluation): Constant | undefined {
  const [left, right] = [evaluate(node.left, at), evaluate(node.right, at)];
  if (!isNumeral(left) || !isNumeral(right)) return undefined;
  const [a, b] = [new Decimal(left), new Decimal(right)];
  const { operator } = node;
  if (b.isZero() && (operator === '/' || operator === 'div' || operator === 'mod')) throw new ConstantFault();
  const result = ARITHMETIC[operator](a, b);
  const int = result.toNumber();
  if (node.number === 'Int' ? !Number.isSafeInteger(int) : !result.isFinite()) throw new ConstantFault();
  return node.number === 'Int' ? int + 0 : decimalText(result);
}

const ARITHMETIC: { readonly [O in ArithmeticOperator]: (a: DecimalValue, b: DecimalValue) => DecimalValue } = {
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
  return typeof value === 'string' ? decimalText(new Decimal(value).negated()) : undefined;
}

function decimalOf(value: Constant | undefined): Constant | undefined {
  return typeof value === 'number' ? decimalOfDigits(String(value)) : value;
}

function evaluateLogic(node: Expression & { kind: 'and' | 'or' | 'concat' }, at: Evaluation): boolean | undefined {
  const decisive = node.kind === 'or';
  for (const operand of node.operands) {
    const holds = evaluate(operand, at);
    // An operand after one that only the runtime can decide may not be reached.
    if (holds !== !decisive) return holds === decisive ? decisive : undefined;
  }
  return !decisive;
}

function evaluateCompare(node: Expression & { kind: 'compare' }, at: Evaluation): boolean | undefined {
  const left = evaluate(node.left, at);
  const right = evaluate(node.right, at);
  if (left === undefined || right === undefined) return undefined;
  if (node.left.kind === 'none' || node.right.kind === 'none') return (left === right) === (node.operator === '==');
  if (left === null || right === null) return undefined;
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

const STANDARD = standardFunctions((message) => new ConstantFault(message));

function evaluateBuiltIn(node: Expression & { kind: 'builtIn' }, at: Evaluation): Constant | undefined {
  const args = node.args.map((arg) => evaluate(arg, at));
  const [first, second] = args;
  const [type] = node.operandTypes;
  if (args.includes(undefined) || type === undefined) return undefined;
  if (args.includes(null)) return null;
  if (node.name === 'text') return String(first);
  if ((node.name === 'min' || node.name === 'max') && isNumeral(first) && isNumeral(second)) {
    const order = compareConstants(type, first, second) * (node.name === 'min' ? 1 : -1);
    return order <= 0 ? first : second;
  }
  const ofDecimal = type.kind === 'scalar' && type.name === 'Decimal';
  const apply = (ofDecimal ? STANDARD.decimal.get(node.name) : undefined) ?? STANDARD.plain.get(node.name);
  if (apply === undefined) return undefined;
  const plain = args.map((arg, i) => plainValue(node.operandTypes[i] ?? type, arg ?? null));
  return constantOfResult(required(node.type), apply(...(plain as never[])));
}

/** The result of a standard function in wire form; undefined for a list, which is no constant. */
function constantOfResult(type: Type, result: ReturnType<PlainFunction>): Constant | undefined {
  if (typeof result === 'number' && isScalar(type, 'DateTime')) return dateTimeText(result);
  if (typeof result !== 'object' || result === null) return result;
  return result instanceof Decimal ? decimalText(result) : undefined;
}

/** A constant as the standard functions take it. */
function plainValue(type: Type, value: Constant) {
  if (type.kind !== 'scalar') return value;
  if (type.name === 'Decimal') return new Decimal(String(value));
  return type.name === 'DateTime' ? parseDateTime(String(value)) : value;
}

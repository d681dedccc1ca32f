/** Int and Decimal arithmetic. An absent operand gives an absent result; an undefined result is a fault. */

import type { ArithmeticOperator } from '../../artifact/types.js';
import { canonicalZero, type DecimalValue, roundSum, ZERO_SUM } from '../../base/decimal.js';
import { EvaluationFault } from '../errors.js';
import type { Value } from '../values/value.js';

/** An Int in range, or a fault. */
function checkedInt(value: number): number {
  if (!Number.isSafeInteger(value)) throw new EvaluationFault('fault', 'Int overflow');
  return value === 0 ? 0 : value;
}

/** A finite Decimal, or a fault. */
function checkedDecimal(value: DecimalValue): DecimalValue {
  if (!value.isFinite()) throw new EvaluationFault('fault', 'Decimal overflow');
  return canonicalZero(value);
}

/** The operator as a function of two present values. */
export function arithmetic(
  type: 'Int' | 'Decimal',
  operator: ArithmeticOperator,
): (left: Value, right: Value) => Value {
  const apply = type === 'Int' ? INT_OPERATORS[operator] : DECIMAL_OPERATORS[operator];
  if (apply === undefined) throw new EvaluationFault('undecodable', `${type} has no operator "${operator}"`);
  return apply as (left: Value, right: Value) => Value;
}

const INT_OPERATORS: Partial<Record<ArithmeticOperator, (left: number, right: number) => number>> = {
  '+': (left, right) => checkedInt(left + right),
  '-': (left, right) => checkedInt(left - right),
  '*': (left, right) => checkedInt(left * right),
  div: (left, right) => checkedInt(Math.trunc(exactQuotient(left, nonZero(right)))),
  mod: (left, right) => checkedInt(left % nonZero(right)),
};

const DECIMAL_OPERATORS: Partial<
  Record<ArithmeticOperator, (left: DecimalValue, right: DecimalValue) => DecimalValue>
> = {
  '+': (left, right) => checkedDecimal(left.plus(right)),
  '-': (left, right) => checkedDecimal(left.minus(right)),
  '*': (left, right) => checkedDecimal(left.times(right)),
  '/': (left, right) => {
    if (right.isZero()) throw new EvaluationFault('fault', 'division by zero');
    return checkedDecimal(left.div(right));
  },
};

/** The exact truncated quotient. The remainder is subtracted first, because operands near 2^53 would round up. */
function exactQuotient(left: number, right: number): number {
  return (left - (left % right)) / right;
}

function nonZero(divisor: number): number {
  if (divisor === 0) throw new EvaluationFault('fault', 'division by zero');
  return divisor;
}

/** A fold over values, one after another. */
export interface Fold<T> {
  readonly start: T;
  add(total: T, value: Value): T;
  /** The fold without one of its values; undefined if all other values would have to be read again. */
  remove(total: T, value: Value): T | undefined;
  /** The result for `count` values, at least one. */
  end(total: T, count: number): Value;
}

/** Exact at every step, so that only the result has to be in range. */
export const INT_SUM: Fold<number | bigint> = {
  start: 0,
  add: (total, value) => {
    const next = typeof total === 'number' ? total + (value as number) : Number.NaN;
    return Number.isSafeInteger(next) ? next : BigInt(total) + BigInt(value as number);
  },
  remove: (total, value) => INT_SUM.add(total, -(value as number)),
  end: (total) => checkedInt(Number(total)),
};

export const DECIMAL_SUM: Fold<DecimalValue> = {
  start: ZERO_SUM,
  add: (total, value) => total.plus(value as DecimalValue),
  remove: (total, value) => total.minus(value as DecimalValue),
  end: (total) => checkedDecimal(roundSum(total)),
};

/** The mean of Ints or Decimals, as a Decimal. */
export const AVERAGE: Fold<DecimalValue> = {
  start: ZERO_SUM,
  add: (total, value) => total.plus(value as number | DecimalValue),
  remove: (total, value) => total.minus(value as number | DecimalValue),
  end: (total, count) => checkedDecimal(checkedDecimal(roundSum(total)).div(count)),
};

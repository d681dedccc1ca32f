/** Int and Decimal arithmetic. None in, none out; what has no result faults. */

import type { ArithmeticOperator } from '../../artifact/types.js';
import { canonicalZero, Decimal, type DecimalValue, sumDecimals } from '../../base/decimal.js';
import { EvaluationFault } from '../errors.js';
import type { Value } from '../values/value.js';

/** An Int that fits, or a fault. */
function checkedInt(value: number): number {
  if (!Number.isSafeInteger(value)) throw new EvaluationFault('fault', 'Int overflow');
  return value === 0 ? 0 : value;
}

/** A Decimal that is finite, or a fault. */
function checkedDecimal(value: DecimalValue): DecimalValue {
  if (!value.isFinite()) throw new EvaluationFault('fault', 'Decimal overflow');
  return canonicalZero(value);
}

/** The operator as a function of two values that are there. */
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

/** A quotient whose truncation is exact: the remainder is taken off first, since 2^53 sized operands would round up. */
function exactQuotient(left: number, right: number): number {
  return (left - (left % right)) / right;
}

function nonZero(divisor: number): number {
  if (divisor === 0) throw new EvaluationFault('fault', 'division by zero');
  return divisor;
}

/** Exact at every step, so that only the result must fit. */
function sumInts(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  if (Number.isSafeInteger(sum) && values.every((value) => Math.abs(value) < 2 ** 40) && values.length < 4096) {
    return sum === 0 ? 0 : sum;
  }
  return checkedInt(Number(values.reduce((total, value) => total + BigInt(value), 0n)));
}

/** The sum of Ints or Decimals; `empty` where there are none. */
export function sum(values: readonly Value[], empty: Value): Value {
  if (values.length === 0) return empty;
  return typeof values[0] === 'number'
    ? sumInts(values as readonly number[])
    : checkedDecimal(sumDecimals(values as readonly DecimalValue[]));
}

/** The mean as a Decimal; none of nothing. */
export function average(values: readonly Value[]): Value {
  if (values.length === 0) return null;
  const decimals = values.map((value) => (typeof value === 'number' ? new Decimal(value) : (value as DecimalValue)));
  return checkedDecimal(checkedDecimal(sumDecimals(decimals)).div(values.length));
}

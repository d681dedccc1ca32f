/** The functions of `std` on Int and Decimal: rounding, powers, roots and bits. */

import { canonicalZero, Decimal, type DecimalValue, roundSum } from './decimal.js';

/** A result of null is absent. */
export type PlainFunction = (...args: never[]) => boolean | number | string | DecimalValue | readonly string[] | null;

/** By name: `decimal` has those of Decimals, `plain` all others. */
export function numberFunctions(fault: (message: string) => Error) {
  const int = (value: number): number => {
    if (!Number.isSafeInteger(value)) throw fault('Int overflow');
    return value === 0 ? 0 : value;
  };
  const finite = (value: DecimalValue): DecimalValue => {
    if (!value.isFinite()) throw fault('Decimal overflow');
    return canonicalZero(value);
  };
  /** Half away from zero. */
  const round = (x: DecimalValue, digits: number): DecimalValue => {
    if (digits >= 0) return canonicalZero(x.toDecimalPlaces(Math.min(digits, 10_000), Decimal.ROUND_HALF_UP));
    const unit = new Decimal(10).pow(Math.min(-digits, 6144));
    return finite(x.div(unit).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).times(unit));
  };
  const power = (base: DecimalValue, exponent: number): DecimalValue => {
    if (base.isZero() && exponent < 0) throw fault('division by zero');
    return finite(roundSum(new Power(base).pow(exponent)));
  };
  const intPower = (base: number, exponent: number): number => {
    if (exponent < 0) throw fault('a negative power of an Int');
    // Without squares, which would take long to reach a large exponent for nothing.
    if (base === 0 || base === 1) return exponent === 0 ? 1 : base;
    if (base === -1) return exponent % 2 === 0 ? 1 : -1;
    let result = 1;
    let square = base;
    for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
      if (left % 2 === 1) result = int(result * square);
      // The highest bit of the exponent multiplies by this square, so that its overflow is one of the result.
      if (left > 1) square = int(square * square);
    }
    return result;
  };
  const squareRoot = (x: DecimalValue): DecimalValue => {
    if (x.lt(0)) throw fault('the square root of a negative number');
    return canonicalZero(x.sqrt());
  };
  /** The factor of a shift. More bits than an Int has shift all of them out. */
  const shift = (bits: number): number => {
    if (bits < 0) throw fault('a shift by a negative number of bits');
    return 2 ** Math.min(bits, 64);
  };
  const decimal = new Map<string, PlainFunction>([
    ['abs', (x: DecimalValue) => x.abs()],
    ['round', (x: DecimalValue, digits: number = 0) => round(x, digits)],
    ['floor', (x: DecimalValue) => int(x.floor().toNumber())],
    ['ceil', (x: DecimalValue) => int(x.ceil().toNumber())],
    ['pow', power],
    ['sqrt', squareRoot],
  ]);
  const plain = new Map<string, PlainFunction>([
    ['abs', (x: number) => Math.abs(x)],
    ['round', (x: number, digits: number = 0) => int(round(new Decimal(x), digits).toNumber())],
    ['floor', (x: number) => x],
    ['ceil', (x: number) => x],
    ['pow', intPower],
    ['bitAnd', (a: number, b: number) => int(bitwise(a, b, (x, y) => x & y))],
    ['bitOr', (a: number, b: number) => int(bitwise(a, b, (x, y) => x | y))],
    ['bitXor', (a: number, b: number) => int(bitwise(a, b, (x, y) => x ^ y))],
    ['shiftLeft', (a: number, n: number) => int(a * shift(n))],
    ['shiftRight', (a: number, n: number) => Math.floor(a / shift(n))],
  ]);
  return { int, plain, decimal };
}

/** So many digits and exponents that the 34 digits of a power are right, however large its exponent. */
const Power = Decimal.clone({ minE: -9e15, maxE: 9e15, precision: 80 });

const LOW_BITS = 2 ** 32;

/** Applies an operator on 32 bits to the two halves of Ints in two's complement with 54 bits. */
function bitwise(a: number, b: number, operator: (x: number, y: number) => number): number {
  const high = operator(Math.floor(a / LOW_BITS), Math.floor(b / LOW_BITS));
  return high * LOW_BITS + (operator(a | 0, b | 0) >>> 0);
}

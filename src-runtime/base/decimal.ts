/**
 * The language's Decimal: 34 significant digits, half-even, with the exponents of IEEE decimal128, so that plain notation
 * stays printable. Other users of decimal.js are not disturbed by these settings.
 */

import { Decimal as Base } from 'decimal.js';

const settings = { rounding: Base.ROUND_HALF_EVEN, minE: -6176, maxE: 6144, toExpNeg: -9e15, toExpPos: 9e15 } as const;

export const Decimal = Base.clone({ ...settings, precision: 34, defaults: true });
export type DecimalValue = Base;

/** Sums in this are exact. */
const Wide = Base.clone({ ...settings, maxE: 9000, precision: 12_400, defaults: true });

const DECIMAL_PATTERN = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,16})?$/;

/** Reads a wire Decimal, rounded to 34 digits; undefined where the text is none. */
export function parseDecimal(text: string): DecimalValue | undefined {
  if (!DECIMAL_PATTERN.test(text)) return undefined;
  const value = new Decimal(text).toSignificantDigits(34);
  return value.isFinite() ? canonicalZero(value) : undefined;
}

/** Plain notation without trailing zeros; no minus before zero. */
export function decimalText(value: DecimalValue): string {
  return value.isZero() ? '0' : value.toFixed();
}

export function decimalFromInt(value: number): DecimalValue {
  return new Decimal(value);
}

/** What a sum begins with: whatever is added to it stays exact, so that it is the same in any order. */
export const ZERO_SUM: DecimalValue = new Wide(0);

/** The sum as a Decimal of the language; infinite on exponent overflow. */
export function roundSum(sum: DecimalValue): DecimalValue {
  return canonicalZero(new Decimal(sum).toSignificantDigits(34));
}

/** −0 is 0: a language without signed zero must not let one show. */
export function canonicalZero(value: DecimalValue): DecimalValue {
  return value.isZero() ? new Decimal(0) : value;
}

/**
 * The language's Decimal: 34 significant digits, half-even, with the exponents of IEEE decimal128, so that plain notation stays
 * printable. Other users of decimal.js are not affected by these settings.
 */

import { Decimal as Base } from 'decimal.js';
import { significantDigits } from './numeral.js';

const settings = { rounding: Base.ROUND_HALF_EVEN, minE: -6176, maxE: 6144, toExpNeg: -9e15, toExpPos: 9e15 } as const;

/** Significant digits that a Decimal has at most. */
export const DECIMAL_DIGITS_MAX = 34;

export const Decimal = Base.clone({ ...settings, precision: DECIMAL_DIGITS_MAX, defaults: true });
export type DecimalValue = Base;

/** Sums in this are exact. */
const Wide = Base.clone({ ...settings, maxE: 9000, precision: 12_400, defaults: true });

const DECIMAL_PATTERN = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,16})?$/;

/** Reads a wire Decimal, rounded to 34 digits; undefined if the text is not one. */
export function parseDecimal(text: string): DecimalValue | undefined {
  if (!DECIMAL_PATTERN.test(text)) return undefined;
  const value = new Decimal(text).toSignificantDigits(DECIMAL_DIGITS_MAX);
  return value.isFinite() ? canonicalZero(value) : undefined;
}

/** Describes why a number cannot be sent as a Decimal; undefined if it can, or if it is not a number. */
export function decimalLimit(text: string): string | undefined {
  const isShort = text.length <= DECIMAL_DIGITS_MAX && !/[eE]/.test(text);
  if (isShort || !DECIMAL_PATTERN.test(text)) return undefined;
  const digits = significantDigits(text);
  if (digits > DECIMAL_DIGITS_MAX) return `a decimal number of ${DECIMAL_DIGITS_MAX} significant digits at most`;
  const value = new Decimal(text);
  if (!value.isFinite()) return 'a decimal number of less than 1e6145';
  return value.isZero() && digits > 0 ? 'a decimal number of at least 1e-6176, or zero' : undefined;
}

/** The wire form of a number as people type it, including `.5`, `+5` and `007`; undefined if the text is not a number. */
export function wireDecimal(typed: string): string | undefined {
  const [whole, sign, digits = '', fraction, exponent = ''] =
    /^([+-]?)(\d*)(?:\.(\d+))?([eE][+-]?\d{1,16})?$/.exec(typed) ?? [];
  if (whole === undefined || (digits === '' && fraction === undefined)) return undefined;
  const point = fraction === undefined ? '' : `.${fraction}`;
  return `${sign === '-' ? '-' : ''}${digits.replace(/^0+(?=\d)/, '') || '0'}${point}${exponent}`;
}

/** Plain notation without trailing zeros; no minus before zero. */
export function decimalText(value: DecimalValue): string {
  if (value.isZero()) return '0';
  const { d: words, e: exponent } = value;
  // A double has all digits of a shorter coefficient, and JavaScript writes it in plain notation within these exponents.
  const isShort = words.length <= 2 && exponent >= -6 && exponent < 21;
  return isShort ? String(decimalNumber(value)) : value.toFixed();
}

export function decimalFromInt(value: number): DecimalValue {
  return new Decimal(value);
}

/** The starting value of a sum. Additions to it are exact, so that the order does not change the result. */
export const ZERO_SUM: DecimalValue = new Wide(0);

/** The sum as a Decimal of the language; infinite on exponent overflow. */
export function roundSum(sum: DecimalValue): DecimalValue {
  return canonicalZero(new Decimal(sum).toSignificantDigits(DECIMAL_DIGITS_MAX));
}

/** −0 is 0: a language without signed zero must not let one show. */
export function canonicalZero(value: DecimalValue): DecimalValue {
  return value.isZero() ? new Decimal(0) : value;
}

/** Digits in one word of a Decimal's coefficient; the words are aligned at the decimal point. */
const WORD_DIGITS = 7;
const WORD = 10 ** WORD_DIGITS;

/** Powers of ten that are exact. */
const EXACT_POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** The nearest double. The library converts through text, which takes several times as long. */
export function decimalNumber(value: DecimalValue): number {
  const { d: words, e: exponent, s: sign } = value;
  if (words === null || words.length > 3) return Number(value);
  let digits = words[words.length - 1] as number;
  let zeros = 0;
  for (; zeros < WORD_DIGITS && digits % 10 === 0 && digits > 0; zeros++) digits /= 10;
  let [whole, scale] = [0, 1];
  for (let index = 0; index < words.length - 1; index++) whole = whole * WORD + (words[index] as number);
  if (words.length > 1) scale = EXACT_POWERS[WORD_DIGITS - zeros] as number;
  const coefficient = whole * scale + digits;
  const power = WORD_DIGITS * (Math.floor(exponent / WORD_DIGITS) - words.length + 1) + zeros;
  const factor = EXACT_POWERS[Math.abs(power)];
  // Of two exact numbers the quotient and the product are rounded once.
  if (factor === undefined || coefficient > Number.MAX_SAFE_INTEGER) return Number(value);
  return sign * (power < 0 ? coefficient / factor : coefficient * factor);
}

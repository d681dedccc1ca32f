/** Decimals as people and JSON write them, the way the API and the language do. */

import { decimalText, parseDecimal } from '../../src-runtime/base/decimal.js';

/** What the API takes for a number that was typed, `.5`, `+5` and `007` too; undefined for what is none. */
export function wireDecimal(typed: string): string | undefined {
  const [whole, sign, digits = '', fraction, exponent = ''] =
    /^([+-]?)(\d*)(?:\.(\d+))?([eE][+-]?\d{1,16})?$/.exec(typed) ?? [];
  if (whole === undefined || (digits === '' && fraction === undefined)) return undefined;
  const point = fraction === undefined ? '' : `.${fraction}`;
  return `${sign === '-' ? '-' : ''}${digits.replace(/^0+(?=\d)/, '') || '0'}${point}${exponent}`;
}

/** Without an exponent: `1e-7`, as JSON writes it, is `0.0000001`. What is no number is itself. */
export function plainDecimal(text: string): string {
  const value = /[eE]/.test(text) ? parseDecimal(text) : undefined;
  return value === undefined ? text : decimalText(value);
}

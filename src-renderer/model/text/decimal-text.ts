/** Decimals without exponent, as in the API and the language. */

import { decimalText, parseDecimal } from '../../../src-runtime/base/decimal.js';

/** Without exponent: `1e-7` in JSON is `0.0000001`. Other text is returned unchanged. */
export function plainDecimal(text: string): string {
  const value = /[eE]/.test(text) ? parseDecimal(text) : undefined;
  return value === undefined ? text : decimalText(value);
}

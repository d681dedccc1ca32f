/** Decimals as people and JSON write them, the way the API and the language do. */

import { decimalText, parseDecimal } from '../../../src-runtime/base/decimal.js';

/** Without an exponent: `1e-7`, as JSON writes it, is `0.0000001`. What is no number is itself. */
export function plainDecimal(text: string): string {
  const value = /[eE]/.test(text) ? parseDecimal(text) : undefined;
  return value === undefined ? text : decimalText(value);
}

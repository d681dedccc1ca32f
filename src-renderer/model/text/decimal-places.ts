/** Aligns the decimal points of a column. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';

/** Maximum padding: a single quotient would push all amounts out of view. */
const PLACES_MAX = 8;

/** Number of decimal places of a number on the wire; 0 for other values. */
export function decimalPlaces(value: JsonValue): number {
  const fraction =
    typeof value === 'number' || typeof value === 'string' ? FRACTION.exec(String(value))?.[1] : undefined;
  return fraction?.length ?? 0;
}

const FRACTION = /^-?\d+\.(\d+)$/;

/** The padding of a value to this number of decimal places. */
export function decimalPadding(value: JsonValue, places: number): string {
  const own = decimalPlaces(value);
  const missing = Math.min(places, PLACES_MAX) - own;
  if (missing <= 0) return '';
  return `${own === 0 ? '.' : ''}${'0'.repeat(missing)}`;
}

/** How decimals that stand below one another come to have their points below one another. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';

/** More are not waited for: the one quotient in a column would push all its amounts out of sight. */
const PLACES_MAX = 8;

/** Digits behind the point of a number as it comes on the wire; none of anything else. */
export function decimalPlaces(value: JsonValue): number {
  const fraction =
    typeof value === 'number' || typeof value === 'string' ? FRACTION.exec(String(value))?.[1] : undefined;
  return fraction?.length ?? 0;
}

const FRACTION = /^-?\d+\.(\d+)$/;

/** What a value lacks behind its last digit to be as wide there as one with so many places; the digits stand for any. */
export function decimalPadding(value: JsonValue, places: number): string {
  const own = decimalPlaces(value);
  const missing = Math.min(places, PLACES_MAX) - own;
  if (missing <= 0) return '';
  return `${own === 0 ? '.' : ''}${'0'.repeat(missing)}`;
}

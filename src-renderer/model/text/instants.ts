/** Instants for date-time inputs: UTC, to the second. */

import { dateTimeText, parseDateTime } from '../../../src-runtime/base/dates.js';

/** Empty if the text is not an instant. */
export function pickedOfInstant(text: string): string {
  const instant = parseDateTime(text.trim());
  return instant === undefined ? '' : dateTimeText(instant).slice(0, 19);
}

/** Empty if nothing is selected. Browsers omit zero seconds. */
export function instantOfPicked(picked: string): string {
  if (picked === '') return '';
  return `${picked.length === 16 ? `${picked}:00` : picked}Z`;
}

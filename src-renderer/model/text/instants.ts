/** Instants as a picker of days and times has them: of UTC, to the second. */

import { dateTimeText, parseDateTime } from '../../../src-runtime/base/dates.js';

/** Empty where the text is none. */
export function pickedOfInstant(text: string): string {
  const instant = parseDateTime(text.trim());
  return instant === undefined ? '' : dateTimeText(instant).slice(0, 19);
}

/** Empty where nothing is picked. A picker leaves out seconds that are none. */
export function instantOfPicked(picked: string): string {
  if (picked === '') return '';
  return `${picked.length === 16 ? `${picked}:00` : picked}Z`;
}

/** Wire values as text. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { idLabel, inBrief, isEntity, looksLikeReference, plainText, SHOWN_LETTERS_MAX } from './labels.js';

/** References by label, also in lists and records, and null as `none`. */
export function valueText(value: JsonValue, reference: boolean, label: (id: string) => string): string {
  if (value === null) return 'none';
  if (typeof value === 'object') return nestedText(value, label);
  return reference && typeof value === 'string' ? label(value) : String(value);
}

/** `plainText`, with lists and records as in the source. */
export function nestedText(value: JsonValue, label: (id: string) => string = idLabel): string {
  const part = (inner: JsonValue): string => nestedText(inner, label);
  if (looksLikeReference(value)) return label(value);
  if (value === null || typeof value !== 'object' || isEntity(value)) return plainText(value);
  if (Array.isArray(value)) return `[${value.map(part).join(', ')}]`;
  const fields = Object.entries(value).map(([name, inner]) => `${name}: ${part(inner)}`);
  return `{ ${fields.join(', ')} }`;
}

/** `nestedText` of a value, shortened if it is long. */
export function shownNested(value: JsonValue, label?: (id: string) => string): string {
  return inBrief(nestedText(value, label), SHOWN_LETTERS_MAX);
}

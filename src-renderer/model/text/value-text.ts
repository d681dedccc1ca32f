/** Wire values as text. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { looksLikeReference } from '../facts/labels.js';

/** References by label, also in lists and records, and null as `none`. */
export function valueText(value: JsonValue, reference: boolean, label: (id: string) => string): string {
  if (value === null) return 'none';
  if (reference && typeof value === 'string') return label(value);
  if (typeof value !== 'object') return String(value);
  const part = (inner: JsonValue): string => valueText(inner, looksLikeReference(inner), label);
  if (Array.isArray(value)) return `[${value.map(part).join(', ')}]`;
  const fields = Object.entries(value).map(([name, inner]) => `${name}: ${part(inner)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

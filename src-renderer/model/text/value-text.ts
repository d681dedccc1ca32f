/** Wire values as text. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';

/** References by label, null as `none`, objects and lists as JSON. */
export function valueText(value: JsonValue, reference: boolean, label: (id: string) => string): string {
  if (value === null) return 'none';
  if (reference && typeof value === 'string') return label(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

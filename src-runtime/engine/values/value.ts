/** Runtime values. They carry no tag: the type says what a value means. */

import type { Type } from '../../artifact/types.js';
import type { DecimalValue } from '../../base/decimal.js';

/**
 * Bool: boolean. Int: number. Decimal: DecimalValue. Text, Date (`YYYY-MM-DD`), enum (its member), individual (`#i3` or
 * `@module::name`): string. DateTime: milliseconds since the epoch. List: array. Record: object. None: null.
 */
export type Value =
  | null
  | boolean
  | number
  | string
  | DecimalValue
  | readonly Value[]
  | { readonly [key: string]: Value };

export const BOOL: Type = { kind: 'scalar', name: 'Bool' };
export const INT: Type = { kind: 'scalar', name: 'Int' };
export const DECIMAL: Type = { kind: 'scalar', name: 'Decimal' };
export const TEXT: Type = { kind: 'scalar', name: 'Text' };
export const DATE: Type = { kind: 'scalar', name: 'Date' };
export const DATE_TIME: Type = { kind: 'scalar', name: 'DateTime' };

/** The type without `optional`. */
export function bare(type: Type): Type {
  return type.kind === 'optional' ? bare(type.of) : type;
}

/** A type as source text. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case 'scalar':
      return type.name;
    case 'optional':
      return `${typeText(type.of)}?`;
    case 'list':
      return `[${typeText(type.of)}]`;
    case 'record':
      return `{ ${type.fields.map((field) => `${field.name}: ${typeText(field.type)}`).join(', ')} }`;
    default:
      return type.path.slice(type.path.lastIndexOf('::') + (type.path.includes('::') ? 2 : 1));
  }
}

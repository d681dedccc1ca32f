/** Places inside a list or record of a wire value. */

import type { Json } from '../artifact/types.js';

/** Something known of values: of the value itself, of each element of a list, or of fields of a record. */
export type Nested<T> =
  | { readonly is: T }
  | { readonly each: Nested<T> }
  | { readonly fields: Readonly<Record<string, Nested<T>>> };

/** By path of a relation or field, and by position of its tuples. */
export type NestedPositions<T> = Readonly<Record<string, Readonly<Record<number, Nested<T>>>>>;

/** The value with each of these places mapped. Other places, and values of another form, stay. */
export function mapNested<T>(nested: Nested<T>, value: Json, map: (of: T, value: Json) => Json): Json {
  if ('is' in nested) return map(nested.is, value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    return 'each' in nested ? value.map((item) => mapNested(nested.each, item, map)) : value;
  }
  if (!('fields' in nested)) return value;
  const mapped = (name: string, field: Json): Json =>
    Object.hasOwn(nested.fields, name) ? mapNested(nested.fields[name] as Nested<T>, field, map) : field;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, mapped(name, field)]));
}

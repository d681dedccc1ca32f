/**
 * Records without inherited members, so that every name can be looked up safely. `Object.create(null)` does the same, but V8 stores
 * such an object as a hash table, which is several times slower to fill and to read.
 */

class BareRecord {}
Reflect.setPrototypeOf(BareRecord.prototype, null);
Reflect.deleteProperty(BareRecord.prototype, 'constructor');

declare const BARE: unique symbol;

/** A member read from it is a member that was set. Only this file creates one. */
export type Bare<T> = Record<string, T> & { readonly [BARE]: true };

export function bareRecord<T>(): Bare<T> {
  return new BareRecord() as Bare<T>;
}

/** A copy with another member, or another value of it. */
export function withMember<T>(record: Readonly<Record<string, T>>, name: string, value: T): Bare<T> {
  const copy = bareRecord<T>();
  for (const key in record) copy[key] = record[key] as T;
  copy[name] = value;
  return copy;
}

/**
 * Records that inherit nothing, so that any name may be asked for. One of `Object.create(null)` does the same and is a table
 * of hashes to the machine, several times as slow to fill and to read.
 */

class BareRecord {}
Reflect.setPrototypeOf(BareRecord.prototype, null);
Reflect.deleteProperty(BareRecord.prototype, 'constructor');

declare const BARE: unique symbol;

/** What is read from it under any name is what was put there under that name. Only this file makes one. */
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

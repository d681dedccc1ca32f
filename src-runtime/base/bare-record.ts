/**
 * Records that inherit nothing, so that any name may be asked for. One of `Object.create(null)` does the same and is a table
 * of hashes to the machine, several times as slow to fill and to read.
 */

class BareRecord {}
Reflect.setPrototypeOf(BareRecord.prototype, null);
Reflect.deleteProperty(BareRecord.prototype, 'constructor');

export function bareRecord<T>(): Record<string, T> {
  return new BareRecord() as Record<string, T>;
}

/** Reads a member whose name a module chose. */

/** Undefined for `constructor` and other inherited members too. */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Reads what stands under a name that a module chose. */

/** Undefined where nothing does, also for `constructor` and what else every object has. */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/**
 * Hashes query keys and shares unchanged parts of responses for TanStack Query. Its own functions copy objects by assignment, which
 * drops a member named `__proto__`: two queries would share a key, and a field would be lost after a refetch.
 */

/** The same text for equal keys, whatever the order of their members. */
export function keyHash(key: readonly unknown[]): string {
  return JSON.stringify(key, (_name, value: unknown) => {
    if (!isPlain(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}

/** `now` with the equal parts of `before`, so that components that show them need not render again. */
export function withSharedParts(before: unknown, now: unknown): unknown {
  return shared(before, now, 0);
}

/** Objects that nest deeper are returned unchanged: walking them would overflow the stack. */
const DEPTH_MAX = 500;

function shared(before: unknown, now: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) return now;
  if (Array.isArray(before) && Array.isArray(now)) {
    const items = now.map((item, at) => shared(before[at], item, depth + 1));
    return before.length === now.length && items.every((item, at) => item === before[at]) ? before : items;
  }
  if (!isPlain(before) || !isPlain(now)) return now;
  const old = new Map<string, unknown>(Object.entries(before));
  const members = Object.entries(now).map(
    ([name, member]) => [name, shared(old.get(name), member, depth + 1)] as const,
  );
  const isSame =
    old.size === members.length && members.every(([name, member]) => old.has(name) && old.get(name) === member);
  return isSame ? before : Object.fromEntries(members);
}

/** An object of JSON, with or without a prototype. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

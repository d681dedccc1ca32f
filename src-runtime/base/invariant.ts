/** Broken invariants: faults of this program, never of its user's input. They crash, and are caught once per request. */

/** Thrown by `invariant` only. */
class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Throws an InvariantError unless `condition` holds. `message` states the condition. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Compares the violations of a check with those at the last visit. */

import type { Firing, JsonValue } from '../../../src-runtime/api/schemas/schemas.js';

/** A violation at the last visit. */
export interface SeenViolation {
  readonly key: string;
  readonly message: string;
  readonly tuple: Readonly<Record<string, JsonValue>>;
}

/** The violations of one check at the last visit; `whole` if all were loaded. */
export interface SeenViolations {
  readonly firings: readonly SeenViolation[];
  readonly whole: boolean;
  /** Total number, loaded or not; absent in data stored by earlier versions. */
  readonly count?: number;
}

export interface Unseen {
  /** Keys of new violations. */
  readonly added: ReadonlySet<string>;
  readonly resolved: readonly SeenViolation[];
}

const NONE_UNSEEN: Unseen = { added: new Set(), resolved: [] };

/** Violations of one check differ in their bindings. The message of a violation may change. */
export function violationKey({ tuple }: Pick<Firing, 'tuple'>): string {
  return JSON.stringify(Object.values(tuple));
}

/** On the first visit nothing is new. If one side is incomplete, what only the other has may be beyond its end. */
export function unseenOf(
  seen: SeenViolations | undefined,
  now: { readonly violations: readonly Firing[]; readonly whole: boolean },
): Unseen {
  if (seen === undefined) return NONE_UNSEEN;
  const before = new Set(seen.firings.map(({ key }) => key));
  const keys = now.violations.map(violationKey);
  const present = new Set(keys);
  return {
    added: seen.whole ? new Set(keys.filter((key) => !before.has(key))) : new Set(),
    resolved: now.whole ? seen.firings.filter(({ key }) => !present.has(key)) : [],
  };
}

/** Whether anything changed between two visits, as far as both are loaded. */
export function hasUnseen(before: SeenViolations | undefined, now: SeenViolations): boolean {
  if (before === undefined) return false;
  if (before.count !== undefined && before.count !== now.count) return true;
  return (before.whole && hasOther(now, before)) || (now.whole && hasOther(before, now));
}

function hasOther({ firings }: SeenViolations, than: SeenViolations): boolean {
  const keys = new Set(than.firings.map(({ key }) => key));
  return firings.some(({ key }) => !keys.has(key));
}

/** Most violations stored per check. */
const SEEN_MAX = 200;

export function seenViolations(firings: readonly Firing[], whole: boolean, count: number): SeenViolations {
  return {
    count,
    firings: firings.slice(0, SEEN_MAX).map(({ message, tuple }) => ({ key: violationKey({ tuple }), message, tuple })),
    whole: whole && firings.length <= SEEN_MAX,
  };
}

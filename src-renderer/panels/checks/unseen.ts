/** What is new at a check since somebody looked last: firings that came, and those that went. */

import type { Firing, JsonValue } from '../../../src-runtime/api/schemas/schemas.js';

/** A firing as it was when somebody looked. */
export interface SeenViolation {
  readonly key: string;
  readonly message: string;
  readonly tuple: Readonly<Record<string, JsonValue>>;
}

/** The firings of one check as somebody looked at them; `whole` where they were all that there were. */
export interface SeenViolations {
  readonly firings: readonly SeenViolation[];
  readonly whole: boolean;
  /** How many there were, whether or not they were all loaded; absent where an earlier version of the page kept it. */
  readonly count?: number;
}

export interface Unseen {
  /** Keys of the firings that came. */
  readonly added: ReadonlySet<string>;
  readonly resolved: readonly SeenViolation[];
}

const NONE_UNSEEN: Unseen = { added: new Set(), resolved: [] };

/** Firings of one check differ in what they fire for; their message may change while they stay. */
export function violationKey({ tuple }: Pick<Firing, 'tuple'>): string {
  return JSON.stringify(Object.values(tuple));
}

/** Nothing is new to who never looked. Where one side is not whole, what is only on the other may be beyond its end. */
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

/** Whether anything is new between two looks, of whatever either of them goes on behind. */
export function hasUnseen(before: SeenViolations | undefined, now: SeenViolations): boolean {
  if (before === undefined) return false;
  if (before.count !== undefined && before.count !== now.count) return true;
  return (before.whole && hasOther(now, before)) || (now.whole && hasOther(before, now));
}

function hasOther({ firings }: SeenViolations, than: SeenViolations): boolean {
  const keys = new Set(than.firings.map(({ key }) => key));
  return firings.some(({ key }) => !keys.has(key));
}

/** Of a check with more firings than this, no more are kept to compare with. */
const SEEN_MAX = 200;

export function seenViolations(firings: readonly Firing[], whole: boolean, count: number): SeenViolations {
  return {
    count,
    firings: firings.slice(0, SEEN_MAX).map(({ message, tuple }) => ({ key: violationKey({ tuple }), message, tuple })),
    whole: whole && firings.length <= SEEN_MAX,
  };
}

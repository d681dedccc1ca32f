/**
 * Checks registers: values that are written and read, each value written at most once. The history has no numbers for them.
 *
 * Since a read names the write that it saw, a register is linearizable exactly if the zones of two values do not conflict (Gibbons and
 * Korach, "Testing Shared Memories", 1997): the zone of a value lies between the first completion and the last invocation of the
 * operations that write or read it.
 */

export interface Use<Value> {
  readonly value: Value;
  readonly isWrite: boolean;
  readonly invokedMs: number;
  /** Infinity if the outcome is unknown. */
  readonly completedMs: number;
}

export interface Conflict<U> {
  readonly kind: 'early read' | 'no order';
  readonly uses: readonly U[];
}

/** The initial value was written before everything else. Writes of unknown outcome count only if they were read. */
export function checkRegister<Value, U extends Use<Value>>(initial: Value, uses: Iterable<U>): Conflict<U> | undefined {
  const ofValue = new Map<Value, U[]>();
  for (const use of uses) {
    const known = ofValue.get(use.value);
    if (known === undefined) ofValue.set(use.value, [use]);
    else known.push(use);
  }
  const zones: Zone<U>[] = [];
  for (const [value, of] of ofValue) {
    const write = of.find(({ isWrite }) => isWrite);
    const isInitial = value === initial;
    if (write !== undefined && of.length === 1 && write.completedMs === Number.POSITIVE_INFINITY) continue;
    const writtenMs = write?.invokedMs ?? Number.POSITIVE_INFINITY;
    const early = isInitial ? undefined : of.find(({ completedMs }) => completedMs < writtenMs);
    if (early !== undefined) return { kind: 'early read', uses: write === undefined ? [early] : [early, write] };
    zones.push(zoneOf(isInitial, of));
  }
  const lasting = zones.filter(({ isInstant }) => !isInstant);
  for (const [index, zone] of lasting.entries()) {
    const conflicting =
      lasting.slice(index + 1).find(({ fromMs, toMs }) => fromMs < zone.toMs && zone.fromMs < toMs) ??
      zones.find(({ isInstant, fromMs, toMs }) => isInstant && fromMs > zone.fromMs && toMs < zone.toMs);
    if (conflicting !== undefined) return { kind: 'no order', uses: [...extremes(zone), ...extremes(conflicting)] };
  }
  return undefined;
}

interface Zone<U> {
  /** Whether all operations of the value could have happened at one time. */
  readonly isInstant: boolean;
  readonly fromMs: number;
  readonly toMs: number;
  readonly uses: readonly U[];
}

function zoneOf<U extends Use<unknown>>(isInitial: boolean, uses: readonly U[]): Zone<U> {
  const firstMs = isInitial ? Number.NEGATIVE_INFINITY : firstCompleted(uses).completedMs;
  const lastMs = lastInvoked(uses).invokedMs;
  return { isInstant: firstMs >= lastMs, fromMs: Math.min(firstMs, lastMs), toMs: Math.max(firstMs, lastMs), uses };
}

/** The uses at both ends of the zone. */
function extremes<U extends Use<unknown>>({ uses }: Zone<U>): readonly U[] {
  const [first, last] = [firstCompleted(uses), lastInvoked(uses)];
  return first === last ? [first] : [first, last];
}

function firstCompleted<U extends Use<unknown>>(uses: readonly U[]): U {
  return uses.reduce((least, each) => (each.completedMs < least.completedMs ? each : least));
}

function lastInvoked<U extends Use<unknown>>(uses: readonly U[]): U {
  return uses.reduce((most, each) => (each.invokedMs > most.invokedMs ? each : most));
}

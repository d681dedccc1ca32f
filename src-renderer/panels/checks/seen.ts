/** Violations shown at the last visit, by fork and context. Later changes are marked. */

import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { CheckState, Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { type PagePlace, usePlace } from '../../model/calls/place.js';
import type { PageOf } from '../../server-state/api.js';
import { violationsKey } from '../../server-state/checks.js';
import { createPersistentStore, isRecordOf } from '../../state/store.js';
import { hasUnseen, type SeenViolations, seenViolations } from './unseen.js';

/** By check. */
export type SeenByCheck = Readonly<Record<string, SeenViolations>>;

const isSeen = (value: unknown): value is SeenViolations =>
  typeof value === 'object' && value !== null && Array.isArray((value as { violations?: unknown }).violations);
const isSeenChecks = (value: unknown): value is SeenByCheck => isRecordOf(value, isSeen);

/** By fork and context, as JSON. */
const lastSeen = createPersistentStore<Readonly<Record<string, SeenByCheck>>>(
  'entail.checks.seen',
  {},
  (value): value is Record<string, SeenByCheck> => isRecordOf(value, isSeenChecks),
  { isShared: true },
);

/** Oldest entries are dropped beyond this number. */
const PLACES_MAX = 8;

interface SeenSoFar {
  /** Violations before this visit; for a check seen for the first time, its current ones. */
  readonly seen: SeenByCheck;
  /** Whether violations changed since. */
  readonly hasUnseenViolations: boolean;
  /** Marks all current violations as seen. */
  readonly seeAll: () => void;
}

export function useSeen(states: readonly CheckState[] | undefined): SeenSoFar {
  const place = usePlace();
  const key = JSON.stringify(place);
  const now = useShownNow(states, place);
  const [kept, setKept] = useState<{ readonly key: string; readonly checks: SeenByCheck }>({ key: '', checks: {} });
  const before = kept.key === key ? kept.checks : (lastSeen.get()[key] ?? {});
  const isFirstLook = Object.keys(now).some((check) => before[check] === undefined);
  const seen = isFirstLook ? { ...now, ...before } : before;
  if (kept.key !== key || isFirstLook) setKept({ key, checks: seen });
  const latest = useRef(now);
  useEffect(() => {
    const leave = (): void => keep(key, latest.current);
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [key]);
  // After the effect above, so that leaving one fork stores what was shown there.
  useEffect(() => {
    latest.current = now;
  });
  return {
    seen,
    hasUnseenViolations: Object.entries(now).some(([check, shown]) => hasUnseen(seen[check], shown)),
    seeAll() {
      keep(key, now);
      setKept({ key, checks: { ...seen, ...now } });
    },
  };
}

/** The loaded violations of each check. */
function useShownNow(states: readonly CheckState[] | undefined, place: PagePlace): SeenByCheck {
  const client = useQueryClient();
  const firingsOf = (check: string) =>
    client.getQueryState<InfiniteData<PageOf<Firing[]>>>(violationsKey(check, place));
  const readAt = useSyncExternalStore(
    useCallback((onChange) => client.getQueryCache().subscribe(onChange), [client]),
    () => states?.map(({ check }) => firingsOf(check)?.dataUpdatedAt).join(' '),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `readAt` tells when the violations of this fork and context were loaded.
  return useMemo(() => {
    const shown: Record<string, SeenViolations> = {};
    for (const { check, firings } of states ?? []) {
      const pages = firingsOf(check)?.data?.pages;
      if (firings === 0) shown[check] = seenViolations([], true, 0);
      else if (pages !== undefined) {
        const whole = pages.at(-1)?.nextCursor === undefined;
        shown[check] = seenViolations(
          pages.flatMap(({ result }) => result),
          whole,
          firings ?? 0,
        );
      }
    }
    return shown;
  }, [states, readAt]);
}

/** `key` is fork and context as JSON. */
function keep(key: string, checks: SeenByCheck): void {
  const { [key]: known = {}, ...others } = lastSeen.get();
  const remembered = Object.fromEntries(Object.entries(others).slice(1 - PLACES_MAX));
  lastSeen.set({ ...remembered, [key]: { ...known, ...checks } });
}

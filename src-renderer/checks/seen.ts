/** The firings as the panel showed them when it was last left, by place; what came and went since is marked. */

import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { CheckState, Firing } from '../../src-runtime/api/schemas.js';
import type { PageOf } from '../data/api.js';
import { firingsKey } from '../data/checks.js';
import { type PagePlace, usePlace } from '../data/place.js';
import { createKeptStore, isRecordOf } from '../data/store.js';
import { type Seen, seenNow } from './news.js';

/** By check. */
export type SeenChecks = Readonly<Record<string, Seen>>;

const isSeen = (value: unknown): value is Seen =>
  typeof value === 'object' && value !== null && Array.isArray((value as { firings?: unknown }).firings);
const isSeenChecks = (value: unknown): value is SeenChecks => isRecordOf(value, isSeen);

/** By place, as JSON. */
const lastSeen = createKeptStore<Readonly<Record<string, SeenChecks>>>(
  'entail.checks.seen',
  {},
  (value): value is Record<string, SeenChecks> => isRecordOf(value, isSeenChecks),
);

/** Places that are remembered; the one left longest ago is forgotten first. */
const PLACES_MAX = 8;

/** What was seen before this visit; and seeing everything as it is now. */
export function useSeen(states: readonly CheckState[] | undefined): {
  readonly seen: SeenChecks;
  readonly seeAll: () => void;
} {
  const client = useQueryClient();
  const place = usePlace();
  const key = JSON.stringify(place);
  const [seen, setSeen] = useState<{ readonly key: string; readonly checks: SeenChecks }>({ key: '', checks: {} });
  if (seen.key !== key) setSeen({ key, checks: lastSeen.get()[key] ?? {} });
  const latest = useRef(states);
  latest.current = states;
  const keep = useCallback(
    (at: PagePlace): SeenChecks => {
      const name = JSON.stringify(at);
      const before = lastSeen.get();
      const { [name]: known = {}, ...others } = before;
      const checks = { ...known };
      for (const { check, firings } of latest.current ?? []) {
        const shown = client.getQueryData<InfiniteData<PageOf<Firing[]>>>(firingsKey(check, at));
        const whole = shown?.pages.at(-1)?.nextCursor === undefined;
        if (firings === 0) checks[check] = seenNow([], true, 0);
        else if (shown !== undefined)
          checks[check] = seenNow(
            shown.pages.flatMap(({ result }) => result),
            whole,
            firings ?? 0,
          );
      }
      lastSeen.set({ ...Object.fromEntries(Object.entries(others).slice(1 - PLACES_MAX)), [name]: checks });
      return checks;
    },
    [client],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is compared by what it says.
  useEffect(() => {
    const leave = (): void => void keep(place);
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [key, keep]);
  const seeAll = useCallback(() => setSeen({ key, checks: keep(JSON.parse(key) as PagePlace) }), [key, keep]);
  return { seen: seen.key === key ? seen.checks : {}, seeAll };
}

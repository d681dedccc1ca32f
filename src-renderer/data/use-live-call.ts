/** Keeps what a call came to in step with the facts, as long as it is wished. */

import { useEffect } from 'react';
import { useFactsRevision } from './queries.js';
import { refreshCall } from './run-call.js';

/** By key, the facts that were looked at last, so that what happened while nothing showed the call is noticed too. */
const seen = new Map<string, number>();

export function useLiveCall(key: string, live: boolean): void {
  const revision = useFactsRevision();
  useEffect(() => {
    if (revision === 0) return;
    const before = seen.get(key);
    seen.set(key, revision);
    if (live && before !== undefined && before !== revision) void refreshCall(key);
  }, [key, live, revision]);
}

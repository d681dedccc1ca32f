/** Keeps what a call came to in step with the facts, as long as it is wished. */

import { useEffect, useEffectEvent } from 'react';
import { useFactsRevision } from './facts.js';
import { refreshCall } from './run-call.js';

/** By key, the facts that were looked at last, so that what happened while nothing showed the call is noticed too. */
const seen = new Map<string, number>();

/** Whether it was asked once since it has been live: its result stays while other panels are looked at. */
const begun = new Set<string>();

/** `ask` sends what is typed, as soon as the call is live: whoever wants to see the result change wants to see it. */
export function useLiveCall(key: string, live: boolean, ask: () => void): void {
  const onBegin = useEffectEvent(ask);
  useEffect(() => {
    if (!live) begun.delete(key);
    else if (!begun.has(key)) {
      begun.add(key);
      onBegin();
    }
  }, [key, live]);
  const revision = useFactsRevision();
  useEffect(() => {
    if (revision === 0) return;
    const before = seen.get(key);
    seen.set(key, revision);
    if (live && before !== undefined && before !== revision) void refreshCall(key);
  }, [key, live, revision]);
}

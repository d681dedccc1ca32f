/** Keeps what a call came to in step with the facts, as long as it is wished. */

import { useEffect, useRef } from 'react';
import { useFactsRevision } from './queries.js';
import { refreshCall } from './run-call.js';

export function useLiveCall(key: string, live: boolean): void {
  const revision = useFactsRevision();
  const seen = useRef(revision);
  useEffect(() => {
    if (revision === 0 || seen.current === revision) return;
    const isFirst = seen.current === 0;
    seen.current = revision;
    if (live && !isFirst) void refreshCall(key);
  }, [key, live, revision]);
}

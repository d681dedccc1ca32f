/** Keeps the result of a call up to date with the facts while the call is live, and with the moment that the page reads. */

import { useEffect, useEffectEvent } from 'react';
import { currentMoment } from '../model/calls/place.js';
import { useStore } from '../state/store.js';
import { useFactsRevision } from './facts.js';
import { callOutcomes, refreshCall } from './run-call.js';

/** The revision of the facts shown last, by key, so that a change while the call was not mounted counts too. */
const seen = new Map<string, number>();

/** Keys that were sent since they became live. Their results stay while other panels are open. */
const begun = new Set<string>();

/** `send` runs as soon as the call becomes live. */
export function useLiveCall(key: string, live: boolean, send: () => void): void {
  const onBegin = useEffectEvent(send);
  useEffect(() => {
    if (!live) begun.delete(key);
    else if (!begun.has(key)) {
      begun.add(key);
      onBegin();
    }
  }, [key, live]);
  const revision = useFactsRevision();
  const moment = useStore(currentMoment);
  useEffect(() => {
    const outcome = callOutcomes.get()[key];
    if (outcome !== undefined && outcome.call.asOf !== moment) void refreshCall(key);
  }, [key, moment]);
  useEffect(() => {
    if (revision === 0) return;
    const before = seen.get(key);
    seen.set(key, revision);
    if (live && before !== undefined && before !== revision) void refreshCall(key);
  }, [key, live, revision]);
}

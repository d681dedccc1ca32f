/** Puts a call that was made or kept back where it can be made again: its arguments, its context and its fork. */

import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { draftOfArguments } from '../data/argument-draft.js';
import { asTyped, type SentCall } from '../data/calls.js';
import { batchLocation, invokeLocation, queryLocation } from '../data/locations.js';
import { currentFork, requestContext } from '../data/place.js';
import { queryTabs, tabForText } from '../data/query-tabs.js';
import { batchDraft, stepsOf } from './batch-store.js';
import { callDrafts } from './call-store.js';
import { callTabs, touched } from './call-tabs.js';
import type { Callable } from './callables.js';

export function useRestore(callables: readonly Callable[]): (call: SentCall) => void {
  const navigate = useNavigate();
  return useCallback(
    (call) => {
      const { request, context, fork } = asTyped(call);
      if (Object.keys(context).length > 0) requestContext.update((current) => ({ ...current, ...context }));
      currentFork.set(fork);
      if (request.kind === 'adhoc') {
        const { state, id } = tabForText(queryTabs.get(), request.source, request.args, crypto.randomUUID());
        queryTabs.set(state);
        void navigate(queryLocation(id));
      } else if (request.kind === 'batch') {
        batchDraft.set(stepsOf([request], () => crypto.randomUUID()));
        void navigate(batchLocation());
      } else {
        const parameters = callables.find(({ path }) => path === request.path)?.parameters ?? [];
        const draft = draftOfArguments(parameters, request.args);
        callDrafts.update((drafts) => ({ ...drafts, [request.path]: draft }));
        callTabs.update((tabs) => touched(tabs, request.path));
        void navigate(invokeLocation(request.path));
      }
    },
    [callables, navigate],
  );
}

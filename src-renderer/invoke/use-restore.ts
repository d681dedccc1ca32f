/** Puts a call that was made or kept back where it can be made again: its arguments, its context and its fork. */

import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { type ArgumentDraft, draftOfArguments, isBlank, readArguments } from '../data/argument-draft.js';
import { callHistory } from '../data/call-history.js';
import { asTyped, type SentCall } from '../data/calls.js';
import type { FormParameter } from '../data/form-model.js';
import { batchLocation, queryLocation } from '../data/locations.js';
import { currentFork, requestContext } from '../data/place.js';
import { queryTabs, tabForText } from '../data/query-tabs.js';
import { variableScope } from '../data/variable-scope.js';
import { replaceBatch, stepsOf } from './batch-store.js';
import { callDrafts } from './call-store.js';
import { callTabs, tabId, tabLocation, tabToRestoreIn, touched } from './call-tabs.js';
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
        replaceBatch(stepsOf([request], () => crypto.randomUUID()));
        void navigate(batchLocation());
      } else {
        const parameters = callables.find(({ path }) => path === request.path)?.parameters ?? [];
        const draft = draftOfArguments(parameters, request.args);
        putBack.add(draft);
        const tab = tabToRestoreIn(callTabs.get(), request.path, (id) =>
          isElsewhere(callDrafts.get()[id], request.path, parameters),
        );
        const id = tabId(tab);
        callDrafts.update((drafts) => ({ ...drafts, [id]: draft }));
        callTabs.update((tabs) => (tab.number === 1 || tabs.includes(tab) ? touched(tabs, id) : [...tabs, tab]));
        void navigate(tabLocation(tab));
      }
    },
    [callables, navigate],
  );
}

/** Drafts as they came from calls that were made or kept. */
const putBack = new WeakSet<ArgumentDraft>();

/** Whether what is typed can be had again where it goes: it is nothing, came from a call, or has been sent as one. */
function isElsewhere(draft: ArgumentDraft | undefined, path: string, parameters: readonly FormParameter[]): boolean {
  if (draft === undefined || putBack.has(draft) || isBlank(parameters, draft)) return true;
  const sent = argumentsText(parameters, draft);
  return (
    sent !== undefined &&
    callHistory.get().some((entry) => {
      const { request } = asTyped(entry);
      if (request.kind === 'adhoc' || request.kind === 'batch' || request.path !== path) return false;
      return argumentsText(parameters, draftOfArguments(parameters, request.args)) === sent;
    })
  );
}

/** Undefined where they cannot be sent as they are. */
function argumentsText(parameters: readonly FormParameter[], draft: ArgumentDraft): string | undefined {
  const { typed, errors } = readArguments(parameters, draft, variableScope.get());
  return Object.keys(errors).length > 0 ? undefined : JSON.stringify(typed);
}

/** Restores an earlier or saved call: its arguments, context and fork. */

import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { type ArgumentDraft, draftOfArguments, isBlank, readArguments } from '../../model/calls/argument-draft.js';
import { asTyped, type SentCall } from '../../model/calls/calls.js';
import type { FormParameter } from '../../model/calls/form-model.js';
import { goToPlaceOf } from '../../model/calls/place.js';
import { queryKey, queryTabs, tabForText } from '../../model/calls/query-tabs.js';
import { type SavedOrigin, setOrigin } from '../../model/calls/saved-origins.js';
import { variableScope } from '../../model/calls/variable-scope.js';
import { batchLocation, queryLocation } from '../../model/facts/locations.js';
import { callHistory } from '../../server-state/call-history.js';
import { replaceBatch } from './batch-changes.js';
import { stepsOf } from './batch-store.js';
import { callDrafts, callKey } from './call-store.js';
import { callTabs, tabId, tabLocation, tabToRestoreIn, withTouched } from './call-tabs.js';
import type { Callable } from './callables.js';

/** `origin` is the saved call, so that changes can be saved back. `replace` replaces the history entry. */
export function useRestore(
  callables: readonly Callable[],
): (call: SentCall, origin?: SavedOrigin, replace?: boolean) => void {
  const navigate = useNavigate();
  return useCallback(
    (call, origin, replace = false) => {
      const { request } = asTyped(call);
      goToPlaceOf(asTyped(call));
      if (request.kind === 'adhoc') {
        const { state, id } = tabForText(queryTabs.get(), request, crypto.randomUUID());
        queryTabs.set(state);
        if (origin !== undefined) setOrigin(queryKey(id), origin);
        void navigate(queryLocation(id), { replace });
      } else if (request.kind === 'batch') {
        replaceBatch(
          stepsOf([request], () => crypto.randomUUID()),
          origin,
        );
        void navigate(batchLocation(), { replace });
      } else {
        const parameters = callables.find(({ path }) => path === request.path)?.parameters ?? [];
        const draft = draftOfArguments(parameters, request.args);
        restoreDraft.add(draft);
        const tab = tabToRestoreIn(callTabs.get(), request.path, (id) =>
          isElsewhere(callDrafts.get()[id], request.path, parameters),
        );
        const id = tabId(tab);
        callDrafts.update((drafts) => ({ ...drafts, [id]: draft }));
        setOrigin(callKey(id), origin);
        callTabs.update((tabs) => (tab.number === 1 || tabs.includes(tab) ? withTouched(tabs, id) : [...tabs, tab]));
        void navigate(tabLocation(tab), { replace });
      }
    },
    [callables, navigate],
  );
}

/** Drafts that came from earlier or saved calls. */
const restoreDraft = new WeakSet<ArgumentDraft>();

/** Whether the draft can be replaced: it is empty, restored from a call, or was sent. */
function isElsewhere(draft: ArgumentDraft | undefined, path: string, parameters: readonly FormParameter[]): boolean {
  if (draft === undefined || restoreDraft.has(draft) || isBlank(parameters, draft)) return true;
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

/** Undefined if the draft has errors. */
function argumentsText(parameters: readonly FormParameter[], draft: ArgumentDraft): string | undefined {
  const { typed, errors } = readArguments(parameters, draft, variableScope.get());
  return Object.keys(errors).length > 0 ? undefined : JSON.stringify(typed);
}

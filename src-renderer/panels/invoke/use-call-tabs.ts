/** The tabs of the Invoke panel, with the tab in the address selected. */

import { useCallback, useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { offerReopening } from '../../domain/fork/closed-notice.js';
import { forgetSort } from '../../domain/result/result-sort.js';
import { setOrigin } from '../../model/calls/saved-origins.js';
import { leaveCall } from '../../server-state/run-call.js';
import { useStore } from '../../state/store.js';
import { callDrafts, callKey, liveCalls } from './call-store.js';
import {
  anotherTab,
  type CallTab,
  callTabs,
  lastTab,
  tabId,
  tabLocation,
  tabName,
  tabOfAddress,
  withoutTab,
  withTab,
} from './call-tabs.js';

export function useCallTabs() {
  const tabs = useStore(callTabs);
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const active = tabOfAddress(search);
  const activeId = active === undefined ? undefined : tabId(active);
  const before = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tab opens when the address changes to it.
  useEffect(() => {
    if (active === undefined) return;
    callTabs.update((all) => withTab(all, active, before.current));
    lastTab.set(tabId(active));
    before.current = activeId;
  }, [activeId]);
  const show = useCallback((tab: CallTab): void => void navigate(tabLocation(tab)), [navigate]);
  return {
    tabs,
    active,
    /** The last selected tab, for an address without one. */
    last: tabs.find((tab) => tabId(tab) === lastTab.get()) ?? tabs.at(-1),
    select(id: string) {
      const tab = tabs.find((each) => tabId(each) === id);
      if (tab !== undefined) show(tab);
    },
    /** Opens another tab of the callable, with a copy of the draft. */
    another(of: CallTab) {
      const tab = anotherTab(tabs, of);
      callTabs.update((all) => [...all, tab]);
      const draft = callDrafts.get()[tabId(of)];
      if (draft !== undefined) callDrafts.update((all) => ({ ...all, [tabId(tab)]: draft }));
      show(tab);
    },
    close(id: string) {
      const { tabs: remaining, neighbour } = withoutTab(tabs, id);
      const closed = tabs.find((tab) => tabId(tab) === id);
      const draft = callDrafts.get()[id];
      callTabs.set(remaining);
      dropTab(id);
      if (closed?.isTouched === true && closed.number > 1 && draft !== undefined) {
        offerReopening(tabName(closed), () => {
          callDrafts.update((all) => ({ ...all, [id]: draft }));
          callTabs.update((all) => withTab(all, closed, undefined));
          show(closed);
        });
      }
      if (id !== activeId) return;
      before.current = undefined;
      if (neighbour !== undefined) show(neighbour);
      else void navigate('/invoke');
    },
  };
}

/** The draft of a callable's first tab survives closing it. */
function dropTab(id: string): void {
  leaveCall(callKey(id));
  forgetSort(callKey(id));
  liveCalls.update((all) => all.filter((each) => each !== id));
  if (!/ \d+$/.test(id)) return;
  callDrafts.update(({ [id]: _, ...others }) => others);
  setOrigin(callKey(id), undefined);
}

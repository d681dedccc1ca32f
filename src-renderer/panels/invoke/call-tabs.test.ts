import { describe, expect, it } from 'vitest';
import {
  anotherTab,
  BATCH_TAB,
  type CallTab,
  tabId,
  tabLocation,
  tabName,
  tabOfAddress,
  tabToRestoreIn,
  withoutTab,
  withTab,
  withTouched,
} from './call-tabs.js';

const tab = (path: string, number = 1, isTouched = false): CallTab => ({ path, number, isTouched });
const ids = (tabs: readonly CallTab[]): string[] => tabs.map(tabId);

describe('tabs of calls', () => {
  it('round-trip through the address', () => {
    for (const each of [tab('m::sign'), tab('m::sign', 3), BATCH_TAB, tab('calls/smoke 2')]) {
      const location = tabLocation(each);
      expect(tabOfAddress(new URLSearchParams(location.split('?')[1]))).toEqual(each);
    }
    expect(tabOfAddress(new URLSearchParams())).toBeUndefined();
    expect(tabOfAddress(new URLSearchParams('call=m::sign&args={}'))).toBeUndefined();
    expect(tabOfAddress(new URLSearchParams('call=m::sign&tab=x'))).toEqual(tab('m::sign'));
    const named = [tab('m::sign'), tab('m::sign', 2), BATCH_TAB, tab('calls/smoke')];
    expect(named.map(tabName)).toEqual(['sign', 'sign 2', 'Batch', 'smoke.calls.json']);
  });

  it('are replaced by the next while untouched', () => {
    expect(ids(withTab([tab('a'), tab('b')], tab('c'), 'b'))).toEqual(['a', 'c']);
    expect(ids(withTab([tab('a'), tab('b', 1, true)], tab('c'), 'b'))).toEqual(['a', 'b', 'c']);
    expect(ids(withTab([tab('a'), tab('b')], tab('a'), 'b'))).toEqual(['a', 'b']);
    expect(ids(withTab([], tab('a'), undefined))).toEqual(['a']);
  });

  it('take a restored call if no draft is lost', () => {
    const restored = (tabs: readonly CallTab[], ...mayGo: string[]) =>
      tabId(tabToRestoreIn(tabs, 'a', (id) => mayGo.includes(id)));
    expect(restored([tab('b'), tab('a')], 'a', 'b')).toBe('a');
    expect(restored([tab('a'), tab('a', 2)], 'a 2')).toBe('a 2');
    expect(restored([tab('a'), tab('b', 2)], 'b 2')).toBe('a 2');
    // The draft of the first tab outlives the tab.
    expect(restored([tab('b')])).toBe('a 2');
    expect(restored([], 'a')).toBe('a');
  });

  it('can be several for one callable', () => {
    const tabs = [tab('a'), tab('a', 3), tab('b', 2)];
    expect(tabId(anotherTab(tabs, tab('a')))).toBe('a 2');
    expect(anotherTab(tabs, tab('b', 2))).toEqual(tab('b', 1, true));
  });

  it('select the neighbour when closed', () => {
    const tabs = [tab('a'), tab('b'), tab('c')];
    expect(withoutTab(tabs, 'b').neighbour).toEqual(tab('c'));
    expect(withoutTab(tabs, 'c').neighbour).toEqual(tab('b'));
    expect(withoutTab([tab('a')], 'a')).toEqual({ tabs: [], neighbour: undefined });
  });

  it('are marked as touched only once', () => {
    const tabs = [tab('a')];
    const after = withTouched(tabs, 'a');
    expect(after).toEqual([tab('a', 1, true)]);
    expect(withTouched(after, 'a')).toBe(after);
  });
});

/** Tabs of the Query panel: which tab is selected after closing one, and which tab opens a text. */

import { describe, expect, it } from 'vitest';
import {
  mergedTabs,
  newTab,
  type QueryTabs,
  tabForText,
  tabName,
  withChange,
  withoutTab,
  withTab,
} from './query-tabs.js';

const state: QueryTabs = {
  tabs: ['a', 'b', 'c'].map((id) => newTab(id, `query ${id}() -> Int { value 1 }`)),
  active: 'b',
};

describe('query tabs', () => {
  it('select the neighbour of a closed tab, and replace the last tab with an empty one', () => {
    expect(withoutTab(state, 'b', 'x')).toMatchObject({ active: 'c', tabs: [{ id: 'a' }, { id: 'c' }] });
    expect(withoutTab({ ...state, active: 'c' }, 'c', 'x').active).toBe('b');
    expect(withoutTab(state, 'a', 'x').active).toBe('b');
    const last = { tabs: state.tabs.slice(0, 1), active: 'a' };
    expect(withoutTab(last, 'a', 'x')).toMatchObject({ active: 'x', tabs: [{ id: 'x', source: '' }] });
    expect(withoutTab(state, 'unknown', 'x')).toBe(state);
  });

  it('show their name, else the name of the declaration', () => {
    expect(tabName({ ...newTab('a', 'query rents() -> Int { value 1 }'), name: 'My rents' })).toBe('My rents');
    expect(tabName(newTab('a', 'derive pair(x: T) when T(x)'))).toBe('pair');
    expect(tabName(newTab('a', ''))).toBe('Untitled');
  });

  it('open a text in the tab that already has it, or in a new one', () => {
    const source = state.tabs[1]?.source ?? '';
    const opened = tabForText(state, { source, args: { n: 1 } }, 'x');
    expect(opened.id).toBe('b');
    expect(opened.state.tabs[1]?.args).toMatchObject({ mode: 'json', json: '{\n  "n": 1\n}' });
    expect(tabForText(state, { source: 'query z() -> Int { value 2 }', args: {} }, 'x')).toMatchObject({
      id: 'x',
      state: { active: 'x' },
    });
  });

  it('merge with the tabs of another page, and keep the changes of both', () => {
    const theirs = withTab(withChange(state, 'a', { source: 'theirs' }), newTab('d', 'd'));
    const own = withTab(withoutTab(withChange(state, 'b', { source: 'own' }), 'c', 'fresh'), newTab('e', 'e'));
    const merged = mergedTabs(theirs, state, own);
    expect(merged.tabs.map(({ id, source }) => [id, source.slice(0, 6)])).toEqual([
      ['a', 'theirs'],
      ['b', 'own'],
      ['d', 'd'],
      ['e', 'e'],
    ]);
    expect(merged.active).toBe('e');
  });
});

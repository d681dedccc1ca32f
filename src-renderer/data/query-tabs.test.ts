/** The tabs of the Query panel: which is shown when one is closed, and where a text is opened. */

import { describe, expect, it } from 'vitest';
import { newTab, type QueryTabs, tabForText, tabName, withoutTab } from './query-tabs.js';

const state: QueryTabs = {
  tabs: ['a', 'b', 'c'].map((id) => newTab(id, `query ${id}() -> Int { value 1 }`)),
  active: 'b',
};

describe('the tabs', () => {
  it('show the neighbour of one that is closed, and an empty one for the last', () => {
    expect(withoutTab(state, 'b', 'x')).toMatchObject({ active: 'c', tabs: [{ id: 'a' }, { id: 'c' }] });
    expect(withoutTab({ ...state, active: 'c' }, 'c', 'x').active).toBe('b');
    expect(withoutTab(state, 'a', 'x').active).toBe('b');
    const last = { tabs: state.tabs.slice(0, 1), active: 'a' };
    expect(withoutTab(last, 'a', 'x')).toMatchObject({ active: 'x', tabs: [{ id: 'x', source: '' }] });
    expect(withoutTab(state, 'unknown', 'x')).toBe(state);
  });

  it('are called by their name, else by what the text declares', () => {
    expect(tabName({ ...newTab('a', 'query rents() -> Int { value 1 }'), name: 'My rents' })).toBe('My rents');
    expect(tabName(newTab('a', 'derive pair(x: T) when T(x)'))).toBe('pair');
    expect(tabName(newTab('a', ''))).toBe('Untitled');
  });

  it('open a text where it is already, with the arguments that it was run with', () => {
    const source = state.tabs[1]?.source ?? '';
    const opened = tabForText(state, source, { n: 1 }, 'x');
    expect(opened.id).toBe('b');
    expect(opened.state.tabs[1]?.args).toMatchObject({ mode: 'json', json: '{\n  "n": 1\n}' });
    expect(tabForText(state, 'query z() -> Int { value 2 }', {}, 'x')).toMatchObject({
      id: 'x',
      state: { active: 'x' },
    });
  });
});

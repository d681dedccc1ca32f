/** Stored keys belong to a group, and can be cleared and restored. */

import { describe, expect, it } from 'vitest';
import { canUndo, clearKeys, storageGroups, undoClear } from './storage-groups.js';

function storageOf(content: Record<string, string> = {}): Storage {
  const map = new Map(Object.entries(content));
  return {
    get length() {
      return map.size;
    },
    key: (index) => [...map.keys()][index] ?? null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
    clear: () => map.clear(),
  };
}

const FULL = {
  'entail.drafts': '{}',
  'entail.calls': '{"a":1}',
  'entail.fork': '"main"',
  'react-resizable-panels:entail.shell:panel': '{}',
  'mantine-color-scheme-value': 'dark',
};

describe('the stored data', () => {
  it('is grouped, and excludes keys that the workbench does not own', () => {
    const groups = storageGroups(storageOf(FULL)).map(({ name, keys }) => [name, ...keys]);
    expect(groups).toEqual([
      ['Drafts', 'entail.drafts'],
      ['Arguments and queries', 'entail.calls'],
      ['Context', 'entail.fork'],
      ['Layout', 'react-resizable-panels:entail.shell:panel'],
    ]);
  });

  it.each([
    ['Drafts', ['drafts', 'held']],
    ['Arguments and queries', ['additions', 'edit', 'forks.promotion', 'staged', 'texts', 'trials']],
    ['Layout', ['columns', 'density', 'forks.closed']],
  ])('has the keys of the group %s', (name, keys) => {
    const storage = storageOf(Object.fromEntries(keys.map((key) => [`entail.${key}`, '{}'])));
    expect(storageGroups(storage)).toMatchObject([{ name, keys: keys.map((key) => `entail.${key}`) }]);
  });

  it('can be cleared and restored', () => {
    const [storage, undo] = [storageOf(FULL), storageOf({ 'entail.calls': '{"a":1}' })];
    expect(canUndo(undo)).toBe(false);
    clearKeys(storage, undo, ['entail.calls']);
    expect(undo.getItem('entail.calls')).toBeNull();
    expect([storage.getItem('entail.calls'), storage.getItem('entail.fork'), canUndo(undo)]).toEqual([
      null,
      '"main"',
      true,
    ]);
    undoClear(storage, undo);
    expect([storage.getItem('entail.calls'), canUndo(undo)]).toEqual(['{"a":1}', false]);
  });
});

import { beforeEach, expect, it } from 'vitest';
import { batchUndo, changeSteps, replaceBatch, undoBatchChange } from './batch-changes.js';
import { batchDraft, type DraftStep } from './batch-store.js';

const step = (id: string): DraftStep => ({ id, kind: 'mutation', path: `m::${id}`, json: '{}' });
const ids = (): readonly string[] => batchDraft.get().map(({ id }) => id);

beforeEach(() => {
  batchUndo.set(null);
  batchDraft.set([]);
});

it('offers no undo if the replaced steps came from earlier calls', () => {
  replaceBatch([step('a')]);
  replaceBatch([step('b')]);
  expect(batchUndo.get()).toBeNull();
});

it('restores the steps, and offers a redo if the replacement was edited', () => {
  batchDraft.set([step('composed')]);
  replaceBatch([step('a')]);
  undoBatchChange();
  expect([ids(), batchUndo.get()]).toEqual([['composed'], null]);

  replaceBatch([step('a')]);
  batchDraft.update((steps) => [...steps, step('more')]);
  undoBatchChange();
  expect(ids()).toEqual(['composed']);
  undoBatchChange();
  expect(ids()).toEqual(['a', 'more']);
});

it('restores removed steps beside those typed since', () => {
  batchDraft.set([step('a'), step('b')]);
  changeSteps('Cleared.', () => []);
  batchDraft.set([step('c')]);
  undoBatchChange();
  expect(ids()).toEqual(['c', 'a', 'b']);
});

import { beforeEach, expect, it } from 'vitest';
import { bringStepsBack, changeSteps, replaceBatch, stepsBefore } from './batch-changes.js';
import { batchDraft, type DraftStep } from './batch-store.js';

const step = (id: string): DraftStep => ({ id, kind: 'mutation', path: `m::${id}`, json: '{}' });
const ids = (): readonly string[] => batchDraft.get().map(({ id }) => id);

beforeEach(() => {
  stepsBefore.set(null);
  batchDraft.set([]);
});

it('offers no undo for steps that came from calls', () => {
  replaceBatch([step('a')]);
  replaceBatch([step('b')]);
  expect(stepsBefore.get()).toBeNull();
});

it('restores the steps, and offers a redo if the replacement was edited', () => {
  batchDraft.set([step('composed')]);
  replaceBatch([step('a')]);
  bringStepsBack();
  expect([ids(), stepsBefore.get()]).toEqual([['composed'], null]);

  replaceBatch([step('a')]);
  batchDraft.update((steps) => [...steps, step('more')]);
  bringStepsBack();
  expect(ids()).toEqual(['composed']);
  bringStepsBack();
  expect(ids()).toEqual(['a', 'more']);
});

it('restores removed steps beside those typed since', () => {
  batchDraft.set([step('a'), step('b')]);
  changeSteps('Cleared.', () => []);
  batchDraft.set([step('c')]);
  bringStepsBack();
  expect(ids()).toEqual(['c', 'a', 'b']);
});

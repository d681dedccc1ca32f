/**
 * Changes that remove steps from the batch, with an undo. The undo survives a reload, and lasts until it is used,
 * dismissed or superseded.
 */

import { keepByTenant } from '../../model/calls/by-tenant.js';
import { type SavedOrigin, savedOrigins, setOrigin } from '../../model/calls/saved-origins.js';
import { createPersistentStore } from '../../state/store.js';
import { areSteps, BATCH_KEY, batchDraft, type DraftStep, stepsElsewhere, withStepsRestored } from './batch-store.js';

export interface BatchUndo {
  /** The text of the undo notice, under its stored name. */
  readonly words: string;
  readonly before: readonly DraftStep[];
  /** The steps after a removal. Absent if other steps replaced them. */
  readonly after?: readonly DraftStep[];
  /** The saved call that the steps came from. */
  readonly origin?: SavedOrigin | undefined;
}

/** Null if there is nothing to undo. */
export const batchUndo = createPersistentStore<BatchUndo | null>('entail.batch-before', null, isBatchUndo);

keepByTenant('entail.batch-before', batchUndo, isBatchUndo, (kept) => {
  if (kept === null) return null;
  const [before, after] = [stepsElsewhere(kept.before), kept.after && stepsElsewhere(kept.after)];
  return before === kept.before && after === kept.after ? kept : { ...kept, before, ...(after && { after }) };
});

/** Steps that came from earlier or saved calls. */
const putBack = new WeakSet<readonly DraftStep[]>();

/**
 * Replaces the steps. `origin` is given for steps of a saved call. Offers an undo only for steps that were composed
 * here.
 */
export function replaceBatch(steps: readonly DraftStep[], origin?: SavedOrigin): void {
  putBack.add(steps);
  exchange(steps, origin);
}

/** Removes steps and offers an undo. */
export function changeSteps(words: string, change: (steps: readonly DraftStep[]) => readonly DraftStep[]): void {
  const before = batchDraft.get();
  const after = change(before);
  batchUndo.set({ words, before, after });
  batchDraft.set(after);
}

/** Undoing offers a redo if steps would be lost. */
export function undoBatchChange(): void {
  const kept = batchUndo.get();
  if (kept === null) return;
  batchUndo.set(null);
  const { before, after, origin } = kept;
  if (after === undefined) exchange(before, origin);
  else batchDraft.update((now) => withStepsRestored(now, { before, after }));
}

function exchange(steps: readonly DraftStep[], origin: SavedOrigin | undefined): void {
  const [before, originBefore] = [batchDraft.get(), savedOrigins.get()[BATCH_KEY]];
  batchDraft.set(steps);
  setOrigin(BATCH_KEY, origin);
  if (before.length === 0 || putBack.has(before)) return;
  batchUndo.set({ words: 'Batch steps replaced.', before, origin: originBefore });
}

function isBatchUndo(value: unknown): value is BatchUndo | null {
  if (value === null) return true;
  const kept = value as Partial<BatchUndo> | undefined;
  return (
    typeof kept === 'object' &&
    typeof kept.words === 'string' &&
    areSteps(kept.before) &&
    (kept.after === undefined || areSteps(kept.after))
  );
}

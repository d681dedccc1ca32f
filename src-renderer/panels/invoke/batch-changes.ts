/** What takes steps out of the batch, and what it had before: kept, over a reload too, until it is back, waived or another one's turn. */

import { keepByTenant } from '../../model/calls/by-tenant.js';
import { type SavedOrigin, savedOrigins, setOrigin } from '../../model/calls/saved-origins.js';
import { createKeptStore } from '../../state/store.js';
import { areSteps, BATCH_KEY, batchDraft, type DraftStep, stepsElsewhere, withStepsBack } from './batch-store.js';

export interface StepsBefore {
  /** What became of them. */
  readonly words: string;
  readonly before: readonly DraftStep[];
  /** What was left, where steps were taken away; absent where others have come instead. */
  readonly after?: readonly DraftStep[];
  /** The kept call that they came from. */
  readonly origin?: SavedOrigin | undefined;
}

/** Null while there is nothing to go back to. */
export const stepsBefore = createKeptStore<StepsBefore | null>('entail.batch-before', null, isStepsBefore);

keepByTenant('entail.batch-before', stepsBefore, isStepsBefore, (kept) => {
  if (kept === null) return null;
  const [before, after] = [stepsElsewhere(kept.before), kept.after && stepsElsewhere(kept.after)];
  return before === kept.before && after === kept.after ? kept : { ...kept, before, ...(after && { after }) };
});

/** Steps as they came from calls that were made or kept. */
const putBack = new WeakSet<readonly DraftStep[]>();

/** By the steps of calls that can be had again, `origin` of such as are kept; those that were composed here are offered back. */
export function replaceBatch(steps: readonly DraftStep[], origin?: SavedOrigin): void {
  putBack.add(steps);
  exchange(steps, origin);
}

/** Takes steps away, and offers them back with what is typed in them. */
export function changeSteps(words: string, change: (steps: readonly DraftStep[]) => readonly DraftStep[]): void {
  const before = batchDraft.get();
  const after = change(before);
  stepsBefore.set({ words, before, after });
  batchDraft.set(after);
}

/** What is there by then is offered back in turn, where it would be lost. */
export function bringStepsBack(): void {
  const kept = stepsBefore.get();
  if (kept === null) return;
  stepsBefore.set(null);
  const { before, after, origin } = kept;
  if (after === undefined) exchange(before, origin);
  else batchDraft.update((now) => withStepsBack(now, { before, after }));
}

function exchange(steps: readonly DraftStep[], origin: SavedOrigin | undefined): void {
  const [before, originBefore] = [batchDraft.get(), savedOrigins.get()[BATCH_KEY]];
  batchDraft.set(steps);
  setOrigin(BATCH_KEY, origin);
  if (before.length === 0 || putBack.has(before)) return;
  stepsBefore.set({ words: 'Batch steps replaced.', before, origin: originBefore });
}

function isStepsBefore(value: unknown): value is StepsBefore | null {
  if (value === null) return true;
  const kept = value as Partial<StepsBefore> | undefined;
  return (
    typeof kept === 'object' &&
    typeof kept.words === 'string' &&
    areSteps(kept.before) &&
    (kept.after === undefined || areSteps(kept.after))
  );
}

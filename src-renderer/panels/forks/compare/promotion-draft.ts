/** Drafts of the promote, rebase and cherry-pick sheets. They survive a reload. */

import type { ForkConflict, ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import { createPersistentStore, useStore } from '../../../state/store.js';

interface MergeDraft {
  readonly fork: string;
  readonly createdAt: string;
  /** For a promotion: whether the state of the parent is saved as a fork. */
  readonly keeps: boolean;
  /** Name of the new fork; null for the suggested one. */
  readonly name: string | null;
  /** Conflicts in which the parent's value is kept, as individual and path; or all. */
  readonly ofParent: OfParent;
}

export type OfParent = 'all' | readonly (readonly [individual: string, field: string])[];

const NO_DRAFT: MergeDraft = { fork: '', createdAt: '', keeps: true, name: null, ofParent: [] };

const promotionDraft = createPersistentStore('entail.forks.promotion', NO_DRAFT, isDraft);
const updateDraft = createPersistentStore('entail.forks.update', NO_DRAFT, isDraft);
const pickDraft = createPersistentStore('entail.forks.pick', NO_DRAFT, isDraft);

function isDraft(value: unknown): value is MergeDraft {
  const draft = (typeof value === 'object' ? value : null) as Partial<MergeDraft> | null;
  const texts = [draft?.fork, draft?.createdAt, draft?.name ?? ''].every((text) => typeof text === 'string');
  const isOfParent = draft?.ofParent === 'all' || Array.isArray(draft?.ofParent);
  return texts && isOfParent && typeof draft?.keeps === 'boolean';
}

type Choices = Pick<MergeDraft, 'keeps' | 'name' | 'ofParent'>;
type UsedDraft = readonly [Choices, (change: Partial<Choices>) => void];

export function usePromotionDraft(fork: ForkInfo): UsedDraft {
  return useDraft(promotionDraft, fork);
}

export function useUpdateDraft(fork: ForkInfo): UsedDraft {
  return useDraft(updateDraft, fork);
}

/** For a transaction and its target fork. */
export function usePickDraft(txn: number, { id, createdAt }: ForkInfo): UsedDraft {
  return useDraft(pickDraft, { id: `${txn} ${id}`, createdAt });
}

/** A new fork with the same name has a new draft. */
function useDraft(store: typeof promotionDraft, { id, createdAt }: Pick<ForkInfo, 'id' | 'createdAt'>): UsedDraft {
  const draft = useStore(store);
  const { keeps, name, ofParent } = draft.fork === id && draft.createdAt === createdAt ? draft : NO_DRAFT;
  const choices = { keeps, name, ofParent };
  return [choices, (change) => store.set({ ...choices, ...change, fork: id, createdAt })];
}

/** In the form of the API; undefined if all values of the fork are kept. */
export function keepText(ofParent: OfParent): string | undefined {
  if (ofParent === 'all') return 'parent';
  return ofParent.length === 0 ? undefined : JSON.stringify(ofParent);
}

/** More would exceed the address length that servers accept. */
const CHOSEN_MAX = 100;

/** Toggles the parent's value in one conflict; undefined if there are too many to select one by one. */
export function withChoice(
  conflicts: readonly ForkConflict[],
  { individual, field }: Pick<ForkConflict, 'individual' | 'field'>,
  kept: ForkConflict['kept'],
): OfParent | undefined {
  const selected = conflicts.filter((each) => {
    const isIt = each.individual === individual && each.field === field;
    return (isIt ? kept : each.kept) === 'parent';
  });
  return selected.length > CHOSEN_MAX ? undefined : selected.map((each) => [each.individual, each.field]);
}

/** What was chosen and typed in the sheet before a promotion, an update or a pick, which outlives a look at another panel and a reload. */

import type { ForkConflict, ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import { createKeptStore, useStore } from '../../../state/store.js';

interface MergeDraft {
  readonly fork: string;
  readonly createdAt: string;
  /** Of a promotion: whether the parent is kept as it was. */
  readonly keeps: boolean;
  /** Of the fork that is made. Null for the one that is proposed. */
  readonly name: string | null;
  /** Of conflicts, those fields in which the parent's value is kept, as individual and path; or all. */
  readonly ofParent: OfParent;
}

export type OfParent = 'all' | readonly (readonly [individual: string, field: string])[];

const NO_DRAFT: MergeDraft = { fork: '', createdAt: '', keeps: true, name: null, ofParent: [] };

const promotionDraft = createKeptStore('entail.forks.promotion', NO_DRAFT, isDraft);
const updateDraft = createKeptStore('entail.forks.update', NO_DRAFT, isDraft);
const pickDraft = createKeptStore('entail.forks.pick', NO_DRAFT, isDraft);

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

/** Of a transaction, and the fork that it is picked onto. */
export function usePickDraft(txn: number, { id, createdAt }: ForkInfo): UsedDraft {
  return useDraft(pickDraft, { id: `${txn} ${id}`, createdAt });
}

/** Another fork of the same name begins anew. */
function useDraft(store: typeof promotionDraft, { id, createdAt }: Pick<ForkInfo, 'id' | 'createdAt'>): UsedDraft {
  const draft = useStore(store);
  const { keeps, name, ofParent } = draft.fork === id && draft.createdAt === createdAt ? draft : NO_DRAFT;
  const choices = { keeps, name, ofParent };
  return [choices, (change) => store.set({ ...choices, ...change, fork: id, createdAt })];
}

/** As the server takes it; undefined where the values of the fork are kept. */
export function keepText(ofParent: OfParent): string | undefined {
  if (ofParent === 'all') return 'parent';
  return ofParent.length === 0 ? undefined : JSON.stringify(ofParent);
}

/** More are no address any more that every server takes. */
const CHOSEN_MAX = 100;

/** With the parent's value kept in this conflict, or not; undefined where so many cannot be chosen one by one. */
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

/** The state of the *Why not…?* form, kept in the browser: whether it is open, and its draft. */

import { createPersistentStore, isRecordOf, mergedMembers, useStore } from '../../../state/store.js';

type Draft = Readonly<Record<string, unknown>>;

interface WhyNotForm {
  /** The relation whose form is open. */
  readonly open: string | null;
  /** Drafts, keyed by relation. */
  readonly drafts: Readonly<Record<string, Draft>>;
}

const whyNotForm = createPersistentStore<WhyNotForm>('entail.asking', { open: null, drafts: {} }, isWhyNotForm, {
  merge: (theirs, before, own) => ({ ...own, drafts: mergedMembers(theirs.drafts, before.drafts, own.drafts) }),
});

export function useWhyNotForm(relation: string): [boolean, (open: boolean) => void] {
  const { open } = useStore(whyNotForm);
  return [open === relation, (next) => whyNotForm.update((current) => ({ ...current, open: next ? relation : null }))];
}

/** The draft for this relation. Undefined once it was submitted. */
export function useDraft(relation: string): [Draft | undefined, (draft: Draft | undefined) => void] {
  const { drafts } = useStore(whyNotForm);
  const set = (draft: Draft | undefined): void =>
    whyNotForm.update((current) => {
      const { [relation]: _before, ...others } = current.drafts;
      return { ...current, drafts: draft === undefined ? others : { ...others, [relation]: draft } };
    });
  return [drafts[relation], set];
}

function isWhyNotForm(value: unknown): value is WhyNotForm {
  const { open, drafts } = (value ?? {}) as Partial<Record<keyof WhyNotForm, unknown>>;
  return (open === null || typeof open === 'string') && isRecordOf(drafts, isDraft);
}

function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

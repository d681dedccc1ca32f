/** What is half typed of rows to be added, by list: there again when the sheet is, and after a reload and a restart. */

import { keepByTenant, withoutIndividuals } from '../../../model/calls/by-tenant.js';
import { emptyForm, type Form, type FormParameter, fittedForm } from '../../../model/calls/form-model.js';
import { createKeptStore, isRecordOf, mergedMembers, useStore } from '../../../state/store.js';

type Drafts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const KEY = 'entail.additions';

const isForm = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const areDrafts = (value: unknown): value is Drafts => isRecordOf(value, isForm);

const drafts = createKeptStore<Drafts>(KEY, {}, areDrafts, { merge: mergedMembers });
keepByTenant(KEY, drafts, areDrafts, withoutIndividuals);

interface AdditionDraft {
  /** Fitted to the columns as they are now. */
  readonly form: Form;
  change(change: (before: Form) => Form): void;
  /** Once it is added, staged or given up. */
  forget(): void;
}

/** Of the list that is at `path`. */
export function useAdditionDraft(path: string, parameters: readonly FormParameter[]): AdditionDraft {
  const fitted = (all: Drafts): Form => {
    const kept = all[path];
    return kept === undefined ? emptyForm(parameters) : fittedForm(parameters, kept);
  };
  return {
    form: fitted(useStore(drafts)),
    change: (change) => drafts.update((all) => ({ ...all, [path]: change(fitted(all)) })),
    forget: () =>
      drafts.update((all) => {
        const { [path]: _, ...others } = all;
        return others;
      }),
  };
}

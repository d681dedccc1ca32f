/** Drafts of calls, by tab. They survive a reload. */

import { type ArgumentDraft, isArgumentDraft } from '../../model/calls/argument-draft.js';
import { keepByTenant, withoutIndividuals, withoutIndividualsInText } from '../../model/calls/by-tenant.js';
import { createPersistentStore, isRecordOf, mergedMembers } from '../../state/store.js';

/** Keyed by tab id. The id of a callable's first tab is its path. */
export const callDrafts = createPersistentStore<Record<string, ArgumentDraft>>('entail.calls', {}, areDrafts, {
  merge: mergedMembers,
});

keepByTenant('entail.calls', callDrafts, areDrafts, (drafts) => {
  const elsewhere = Object.entries(drafts).map(([id, draft]) => [id, draftElsewhere(draft)] as const);
  return elsewhere.every(([id, draft]) => draft === drafts[id]) ? drafts : Object.fromEntries(elsewhere);
});

function areDrafts(value: unknown): value is Record<string, ArgumentDraft> {
  return isRecordOf(value, isArgumentDraft);
}

function draftElsewhere(draft: ArgumentDraft): ArgumentDraft {
  const [form, json] = [withoutIndividuals(draft.form), withoutIndividualsInText(draft.json)];
  return form === draft.form && json === draft.json ? draft : { ...draft, form, json };
}

/** Tabs with *Live* turned on. */
export const liveCalls = createPersistentStore<readonly string[]>(
  'entail.live-calls',
  [],
  (value): value is readonly string[] => Array.isArray(value) && value.every((id) => typeof id === 'string'),
);

export function callKey(tab: string): string {
  return `call ${tab}`;
}

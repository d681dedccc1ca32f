/** What was typed in each tab of a callable; it outlives the panel and a reload. */

import { type ArgumentDraft, isArgumentDraft } from '../../model/calls/argument-draft.js';
import { keepByTenant, withoutIndividuals, withoutIndividualsInText } from '../../model/calls/by-tenant.js';
import { createKeptStore, isRecordOf, mergedMembers } from '../../state/store.js';

/** By id of the tab, which for the first tab of a callable is its path. */
export const callDrafts = createKeptStore<Record<string, ArgumentDraft>>('entail.calls', {}, areDrafts, {
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

/** Tabs whose query is asked again when facts change. */
export const liveCalls = createKeptStore<readonly string[]>(
  'entail.live-calls',
  [],
  (value): value is readonly string[] => Array.isArray(value) && value.every((id) => typeof id === 'string'),
);

export function callKey(tab: string): string {
  return `call ${tab}`;
}

/** What was typed in each tab of a callable; it outlives the panel and a reload. */

import { type ArgumentDraft, isArgumentDraft } from '../data/argument-draft.js';
import { createKeptStore, isRecordOf, mergedMembers } from '../data/store.js';

/** By id of the tab, which for the first tab of a callable is its path. */
export const callDrafts = createKeptStore<Record<string, ArgumentDraft>>(
  'entail.calls',
  {},
  (value): value is Record<string, ArgumentDraft> => isRecordOf(value, isArgumentDraft),
  { merge: mergedMembers },
);

/** Tabs whose query is asked again when facts change. */
export const liveCalls = createKeptStore<readonly string[]>(
  'entail.live-calls',
  [],
  (value): value is readonly string[] => Array.isArray(value) && value.every((id) => typeof id === 'string'),
);

export function callKey(tab: string): string {
  return `call ${tab}`;
}

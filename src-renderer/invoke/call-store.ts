/** What was typed for each callable; it outlives the panel and a reload. */

import { type ArgumentDraft, isArgumentDraft } from '../data/argument-draft.js';
import { createKeptStore, isRecordOf } from '../data/store.js';

/** By path of the callable. */
export const callDrafts = createKeptStore<Record<string, ArgumentDraft>>(
  'entail.calls',
  {},
  (value): value is Record<string, ArgumentDraft> => isRecordOf(value, isArgumentDraft),
);

/** Callables whose query is asked again when facts change. */
export const liveCalls = createKeptStore<readonly string[]>(
  'entail.live-calls',
  [],
  (value): value is readonly string[] => Array.isArray(value) && value.every((path) => typeof path === 'string'),
);

export function callKey(path: string): string {
  return `call ${path}`;
}

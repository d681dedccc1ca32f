/** What was typed for each callable, and what its last call came to: both outlive the panel, the typing also a reload. */

import type { JsonValue } from '../../src-runtime/api/schemas.js';
import type { MutationSuccess, PageOf } from '../data/api.js';
import { createKeptStore, createStore, isRecordOf } from '../data/store.js';

export interface CallDraft {
  readonly mode: 'form' | 'json';
  /** As typed; fitted to the signature when it is shown. */
  readonly form: Readonly<Record<string, unknown>>;
  readonly json: string;
}

const isDraft = (value: unknown): value is CallDraft => {
  const draft = value as Partial<CallDraft> | null;
  return (
    typeof draft === 'object' &&
    draft !== null &&
    (draft.mode === 'form' || draft.mode === 'json') &&
    typeof draft.form === 'object' &&
    draft.form !== null &&
    typeof draft.json === 'string'
  );
};

/** By path of the callable. */
export const callDrafts = createKeptStore<Record<string, CallDraft>>(
  'entail.calls',
  {},
  (value): value is Record<string, CallDraft> => isRecordOf(value, isDraft),
);

/** What a call answered: of a query, as many pages as were asked for. */
export interface CallAnswer {
  readonly result: JsonValue;
  readonly requestId: string;
  readonly nextCursor: string | undefined;
  readonly mutation: Pick<MutationSuccess, 'txn' | 'events' | 'warnings'> | undefined;
}

export type CallOutcome =
  | { readonly state: 'running' }
  | {
      readonly state: 'answered';
      readonly answer: CallAnswer;
      readonly args: Record<string, JsonValue>;
      readonly dryRun: boolean;
      readonly durationMs: number;
      readonly at: number;
    }
  | { readonly state: 'failed'; readonly error: unknown; readonly durationMs: number; readonly at: number };

/** The last outcome of each callable, by path. */
export const callOutcomes = createStore<Readonly<Record<string, CallOutcome>>>({});

export function setOutcome(path: string, outcome: CallOutcome | undefined): void {
  callOutcomes.update((current) => {
    const { [path]: _before, ...others } = current;
    return outcome === undefined ? others : { ...others, [path]: outcome };
  });
}

/** The answer with the rows of the next page behind its own. */
export function withNextPage(answer: CallAnswer, page: PageOf<JsonValue>): CallAnswer {
  const before = Array.isArray(answer.result) ? answer.result : [];
  const more = Array.isArray(page.result) ? page.result : [];
  return { ...answer, result: [...before, ...more], nextCursor: page.nextCursor };
}

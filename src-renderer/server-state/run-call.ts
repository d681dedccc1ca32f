/** Runs calls and keeps their outcomes under a key, so that a run continues while its panel is closed. */

import type { QueryClient } from '@tanstack/react-query';
import type { JsonValue } from '../../src-runtime/api/schemas/schemas.js';
import { resultText } from '../model/calls/argument-text.js';
import { isWrite, questionOf, type SentCall } from '../model/calls/calls.js';
import { currentFork, currentMoment, sentContext } from '../model/calls/place.js';
import { failureOf } from '../model/facts/failure.js';
import { type EarlierRows, earlierRows } from '../model/facts/row-change.js';
import { writtenItems } from '../model/sentences/effects-model.js';
import { createStore } from '../state/store.js';
import { type CallResult, recordCall } from './call-history.js';
import { PAGE_ROWS } from './facts.js';
import { NoResponseError, noteRunning, takeInterrupted, whileStaying } from './interrupted-calls.js';
import { type OwnWrite, refreshWritten } from './live.js';
import { type CallResponse, sendCall, withNextPage } from './send-call.js';

export type CallOutcome =
  | { readonly state: 'running'; readonly call: SentCall; readonly since: number }
  | {
      readonly state: 'answered';
      readonly call: SentCall;
      readonly answer: CallResponse;
      readonly durationMs: number;
      readonly at: number;
      /** The rows of the last run of the same call, if they differ. */
      readonly earlier?: EarlierRows | undefined;
    }
  | {
      readonly state: 'failed';
      readonly call: SentCall;
      readonly error: unknown;
      readonly durationMs: number;
      readonly at: number;
    };

export type EndedCall = Exclude<CallOutcome, { readonly state: 'running' }>;

/** The last outcome under each key. */
export const callOutcomes = createStore<Readonly<Record<string, CallOutcome>>>({});

export function setOutcome(key: string, outcome: CallOutcome | undefined): void {
  callOutcomes.update((current) => {
    const { [key]: _before, ...others } = current;
    return outcome === undefined ? others : { ...others, [key]: outcome };
  });
}

const running = new Map<string, AbortController>();
const refreshing = new Map<string, AbortController>();
/** Keys of running writes whose panel was closed. */
const left = new Set<string>();

function isWriting({ request, dryRun }: SentCall): boolean {
  return isWrite(request) && !dryRun;
}

interface RunOptions {
  /** One of several calls: its response lists all changes, and the caller refreshes and reports at the end. */
  readonly ofRun?: boolean;
  /** Edits facts directly, in the Data panel. */
  readonly isEdit?: boolean;
}

/**
 * Sends a call. A new call under the key replaces one that only reads, and is ignored while one writes: the write may take effect,
 * and would then do so twice. With `paged` the result is a list, read page by page. Resolves to undefined if the call was ignored or
 * replaced.
 */
export async function runCall(
  client: QueryClient,
  key: string,
  given: SentCall,
  paged: boolean,
  { ofRun = false, isEdit = false }: RunOptions = {},
): Promise<EndedCall | undefined> {
  const call = atMoment(given);
  const before = callOutcomes.get()[key];
  if (before?.state === 'running' && isWriting(before.call)) return undefined;
  refreshing.get(key)?.abort();
  const abort = new AbortController();
  running.get(key)?.abort();
  running.set(key, abort);
  const startedAt = performance.now();
  const timing = () => ({ durationMs: performance.now() - startedAt, at: Date.now() });
  setOutcome(key, { state: 'running', call, since: Date.now() });
  const ended = noteRunning(call);
  try {
    const limit = paged ? PAGE_ROWS : undefined;
    const answer = await sendCall(call, { signal: abort.signal, limit, effects: ofRun });
    if (running.get(key) !== abort) return undefined;
    const earlier = earlierOf(before, call, answer);
    const outcome = { state: 'answered', call, answer, ...timing(), earlier } as const;
    setOutcome(key, outcome);
    note(call, { ok: true, summary: summaryOf(answer, call) }, answer.requestId, answer.result, timing());
    if (!ofRun) {
      const action = isEdit ? ({ kind: 'edit' } as const) : ({ kind: 'call', request: call.request } as const);
      await refreshWritten(client, writesOf(outcome), { action, fork: call.fork });
    }
    return outcome;
  } catch (thrown) {
    await whileStaying();
    if (running.get(key) !== abort) return undefined;
    const error = abort.signal.aborted ? new NoResponseError(call, 'Cancelled before the response.') : thrown;
    const outcome = { state: 'failed', call, error, ...timing() } as const;
    setOutcome(key, outcome);
    note(call, resultOfFailure(error), failureOf(error)?.requestId ?? '', undefined, timing());
    return outcome;
  } finally {
    ended();
    if (running.get(key) === abort) {
      running.delete(key);
      if (left.delete(key)) setOutcome(key, undefined);
    }
  }
}

void takeInterrupted().then((calls) => {
  for (const { call, at } of calls) {
    const error = new NoResponseError(call, 'The page was closed before the response.');
    note(call, resultOfFailure(error), '', undefined, { durationMs: 0, at });
  }
});

/** Sends a call again on another fork. Its outcome replaces this one, wherever that is shown. */
export async function repeatOn(client: QueryClient, outcome: EndedCall, fork: string): Promise<void> {
  const key = Object.entries(callOutcomes.get()).find(([, each]) => each === outcome)?.[0];
  if (key !== undefined) await runCall(client, key, { ...outcome.call, fork }, false);
}

/** Stops waiting for the response. A write may still take effect. */
export function cancelCall(key: string): void {
  running.get(key)?.abort();
}

/** Called when the panel of the call closes: cancels a read or a dry run, and lets a write finish. */
export function leaveCall(key: string): void {
  const outcome = callOutcomes.get()[key];
  if (outcome?.state === 'running' && isWriting(outcome.call)) {
    left.add(key);
    return;
  }
  for (const under of [running, refreshing]) {
    under.get(key)?.abort();
    under.delete(key);
  }
  setOutcome(key, undefined);
}

/** Saves an edit whose outcome is not shown in its own place. Resolves to `left` if that place was closed meanwhile. */
export async function saveCall(client: QueryClient, key: string, call: SentCall): Promise<'saved' | 'left' | 'failed'> {
  const outcome = await runCall(client, key, call, false, { isEdit: true });
  if (outcome?.state !== 'answered') return 'failed';
  const isShown = callOutcomes.get()[key] === outcome;
  if (isShown) setOutcome(key, undefined);
  return isShown ? 'saved' : 'left';
}

/** The page that is being read after the rows of a response, or the error of reading it. */
export interface MoreRows {
  readonly response: CallResponse;
  readonly error?: unknown;
}

/** By key. Ignored once another response has replaced `behind`. */
export const moreRows = createStore<Readonly<Record<string, MoreRows>>>({});

export async function loadMore(key: string): Promise<void> {
  const outcome = callOutcomes.get()[key];
  if (outcome?.state !== 'answered' || outcome.answer.nextCursor === undefined) return;
  const { call, answer } = outcome;
  const before = moreRows.get()[key];
  if (before?.response === answer && before.error === undefined) return;
  const tell = (more: MoreRows): void => moreRows.update((all) => ({ ...all, [key]: more }));
  tell({ response: answer });
  try {
    const page = await sendCall(call, { limit: PAGE_ROWS, page: answer.nextCursor });
    if (callOutcomes.get()[key] !== outcome) return;
    setOutcome(key, { ...outcome, answer: withNextPage(answer, page) });
  } catch (error) {
    if (callOutcomes.get()[key] === outcome) tell({ response: answer, error });
  }
}

/**
 * Sends a finished read again at the page's place, for as many rows as are shown, and replaces its outcome. Leaves a running call
 * alone, and one that was sent meanwhile; cancels an earlier refresh.
 */
export async function refreshCall(key: string): Promise<void> {
  const outcome = callOutcomes.get()[key];
  if (outcome === undefined || outcome.state === 'running' || isWrite(outcome.call.request)) return;
  const call = atMoment({ ...outcome.call, context: sentContext(), fork: currentFork.get() });
  const shown = outcome.state === 'answered' ? outcome.answer : undefined;
  const rows = Array.isArray(shown?.result) ? shown.result.length : 0;
  const paged = shown === undefined || Array.isArray(shown.result);
  const startedAt = performance.now();
  const timing = () => ({ durationMs: performance.now() - startedAt, at: Date.now() });
  const abort = new AbortController();
  const { signal } = abort;
  refreshing.get(key)?.abort();
  refreshing.set(key, abort);
  const replace = (next: CallOutcome): void => {
    // loadMore may have added rows to the outcome of the same call.
    if (refreshing.get(key) === abort && callOutcomes.get()[key]?.call === outcome.call) setOutcome(key, next);
  };
  try {
    let answer = await sendCall(call, { signal, limit: paged ? PAGE_ROWS : undefined });
    while (answer.nextCursor !== undefined && lengthOf(answer.result) < rows) {
      answer = withNextPage(answer, await sendCall(call, { signal, limit: PAGE_ROWS, page: answer.nextCursor }));
    }
    replace({ state: 'answered', call, answer, ...timing(), earlier: earlierOf(outcome, call, answer) });
  } catch (error) {
    if (!signal.aborted) replace({ state: 'failed', call, error, ...timing() });
  } finally {
    if (refreshing.get(key) === abort) refreshing.delete(key);
  }
}

/** Compares the rows only if the call and its place are the same. */
function earlierOf(before: CallOutcome | undefined, call: SentCall, answer: CallResponse): EarlierRows | undefined {
  if (before?.state !== 'answered' || questionOf(before.call) !== questionOf(call)) return undefined;
  const [old, now] = [before.answer.result, answer.result];
  if (!Array.isArray(old) || !Array.isArray(now)) return undefined;
  const isCut = (of: CallResponse): boolean => of.nextCursor !== undefined;
  const { at, earlier } = before;
  return earlierRows({ rows: old, at, isCut: isCut(before.answer), earlier }, { rows: now, isCut: isCut(answer) });
}

/** The transaction that a call wrote, which all steps of a batch share. Empty if it wrote none. */
export function writesOf(outcome: EndedCall): readonly OwnWrite[] {
  if (outcome.state === 'failed' || !isWriting(outcome.call)) return [];
  const { written, steps = [] } = outcome.answer;
  const parts = written === undefined ? steps : [written];
  const txn = parts.find((part) => typeof part.txn === 'number')?.txn ?? null;
  return [{ txn, events: parts.flatMap(({ events = [] }) => events), context: outcome.call.context }];
}

/** One line for lists. Without the words "Dry run", which would match the button of that name. */
function summaryOf({ result, nextCursor, written, steps }: CallResponse, { dryRun }: SentCall): string {
  if (steps !== undefined) return `${dryRun ? 'tried: ' : ''}${counted(steps.length, 'step')}`;
  if (written !== undefined) {
    const changes = counted(writtenItems(written.events).length, 'change');
    return dryRun ? `tried: ${changes}` : changes;
  }
  if (Array.isArray(result))
    return `${counted(result.length, 'row')}${nextCursor === undefined ? '' : ', more follow'}`;
  const text = resultText(result);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function resultOfFailure(error: unknown): CallResult {
  const failure = failureOf(error);
  if (failure !== undefined) return { ok: false, code: failure.code, message: failure.message };
  return { ok: false, code: 'no response', message: error instanceof Error ? error.message : String(error) };
}

function note(
  call: SentCall,
  outcome: CallResult,
  requestId: string,
  result: JsonValue | undefined,
  timing: { readonly durationMs: number; readonly at: number },
): void {
  void recordCall({ ...call, ...timing, outcome, requestId, ...(result !== undefined && { result }) });
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function lengthOf(result: JsonValue): number {
  return Array.isArray(result) ? result.length : 0;
}

function atMoment({ asOf: _before, ...call }: SentCall): SentCall {
  const asOf = currentMoment.get();
  return asOf === undefined ? call : { ...call, asOf };
}

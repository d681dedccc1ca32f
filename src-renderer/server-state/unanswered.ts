/**
 * Calls whose answers nobody waits for any more: given up by whoever made them, or cut off as the page was left. Those under way
 * are kept by the browser, so that a reload or a crash does not keep them from the history.
 */

import { isWrite, type SentCall } from '../model/calls/calls.js';
import { isGone, ownPage } from '../state/own-page.js';
import { storedJson, storeText } from '../state/page-storage.js';

interface WaitingCall {
  readonly call: SentCall;
  readonly at: number;
}

const KEY = 'entail.calls.under-way';

/** What is typed shares the storage with them, and must find room. */
const KEPT_CHARACTERS_MAX = 256 * 1024;

/** Stands in the place of an answer. */
export class Unanswered extends Error {
  constructor({ request, dryRun }: SentCall, words: string) {
    super(isWrite(request) && !dryRun ? `${words} It may have taken effect all the same: the log tells.` : words);
  }
}

let waiting: readonly WaitingCall[] = [];

/**
 * Waits for the page to go on. As it is left the browser first ends what it waits for, which looks like a server that is gone; no
 * further task of the page begins then.
 */
export function whileStaying(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** Says that the call is under way; what comes back says that it has come to its end. */
export function waitingFor(call: SentCall): () => void {
  const own: WaitingCall = { call, at: Date.now() };
  keep([...waiting, own]);
  return () => keep(waiting.filter((each) => each !== own));
}

/**
 * The calls that were under way as the page was left; once. None of a page that is there still: a tab that was made as a copy of it
 * has what it keeps.
 */
export async function takeCutOff(): Promise<readonly WaitingCall[]> {
  const kept = storedJson('sessionStorage', KEY) as { readonly page?: unknown; readonly calls?: unknown } | undefined;
  storeText('sessionStorage', KEY, null);
  const calls = Array.isArray(kept?.calls) ? kept.calls.filter(isWaitingCall) : [];
  return calls.length > 0 && (await isGone(String(kept?.page))) !== false ? calls : [];
}

function keep(calls: readonly WaitingCall[]): void {
  waiting = calls;
  const text = JSON.stringify({ page: ownPage, calls });
  storeText('sessionStorage', KEY, calls.length === 0 || text.length > KEPT_CHARACTERS_MAX ? null : text);
}

function isWaitingCall(value: unknown): value is WaitingCall {
  const { at, call } = (value ?? {}) as Partial<WaitingCall>;
  return typeof at === 'number' && typeof call?.request?.kind === 'string' && typeof call.context === 'object';
}

/**
 * Calls without a response: cancelled, or cut off when the page was closed. The browser keeps the running calls, so that the history
 * lists them after a reload or a crash.
 */

import { isWrite, type SentCall } from '../model/calls/calls.js';
import { isGone, ownPage } from '../state/own-page.js';
import { storedJson, storeText } from '../state/page-storage.js';

interface WaitingCall {
  readonly call: SentCall;
  readonly at: number;
}

const KEY = 'entail.calls.under-way';

/** Running calls share the storage of the tab with drafts, which must find room. */
const KEPT_CHARACTERS_MAX = 256 * 1024;

/** The error of a call that got no response. */
export class Unanswered extends Error {
  constructor({ request, dryRun }: SentCall, words: string) {
    super(isWrite(request) && !dryRun ? `${words} It may have taken effect: see the log.` : words);
  }
}

let waiting: readonly WaitingCall[] = [];

/**
 * Waits for the next task, which never comes if the page is being closed. The browser then fails open requests first, which would
 * look like a lost server.
 */
export function whileStaying(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** Notes that the call is running. The returned function notes its end. */
export function waitingFor(call: SentCall): () => void {
  const own: WaitingCall = { call, at: Date.now() };
  keep([...waiting, own]);
  return () => keep(waiting.filter((each) => each !== own));
}

/** Takes the calls that a closed page left running. A copied tab has the storage of a page that is still open: it takes none. */
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

/**
 * Calls without a response: cancelled, or cut off when the page was closed. The browser keeps the running calls, so that the history
 * lists them after a reload or a crash.
 */

import { isWrite, type SentCall } from '../model/calls/calls.js';
import { isClosed, ownPage } from '../state/own-page.js';
import { storedJson, storeText } from '../state/page-storage.js';

interface RunningCall {
  readonly call: SentCall;
  readonly at: number;
}

const KEY = 'entail.calls.under-way';

/** Running calls share the storage of the tab with drafts, which must have space. */
const STORED_CHARACTERS_MAX = 256 * 1024;

/** The error of a call that got no response. */
export class NoResponseError extends Error {
  constructor({ request, dryRun }: SentCall, words: string) {
    super(isWrite(request) && !dryRun ? `${words} It may have taken effect: see the log.` : words);
  }
}

let waiting: readonly RunningCall[] = [];

/**
 * Resolves in the next task, which never runs if the page is being closed. A closing page first fails its open requests, which
 * would look like a lost server.
 */
export function whileStaying(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** Notes that the call is running. The returned function notes its end. */
export function noteRunning(call: SentCall): () => void {
  const own: RunningCall = { call, at: Date.now() };
  keep([...waiting, own]);
  return () => keep(waiting.filter((each) => each !== own));
}

/** Takes the calls that a closed page left running. A copied tab has the storage of a page that is still open: it takes none. */
export async function takeInterrupted(): Promise<readonly RunningCall[]> {
  const kept = storedJson('sessionStorage', KEY) as { readonly page?: unknown; readonly calls?: unknown } | undefined;
  storeText('sessionStorage', KEY, null);
  const calls = Array.isArray(kept?.calls) ? kept.calls.filter(isRunningCall) : [];
  return calls.length > 0 && (await isClosed(String(kept?.page))) !== false ? calls : [];
}

function keep(calls: readonly RunningCall[]): void {
  waiting = calls;
  const text = JSON.stringify({ page: ownPage, calls });
  storeText('sessionStorage', KEY, calls.length === 0 || text.length > STORED_CHARACTERS_MAX ? null : text);
}

function isRunningCall(value: unknown): value is RunningCall {
  const { at, call } = (value ?? {}) as Partial<RunningCall>;
  return typeof at === 'number' && typeof call?.request?.kind === 'string' && typeof call.context === 'object';
}

/**
 * Which requests of the log are meant: the server lists by it, and the page shows by it what it has already been told.
 * Apart from the schemas, so that a page need not load them for it.
 */

import { folded } from '../base/folded.js';
import type { RequestFilter, RequestSummary } from './schemas/request-log.js';

/** What the page of the workbench calls itself in x-entail-client. */
export const WORKBENCH_CLIENT = 'workbench';

type Asked = Pick<RequestSummary, 'method' | 'path' | 'status'> & { readonly client?: string | undefined };

/** What the workbench asks to show itself, over and over; where it fails it is news. */
export function isOwnReading({ client, method, path, status }: Asked): boolean {
  if (client !== WORKBENCH_CLIENT) return false;
  // The page tries again what was refused, to show its proof. It is refused again as a matter of course.
  if (EXPLAINED_TRIAL.test(path) && !CALL_WITH_EFFECTS.test(path)) return true;
  if (status >= 400) return false;
  return method === 'GET' || path === '/v1/explain';
}

const EXPLAINED_TRIAL = /\?(?=.*\bdryRun=true\b).*\bexplain=true\b/;
/** The dry run of a call that the user started: only that asks for effects. */
const CALL_WITH_EFFECTS = /\/(dispatch\/mutation|mutation\/adhoc|batch)\?.*\beffects=true\b/;

export function matchesRequest(request: RequestSummary, filter: RequestFilter): boolean {
  const { status, code, method, text, fork, tenant, client, notClient } = filter;
  if (status !== undefined && !matchesStatus(request.status, status)) return false;
  if (code !== undefined && request.code !== code) return false;
  if (method !== undefined && request.method !== method.toUpperCase()) return false;
  if (fork !== undefined && request.fork !== fork) return false;
  if (tenant !== undefined && request.tenant !== tenant) return false;
  if (client !== undefined && request.client !== client) return false;
  if (notClient !== undefined && request.client === notClient) return false;
  return text === undefined || hasWords(textsOf(request), text);
}

/** What a request is found by. */
export function textsOf({
  path,
  subject = '',
  requestId,
  client = '',
}: Pick<RequestSummary, 'path' | 'subject' | 'requestId' | 'client'>): string[] {
  return [path, subject, requestId, client];
}

/** Whether each word is in one of the texts, in whatever case, and none that has a `-` before it. */
export function hasWords(texts: readonly string[], words: string): boolean {
  const lower = texts.map(folded);
  const isThere = (word: string): boolean => lower.some((text) => text.includes(word));
  return folded(words)
    .split(/\s+/)
    .every((word) => (word.length > 1 && word.startsWith('-') ? !isThere(word.slice(1)) : isThere(word)));
}

function matchesStatus(status: number, wanted: string): boolean {
  return wanted.endsWith('xx') ? String(status).startsWith(wanted.slice(0, 1)) : String(status) === wanted;
}

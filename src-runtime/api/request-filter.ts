/**
 * Filters requests of the log: the server for lists, and the page for requests that it already has. Separate from the schemas, so that the
 * page need not load them.
 */

import { folded } from '../base/folded.js';
import type { RequestFilter, RequestSummary } from './schemas/request-log.js';

/** The page's name in x-entail-client. */
export const WORKBENCH_CLIENT = 'workbench';

type Asked = Pick<RequestSummary, 'method' | 'path' | 'status'> & { readonly client?: string | undefined };

/** A routine read of the workbench. If it fails, it is worth listing. */
export function isOwnReading({ client, method, path, status }: Asked): boolean {
  if (client !== WORKBENCH_CLIENT) return false;
  // The page repeats a refused call to show its proof. The repetition is refused again, as expected.
  if (EXPLAINED_TRIAL.test(path) && !CALL_WITH_EFFECTS.test(path)) return true;
  if (status >= 400) return false;
  return method === 'GET' || path === '/v1/explain' || path === '/v1/live';
}

const EXPLAINED_TRIAL = /\?(?=.*\bdryRun=true\b).*\bexplain=true\b/;
/** A dry run that the user started: only that requests effects. */
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

/** The texts that a request can be found by. */
export function textsOf({
  path,
  subject = '',
  requestId,
  client = '',
}: Pick<RequestSummary, 'path' | 'subject' | 'requestId' | 'client'>): string[] {
  return [path, subject, requestId, client];
}

/** Whether each word occurs in one of the texts, ignoring case, and no word with a leading `-` does. */
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

/** The known requests of the log, and how updates are merged. */

import { isOwnReading } from '../../../../src-runtime/api/request-filter.js';
import type { RequestLogState, RequestSummary } from '../../../../src-runtime/api/schemas/request-log.js';

export interface Feed {
  /** Undefined before the first response. Nothing up to `lastSeq` is missing. */
  readonly log: RequestLogState | undefined;
  /** Newest first. */
  readonly rows: readonly RequestSummary[];
}

/** Merges the response to a request for everything after `lastSeq`. */
export function withNews(before: Feed, log: RequestLogState, news: readonly RequestSummary[]): Feed {
  if (before.log?.lastSeq === log.lastSeq && news.length === 0) return before;
  // Requests that ended in the meantime are fetched next time.
  const lastSeq = Math.max(before.log?.lastSeq ?? 0, ...news.map(({ seq }) => seq));
  return { log: { ...log, lastSeq }, rows: joined(before.rows, news, log.requestsMax) };
}

/** Merges streamed requests. Earlier ones may be missing, so `lastSeq` stays. */
export function withStreamed(before: Feed, streamed: readonly RequestSummary[]): Feed {
  if (before.log === undefined || streamed.length === 0) return before;
  return { ...before, rows: joined(before.rows, streamed, before.log.requestsMax) };
}

/** Sorts, removes duplicates, and drops what the server no longer keeps. */
function joined(
  before: readonly RequestSummary[],
  more: readonly RequestSummary[],
  rowsMax: number,
): readonly RequestSummary[] {
  const bySeq = new Map([...before, ...more].map((row) => [row.seq, row]));
  const rows = [...bySeq.values()].sort((left, right) => right.seq - left.seq);
  const readAgain = new Set<string>();
  const kept = rows.filter((row) => {
    if (!isOwnReading(row)) return true;
    const isLast = !readAgain.has(row.path);
    readAgain.add(row.path);
    return isLast;
  });
  return kept.slice(0, rowsMax);
}

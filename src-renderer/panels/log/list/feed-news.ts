/** What the page has been told of the log, and how news joins it. */

import { isOwnReading } from '../../../../src-runtime/api/request-filter.js';
import type { RequestLogState, RequestSummary } from '../../../../src-runtime/api/schemas/request-log.js';

export interface Feed {
  /** Undefined before the first answer. `lastSeq` is how far the page has asked: nothing below it is missing. */
  readonly log: RequestLogState | undefined;
  /** Newest first. */
  readonly rows: readonly RequestSummary[];
}

/** Joins what the server answered to the question what came after `lastSeq`. */
export function withNews(before: Feed, log: RequestLogState, news: readonly RequestSummary[]): Feed {
  if (before.log?.lastSeq === log.lastSeq && news.length === 0) return before;
  // What ended while the page was asking is asked for the next time.
  const lastSeq = Math.max(before.log?.lastSeq ?? 0, ...news.map(({ seq }) => seq));
  return { log: { ...log, lastSeq }, rows: joined(before.rows, news, log.requestsMax) };
}

/** Joins what was told as it ended. Before it something may be missing yet, so that the page has not asked any further. */
export function withTold(before: Feed, told: readonly RequestSummary[]): Feed {
  if (before.log === undefined || told.length === 0) return before;
  return { ...before, rows: joined(before.rows, told, before.log.requestsMax) };
}

/** In whatever order they come, and though they may come twice: each once. What the server drops for a newer one is dropped here. */
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

/** What the page has been told of the log, and how news joins it. */

import { isOwnReading } from '../../src-runtime/api/request-filter.js';
import type { RequestLogState, RequestSummary } from '../../src-runtime/api/request-log.js';

export interface Feed {
  /** Undefined before the first answer. */
  readonly log: RequestLogState | undefined;
  readonly rows: readonly RequestSummary[];
}

/** Rows may come twice where a request ended between two pages. What the server has dropped for a newer one is dropped here. */
export function withNews(before: Feed, log: RequestLogState, news: readonly RequestSummary[]): Feed {
  if (before.log?.lastSeq === log.lastSeq && news.length === 0) return before;
  const newest = before.rows[0]?.seq ?? 0;
  const unseen = news.filter(({ seq }) => seq > newest);
  const readAgain = new Set(unseen.filter(isOwnReading).map(({ path }) => path));
  const still = before.rows.filter((row) => !(isOwnReading(row) && readAgain.has(row.path)));
  const lastSeq = unseen[0]?.seq ?? before.log?.lastSeq ?? 0;
  return { log: { ...log, lastSeq }, rows: [...unseen, ...still].slice(0, log.requestsMax) };
}

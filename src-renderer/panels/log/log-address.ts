/** What the Log panel shows as its address says it: the chosen request, the one it is compared with, and the filters. */

import { isOwnReading, matchesRequest } from '../../../src-runtime/api/request-filter.js';
import type { RequestFilter, RequestSummary } from '../../../src-runtime/api/schemas/request-log.js';

export interface LogView {
  readonly request: string | undefined;
  /** The request that it is compared with, the empty text while that is still to be chosen. */
  readonly with: string | undefined;
  /** That the request is being changed, to be sent again. */
  readonly isChanging: boolean;
  /** A code to read about, the empty text for all codes. */
  readonly codes: string | undefined;
  readonly filter: RequestFilter;
  /** Also what the page reads by itself to show itself. */
  readonly own: boolean;
  readonly order: RequestOrder;
  /** What is typed is looked for in what was sent and answered too. */
  readonly bodies: boolean;
}

/** The newest first, or those first that took longest or answered most. */
export type RequestOrder = 'new' | 'slow' | 'large';

/** In an address `fork` switches the page's fork, so the filter has a name of its own. */
const FORK_FILTER = 'on';

export function readAddress(search: URLSearchParams): LogView {
  const given = (name: string): string | undefined => search.get(name) || undefined;
  const filter: Record<string, string> = {};
  for (const name of ['status', 'code', 'method', 'tenant', 'text'] as const) {
    const value = given(name);
    if (value !== undefined) filter[name] = value;
  }
  const fork = given(FORK_FILTER);
  return {
    request: given('request'),
    with: given('request') === undefined ? undefined : (search.get('with') ?? undefined),
    // Of the request that it names alone: whoever chooses another one wants to see that.
    isChanging: given('request') !== undefined && given('changes') === given('request'),
    codes: search.get('codes') ?? undefined,
    filter: { ...filter, ...(fork !== undefined && { fork }) },
    own: search.get('own') === 'shown',
    order: orderOf(search.get('order')),
    bodies: search.has('bodies'),
  };
}

function orderOf(text: string | null): RequestOrder {
  return text === 'slow' || text === 'large' ? text : 'new';
}

const MEANT_WHEN_EMPTY: ReadonlySet<string> = new Set(['with', 'codes']);

/** The address with some of it changed; undefined takes a part out. */
export function changedAddress(
  search: URLSearchParams,
  change: {
    readonly [name in 'request' | 'with' | 'changes' | 'codes' | 'own' | 'order' | 'bodies' | keyof RequestFilter]?:
      | string
      | undefined;
  },
): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    const parameter = name === 'fork' ? FORK_FILTER : name;
    if (value === undefined || (value === '' && !MEANT_WHEN_EMPTY.has(name))) next.delete(parameter);
    else next.set(parameter, value);
  }
  return next;
}

export function isFiltered({ filter }: LogView): boolean {
  return Object.keys(filter).length > 0;
}

/** `found` are the ids of those that have the text of the filter in their bodies too, where it is looked for there. */
export function shownRequests(
  rows: readonly RequestSummary[],
  { filter, own }: LogView,
  found?: ReadonlySet<string>,
): RequestSummary[] {
  const { text, ...others } = filter;
  const wanted = found === undefined ? filter : others;
  return rows.filter(
    (row) =>
      (own || !isOwnReading(row)) && matchesRequest(row, wanted) && (found === undefined || found.has(row.requestId)),
  );
}

/** They come newest first, and stay so where they are alike. */
export function orderedRequests(rows: readonly RequestSummary[], order: RequestOrder): readonly RequestSummary[] {
  if (order === 'new') return rows;
  return rows.toSorted((left, right) => (order === 'slow' ? right.ms - left.ms : right.bytes - left.bytes));
}

/** State of the Log panel in the address: selection, comparison and filters. */

import { isOwnReading, matchesRequest } from '../../../src-runtime/api/request-filter.js';
import type { RequestFilter, RequestSummary } from '../../../src-runtime/api/schemas/request-log.js';

export interface LogView {
  readonly request: string | undefined;
  /** The second request of a comparison; empty until selected. */
  readonly with: string | undefined;
  /** The request is being edited. */
  readonly isChanging: boolean;
  /** The shown error code; empty for all. */
  readonly codes: string | undefined;
  readonly filter: RequestFilter;
  /** Includes requests of the workbench. */
  readonly own: boolean;
  readonly order: RequestOrder;
  /** Whether bodies are searched. */
  readonly bodies: boolean;
}

/** Sort order: newest, slowest or largest first. */
export type RequestOrder = 'new' | 'slow' | 'large';

/** `fork` in an address switches the fork of the page, so the filter has another name. */
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
    // Applies to this request only: selecting another one clears it.
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

/** Changes some parameters; undefined removes one. */
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

/** `found` are the ids of matches in bodies, if bodies are searched. */
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

/** Stable sort of a list that is newest first. */
export function orderedRequests(rows: readonly RequestSummary[], order: RequestOrder): readonly RequestSummary[] {
  if (order === 'new') return rows;
  return rows.toSorted((left, right) => (order === 'slow' ? right.ms - left.ms : right.bytes - left.bytes));
}

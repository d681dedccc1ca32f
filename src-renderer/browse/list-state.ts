/** What list is shown, in which order and how narrowed, as the address says it. */

import {
  FILTER_OPERATORS,
  type FilterOperator,
  type JsonValue,
  type ListFilter,
} from '../../src-runtime/api/schemas.js';

export interface ListState {
  readonly path: string | undefined;
  readonly individual: string | undefined;
  /** A column, with a `-` before it downward. */
  readonly sort: string | undefined;
  readonly filters: readonly ListFilter[];
  /** Text that any column has. */
  readonly find: string;
}

export function readListState(search: URLSearchParams): ListState {
  return {
    path: search.get('path') ?? undefined,
    individual: search.get('individual') ?? undefined,
    sort: search.get('sort') ?? undefined,
    filters: readFilters(search.get('filter')),
    find: search.get('find') ?? '',
  };
}

/** The address of this state; what is empty does not stand in it. */
export function listLocation({ path, individual, sort, filters, find }: ListState): string {
  const search = new URLSearchParams();
  if (path !== undefined) search.set('path', path);
  if (sort !== undefined) search.set('sort', sort);
  if (filters.length > 0) search.set('filter', JSON.stringify(filters));
  if (find !== '') search.set('find', find);
  if (individual !== undefined) search.set('individual', individual);
  const text = search.toString();
  return text === '' ? '/data' : `/data?${text}`;
}

/** What the server is asked for. */
export function wishOf({ sort, filters, find }: ListState): { sort: string[]; filter: ListFilter[] } {
  const wanted = find.trim();
  return {
    sort: sort === undefined ? [] : [sort],
    filter: [...filters, ...(wanted === '' ? [] : [['*', 'contains', wanted] as ListFilter])],
  };
}

/** Upward, downward, and back to the list's own order. */
export function nextSort(column: string, current: string | undefined): string | undefined {
  if (current === column) return `-${column}`;
  return current === `-${column}` ? undefined : column;
}

function readFilters(text: string | null): ListFilter[] {
  if (text === null) return [];
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? read.filter(isFilter) : [];
  } catch {
    return [];
  }
}

function isFilter(value: unknown): value is ListFilter {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [column, operator] = value as readonly JsonValue[];
  return typeof column === 'string' && FILTER_OPERATORS.includes(operator as FilterOperator);
}

/** The list, sort order and filters in the URL. */

import {
  FILTER_OPERATORS,
  type FilterOperator,
  type JsonValue,
  type ListCondition,
  type ListFilter,
} from '../../../../src-runtime/api/schemas/schemas.js';
import { jsonOf } from '../../../state/page-storage.js';

export interface ListState {
  readonly path: string | undefined;
  readonly individual: string | undefined;
  /** The tuple of the list that is open beside it, if no individual is. */
  readonly fact?: readonly JsonValue[] | undefined;
  /** Columns separated by commas, in order of priority; a leading `-` means descending. */
  readonly sort: string | undefined;
  readonly filters: readonly ListCondition[];
  /** Text to find in any column. */
  readonly find: string;
}

export function readListState(search: URLSearchParams): ListState {
  return {
    path: search.get('path') ?? undefined,
    individual: search.get('individual') ?? undefined,
    fact: readFact(search.get('fact')),
    sort: search.get('sort') ?? undefined,
    filters: readFilters(search.get('filter')),
    find: search.get('find') ?? '',
  };
}

/** The URL of this state, without empty parameters. */
export function listLocation({ path, individual, fact, sort, filters, find }: ListState): string {
  const search = new URLSearchParams();
  if (path !== undefined) search.set('path', path);
  if (sort !== undefined) search.set('sort', sort);
  if (filters.length > 0) search.set('filter', JSON.stringify(filters));
  if (find !== '') search.set('find', find);
  if (individual !== undefined) search.set('individual', individual);
  else if (fact !== undefined) search.set('fact', JSON.stringify(fact));
  const text = search.toString();
  return text === '' ? '/data' : `/data?${text}`;
}

/** The request. */
export function listRequest({ sort, filters, find }: ListState): { sort: string[]; filter: ListCondition[] } {
  const wanted = find.trim();
  return {
    sort: sortKeys(sort),
    filter: [...filters, ...(wanted === '' ? [] : [['*', 'contains', wanted] satisfies ListFilter])],
  };
}

export function sortKeys(sort: string | undefined): string[] {
  return sort === undefined ? [] : sort.split(',');
}

/** The maximum of the server. */
const SORT_MAX = 8;

/** Cycles this column: ascending, descending, unsorted. With `adds`, after the existing sort columns. */
export function nextSort(column: string, current: string | undefined, adds = false): string | undefined {
  const keys = sortKeys(current);
  const known = keys.find((key) => key === column || key === `-${column}`);
  const next = known === undefined ? column : known === column ? `-${column}` : undefined;
  if (!adds) return keys.length > 1 ? column : next;
  const others = keys.flatMap((key) => (key === known ? (next ?? []) : key));
  const all = known === undefined ? [...others.slice(0, SORT_MAX - 1), column] : others;
  return all.length === 0 ? undefined : all.join(',');
}

function readFact(text: string | null): readonly JsonValue[] | undefined {
  const read = jsonOf(text ?? '');
  return Array.isArray(read) ? read : undefined;
}

function readFilters(text: string | null): ListCondition[] {
  const read = jsonOf(text ?? '');
  return Array.isArray(read) ? read.filter(isCondition) : [];
}

function isCondition(value: unknown): value is ListCondition {
  if (isFilter(value)) return true;
  const { any, ...others } = (value ?? {}) as Partial<Record<string, unknown>>;
  return Array.isArray(any) && any.length > 0 && any.every(isFilter) && Object.keys(others).length === 0;
}

function isFilter(value: unknown): value is ListFilter {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [column, operator] = value as readonly JsonValue[];
  return typeof column === 'string' && FILTER_OPERATORS.includes(operator as FilterOperator);
}

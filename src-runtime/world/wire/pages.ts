/** Pages of lists: sorts by a total order, and enforces the row cap or cuts pages by cursors with the last row's key. */

import { ApiError } from '../../api/errors.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Type } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import {
  comparison,
  drive,
  fromWire,
  type Program,
  sorted,
  toWire,
  type Value,
  type WireEnvironment,
} from '../../engine/index.js';
import type { PageRequest } from '../state/cursor.js';

/** One column of a sort key. Missing values sort last in both directions. */
export interface KeyColumn {
  readonly type: Type;
  readonly descending: boolean;
}

export interface Sortable<T> {
  readonly key: readonly Value[];
  readonly row: T;
}

/** Throws RESULT_TOO_LARGE if a read without paging exceeds the row cap. */
export function enforceRowCap(rows: number, { paging, rowsMax }: PageRequest): void {
  if (paging.limit === undefined && paging.page === undefined && rows > rowsMax) {
    throw new ApiError(
      'SVC_RUNTIME_RESULT_TOO_LARGE',
      `The result has more than ${rowsMax} rows; narrow the request, or page it with "?limit=${Math.min(1000, rowsMax)}".`,
      { rowsMax },
    );
  }
}

/** Throws INVALID_CURSOR for a cursor of another request, before anything is evaluated. */
export function requireOwnCursor(request: PageRequest): void {
  const { page } = request.paging;
  if (page !== undefined) request.cursors.read(request.request, page);
}

interface ListedPage<T> {
  readonly rows: readonly T[];
  readonly nextCursor?: string;
}

/** Sorts the rows and returns a page. The key must be a total order. */
export async function pageOf<T>(
  program: Program,
  columns: readonly KeyColumn[],
  rows: readonly Sortable<T>[],
  request: PageRequest,
  deadline: Deadline,
): Promise<ListedPage<T>> {
  enforceRowCap(rows.length, request);
  const compare = keyComparison(program, columns);
  const inOrder = await drive(
    sorted(rows, (left, right) => compare(left.key, right.key)),
    deadline,
  );
  return cutPage(program, columns, inOrder, request);
}

/** Cuts a page out of sorted rows. */
export function cutPage<T>(
  program: Program,
  columns: readonly KeyColumn[],
  inOrder: readonly Sortable<T>[],
  request: PageRequest,
): ListedPage<T> {
  const { paging, cursors } = request;
  enforceRowCap(inOrder.length, request);
  const start = paging.page === undefined ? 0 : startAfter(program, columns, inOrder, request, paging.page);
  const limit = paging.limit ?? (paging.page === undefined ? inOrder.length : request.rowsMax);
  const end = Math.min(inOrder.length, start + limit);
  const last = inOrder[end - 1];
  const page = inOrder.slice(start, end).map(({ row }) => row);
  if (end >= inOrder.length || last === undefined || end === start) return { rows: page };
  const lastKey = columns.map(({ type }, index) => toWire(type, last.key[index] ?? null)) as JsonValue;
  return { rows: page, nextCursor: cursors.issue(request.request, lastKey) };
}

export type KeyComparison = (left: readonly Value[], right: readonly Value[]) => number;

/** Created once for many keys. */
export function keyComparison(program: Program, columns: readonly KeyColumn[]): KeyComparison {
  const comparisons = columns.map(({ type, descending }) => ({ compare: comparison(program, type), descending }));
  return (left, right) => {
    for (let index = 0; index < comparisons.length; index++) {
      const { compare, descending } = comparisons[index] as (typeof comparisons)[number];
      const a = left[index] ?? null;
      const b = right[index] ?? null;
      const order = compare(a, b);
      if (order !== 0) return descending && a !== null && b !== null ? -order : order;
    }
    return 0;
  };
}

function startAfter<T>(
  program: Program,
  columns: readonly KeyColumn[],
  inOrder: readonly Sortable<T>[],
  request: PageRequest,
  page: string,
): number {
  const compare = keyComparison(program, columns);
  const after = cursorKey(program, columns, request, page);
  let low = 0;
  let high = inOrder.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare((inOrder[middle] as Sortable<T>).key, after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The key of the previous page's last row. Throws INVALID_CURSOR. */
export function cursorKey(
  program: Program,
  columns: readonly KeyColumn[],
  { cursors, request }: Pick<PageRequest, 'cursors' | 'request'>,
  page: string,
): readonly Value[] {
  const wire = cursors.read(request, page);
  const environment: WireEnvironment = { program, resolveIndividual: (id) => ({ id }) };
  return columns.map(({ type }, index) => {
    const optional: Type = { kind: 'optional', of: type };
    const read = fromWire(optional, Array.isArray(wire) ? wire[index] : undefined, environment);
    if (!read.ok) {
      throw new ApiError(
        'SVC_RUNTIME_INVALID_CURSOR',
        'The cursor in "page" belongs to another module; start again without it.',
      );
    }
    return read.value;
  });
}

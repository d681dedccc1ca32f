/** Sorted and filtered lists, readable from any position. Cached by state, so that scrolling costs only the visible rows. */

import type { JsonValue, ListCondition } from '../../api/schemas/schemas.js';
import type { Deadline } from '../../base/ports.js';
import {
  drive,
  type PlacedColumn,
  placesByColumns,
  type RelationReader,
  type RowOrder,
  toWire,
  type Value,
  type View,
} from '../../engine/index.js';
import type { ListOptions } from '../contract/requests.js';
import type { PageRequest } from '../state/cursor.js';
import { type Column, columnOf, type ListShape } from './columns.js';
import { acceptedPlaces, type Condition, readCondition } from './filters.js';
import { orderOf } from './orders.js';
import { cursorKey, enforceRowCap, type KeyColumn, keyComparison } from './pages.js';

export interface Arrangement {
  readonly size: number;
  at(index: number): number[];
  /** The codes of the rows from one index to another, row by row. */
  codesOf(from: number, to: number): Int32Array;
  /** The key of a cursor: the values that the row is sorted by, then the row. */
  keyAt(index: number): Value[];
  readonly keyColumns: readonly KeyColumn[];
}

interface SortColumn {
  readonly column: Column;
  readonly descending: boolean;
}

interface CachedArrangement {
  readonly key: string;
  readonly states: readonly object[];
  readonly places: Uint32Array;
}

/** By the state of the rows. */
const cache = new WeakMap<object, CachedArrangement[]>();

/** The most arrangements cached for one state, so that a user can switch between two lists. */
const CACHED_MAX = 4;

/** Sorts and filters the rows of the reader. Throws VALIDATION_FAILED for invalid options before it opens the reader. */
export async function arrange(
  view: View,
  open: () => Promise<RelationReader>,
  shape: ListShape,
  options: Pick<ListOptions, 'sort' | 'filter'>,
  deadline: Deadline,
): Promise<Arrangement> {
  const sorting = options.sort.map((text): SortColumn => {
    const descending = text.startsWith('-');
    return { column: columnOf(view, shape, descending ? text.slice(1) : text), descending };
  });
  const conditions: Condition[] = [];
  for (const filter of options.filter) conditions.push(await readCondition(view, shape, filter, deadline));
  const reader = await open();
  const order = await orderOf(view, reader, deadline);
  const isPlain = sorting.length === 0 && conditions.length === 0;
  const places = isPlain ? undefined : await placesOf(view, reader, order, { sorting, conditions }, options, deadline);
  const { interner } = view;
  const types = reader.info.endpoints.map(({ type }) => type);
  const at = (index: number): number[] => order.at(places === undefined ? index : (places[index] as number));
  return {
    size: places?.length ?? order.size,
    at,
    codesOf: (from, to) => codesAt(order, types.length, places, from, to),
    keyAt(index) {
      const row = at(index);
      const sorted = sorting.map(({ column }) => interner.decode(column.type, column.codeOf(row)));
      return [...sorted, ...types.map((type, position) => interner.decode(type, row[position] as number))];
    },
    keyColumns: [
      ...sorting.map(({ column, descending }) => ({ type: column.type, descending })),
      ...types.map((type) => ({ type, descending: false })),
    ],
  };
}

function codesAt(
  { codes }: RowOrder,
  arity: number,
  places: Uint32Array | undefined,
  from: number,
  to: number,
): Int32Array {
  if (places === undefined) return codes.subarray(from * arity, to * arity);
  const picked = new Int32Array((to - from) * arity);
  for (let index = from; index < to; index++) {
    const start = (places[index] as number) * arity;
    for (let column = 0; column < arity; column++) {
      picked[(index - from) * arity + column] = codes[start + column] as number;
    }
  }
  return picked;
}

export function* rowsOf({ size, at }: Arrangement): Generator<number[]> {
  for (let index = 0; index < size; index++) yield at(index);
}

async function placesOf(
  view: View,
  reader: RelationReader,
  order: RowOrder,
  { sorting, conditions }: { readonly sorting: readonly SortColumn[]; readonly conditions: readonly Condition[] },
  options: { readonly sort: readonly string[]; readonly filter: readonly ListCondition[] },
  deadline: Deadline,
): Promise<Uint32Array> {
  const key = JSON.stringify([options.sort, options.filter]);
  const states = [...sorting.flatMap(({ column }) => column.states), ...conditions.flatMap((each) => each.states)];
  const cached = cache.get(reader.state) ?? [];
  const isSame = (each: CachedArrangement): boolean =>
    each.key === key && each.states.every((state, index) => state === states[index]);
  const before = cached.find(isSame);
  if (before !== undefined) return before.places;
  const accepted = await acceptedPlaces(order, conditions, deadline);
  const columns: PlacedColumn[] = [];
  for (const { column, descending } of sorting) {
    const all = await column.allCodes(order, deadline);
    columns.push({
      type: column.type,
      descending,
      codes: accepted.length === all.length ? all : picked(all, accepted),
    });
  }
  const inOrder = await drive(placesByColumns(view, accepted.length, columns), deadline);
  const places = accepted.length === order.size ? inOrder : inOrder.map((index) => accepted[index] as number);
  cache.set(reader.state, [...cached.filter((each) => each.key !== key), { key, states, places }].slice(-CACHED_MAX));
  return places;
}

function picked(codes: Int32Array, places: Uint32Array): Int32Array {
  return Int32Array.from(places, (place) => codes[place] as number);
}

export interface ArrangedPage {
  readonly rows: readonly number[][];
  readonly nextCursor?: string;
  readonly total?: number;
}

/** Returns a page from an offset, after a cursor, or from the start. */
export async function pageOfArrangement(
  view: View,
  arrangement: Arrangement,
  options: Pick<ListOptions, 'offset' | 'total'>,
  request: PageRequest,
  deadline: Deadline,
): Promise<ArrangedPage> {
  const { paging, cursors } = request;
  const { size, keyColumns } = arrangement;
  const after = paging.page === undefined ? undefined : cursorKey(view.program, keyColumns, request, paging.page);
  const start = after === undefined ? Math.min(options.offset ?? 0, size) : countUpTo(view, arrangement, after);
  enforceRowCap(size - start, request);
  const end = Math.min(size, start + (paging.limit ?? request.rowsMax));
  const rows: number[][] = [];
  for (let index = start; index < end; index++) {
    rows.push(arrangement.at(index));
    if (rows.length % 1024 === 0) await deadline.checkpoint();
  }
  const total = options.total ? { total: size } : {};
  if (end >= size || end === start) return { rows, ...total };
  const last = arrangement.keyAt(end - 1);
  const lastKey = keyColumns.map(({ type }, index) => toWire(type, last[index] ?? null)) as JsonValue;
  return { rows, nextCursor: cursors.issue(request.request, lastKey), ...total };
}

/** How many rows sort at or before a key, which need not be a row. */
function countUpTo(view: View, { size, keyAt, keyColumns }: Arrangement, key: readonly Value[]): number {
  const compare = keyComparison(view.program, keyColumns);
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(keyAt(middle), key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

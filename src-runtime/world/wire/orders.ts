/**
 * Pages of facts in the language's order. An order is sorted once and updated from one state of its relation to the next; the cursor's key
 * finds the position again. So a page costs only its own rows.
 */

import { ApiError } from '../../api/errors.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Type } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import {
  BLOCK_ITEMS,
  changedOrder,
  drive,
  fromWire,
  orderRows,
  type Program,
  type RelationReader,
  type RowOrder,
  toWire,
  type Value,
  type View,
} from '../../engine/index.js';
import type { PageRequest } from '../state/cursor.js';
import { enforceRowCap } from './pages.js';

/** A part of a list: a relation, or some of its rows. Sections follow each other. */
export interface Section {
  /** Identifies the section, also in cursors. */
  readonly key: string;
  readonly types: readonly Type[];
  open(): Promise<OpenSection>;
}

export interface OpenSection {
  readonly size: number;
  order(): Promise<RowOrder>;
}

export interface SectionRow<S extends Section> {
  readonly section: S;
  readonly codes: readonly number[];
}

interface CachedOrder {
  readonly reader: RelationReader;
  readonly order: RowOrder;
}

/** The last order of each relation. Two requests that sort at the same time both do the work. */
const cache = new WeakMap<object, CachedOrder>();

/** The rows of the reader in the language's order: the cached order with the changes since, or a new sort. */
export async function orderOf(view: View, reader: RelationReader, deadline: Deadline): Promise<RowOrder> {
  const cached = cache.get(reader.source);
  if (cached?.reader.state === reader.state) return cached.order;
  const types = reader.info.endpoints.map(({ type }) => type);
  const changes = cached && (await drive(reader.changesSince(cached.reader), deadline));
  const changed = changes && (await drive(changedOrder(view, types, cached.order, changes), deadline));
  const order = changed?.size === reader.size ? changed : await sortedRows(view, reader, types, deadline);
  cache.set(reader.source, { reader, order });
  return order;
}

async function sortedRows(
  view: View,
  reader: RelationReader,
  types: readonly Type[],
  deadline: Deadline,
): Promise<RowOrder> {
  const codes = new Int32Array(reader.size * types.length);
  let filled = 0;
  for (const block of reader.blocks()) {
    codes.set(block, filled);
    filled += block.length;
    await deadline.checkpoint();
  }
  return drive(orderRows(view, types, { codes, size: reader.size }), deadline);
}

/** All facts of one relation. */
export function openReader(view: View, reader: RelationReader, deadline: Deadline): OpenSection {
  return { size: reader.size, order: () => orderOf(view, reader, deadline) };
}

/** Returns a page. Opens sections when it reaches them; without a limit it opens all of them to check the row cap. */
export async function pageOfSections<S extends Section>(
  view: View,
  sections: readonly S[],
  request: PageRequest,
  deadline: Deadline,
): Promise<{ readonly rows: readonly SectionRow<S>[]; readonly nextCursor?: string }> {
  const { paging, cursors } = request;
  const after = paging.page === undefined ? undefined : readCursor(view.program, sections, request, paging.page);
  if (paging.limit === undefined && after === undefined) await enforceSizes(sections, request);
  const limit = paging.limit ?? (after === undefined ? Number.POSITIVE_INFINITY : request.rowsMax);
  const rows: SectionRow<S>[] = [];
  for (const section of sections.slice(after?.index ?? 0)) {
    const opened = await section.open();
    if (opened.size === 0) continue;
    if (rows.length >= limit) return { rows, nextCursor: cursors.issue(request.request, cursorKey(view, rows)) };
    const order = await opened.order();
    const isFirst = after !== undefined && section === sections[after.index];
    let next = isFirst ? order.countUpTo(after.values) : 0;
    for (; next < order.size && rows.length < limit; next++) {
      rows.push({ section, codes: order.at(next) });
      if (rows.length % BLOCK_ITEMS === 0) await deadline.checkpoint();
    }
    if (next < order.size) return { rows, nextCursor: cursors.issue(request.request, cursorKey(view, rows)) };
  }
  return { rows };
}

async function enforceSizes(sections: readonly Section[], request: PageRequest): Promise<void> {
  let rows = 0;
  for (const section of sections) {
    rows += (await section.open()).size;
    enforceRowCap(rows, request);
  }
}

function cursorKey(view: View, rows: readonly SectionRow<Section>[]): JsonValue {
  const { section, codes } = rows.at(-1) as SectionRow<Section>;
  const tuple = section.types.map((type, index) => toWire(type, view.interner.decode(type, codes[index] as number)));
  return [section.key, ...tuple] as JsonValue;
}

function readCursor(
  program: Program,
  sections: readonly Section[],
  { cursors, request }: PageRequest,
  page: string,
): { readonly index: number; readonly values: readonly Value[] } {
  const wire = cursors.read(request, page);
  const [key, ...tuple] = Array.isArray(wire) ? wire : [];
  const index = sections.findIndex((section) => section.key === key);
  const section = sections[index];
  if (!section) throw foreignCursor();
  return { index, values: readKey(program, section.types, tuple) };
}

/** The values of a cursor's key. Throws INVALID_CURSOR if they do not fit the types. */
export function readKey(program: Program, types: readonly Type[], wire: readonly JsonValue[]): Value[] {
  return types.map((type, position) => {
    const read = fromWire(type, wire[position], { program, resolveIndividual: (id) => ({ id }) });
    if (!read.ok) throw foreignCursor();
    return read.value;
  });
}

export function foreignCursor(): ApiError {
  return new ApiError(
    'SVC_RUNTIME_INVALID_CURSOR',
    'The cursor in "page" belongs to another module; start again without it.',
  );
}

/** Individuals as entities: all of a class or of every class, sorted and filtered by fields, or one by its id. */

import { ApiError } from '../../api/errors.js';
import type { Entity, JsonValue } from '../../api/schemas/schemas.js';
import type { Type } from '../../artifact/types.js';
import type { Deadline, MaybePromise } from '../../base/ports.js';
import {
  compareValues,
  holdsIndividuals,
  individualsIn,
  type Program,
  type RelationReader,
  type RowOrder,
  type Value,
  type View,
} from '../../engine/index.js';
import type { ListOptions, ListPage } from '../contract/requests.js';
import type { PageRequest } from '../state/cursor.js';
import { conceptOf, declaredId, isCreated, undeclared } from '../state/individuals.js';
import { type Arrangement, arrange, pageOfArrangement, rowsOf } from '../wire/arrangements.js';
import { shapeOfClass } from '../wire/columns.js';
import { createRenderer, requireClass } from '../wire/entities.js';
import { withFaults } from '../wire/faults.js';
import { labelsById } from '../wire/labels.js';
import { orderOf, readKey } from '../wire/orders.js';
import { enforceRowCap, requireOwnCursor } from '../wire/pages.js';
import { inBlocks, type RowBlocks } from '../wire/row-blocks.js';

/**
 * Lists declared individuals by path, then created ones by number, unless `options` has another order. Only a class has columns to sort and
 * filter by. Throws VALIDATION_FAILED, META_RESOLVE_FAILED, NAV_FIELD_RESOLVE_FAILED.
 */
export async function listIndividuals(
  view: View,
  classPath: string | undefined,
  options: ListOptions,
  request: PageRequest,
  deadline: Deadline,
): Promise<ListPage<Entity[]>> {
  if (classPath === undefined) return listAll(view, options, request, deadline);
  requireClass(view, classPath);
  requireOwnCursor(request);
  const onSize = (size: number) => enforceRowCap(size, request);
  const arrangement = await arrangeMembers(view, classPath, options, deadline, onSize);
  const { rows, ...more } = await pageOfArrangement(view, arrangement, options, request, deadline);
  const ids = rows.map(([code]) => view.interner.decodeIndividual(code as number));
  return { ...(await renderAll(view, [classPath], ids, options, deadline)), ...more };
}

/** All of them as entities. Throws like `listIndividuals`. */
export async function* streamIndividuals(
  view: View,
  classPath: string | undefined,
  options: ListOptions,
  deadline: Deadline,
): RowBlocks {
  if (classPath !== undefined) requireClass(view, classPath);
  else requirePlain(options);
  const classes = classPath === undefined ? rootConcepts(view.program) : [classPath];
  const codes =
    classPath === undefined
      ? merged(view, await ordersOf(view, classes, deadline))
      : rowsOf(await arrangeMembers(view, classPath, options, deadline));
  const types = classes.map((path): Type => ({ kind: 'class', path }));
  const renderer = await createRenderer(view, types, deadline);
  const rowOf = ([code]: readonly number[]) =>
    renderer.entity(view.interner.decodeIndividual(code as number)) as MaybePromise<JsonValue>;
  yield* inBlocks(codes, rowOf, deadline);
}

/** `onSize` gets the number of members before they are sorted, unless the list is filtered. */
function arrangeMembers(
  view: View,
  classPath: string,
  options: ListOptions,
  deadline: Deadline,
  onSize: (size: number) => void = () => {},
): Promise<Arrangement> {
  const open = async () => {
    const reader = await readMembers(view, classPath, deadline);
    onSize(options.filter.length > 0 ? 0 : reader.size);
    return reader;
  };
  return arrange(view, open, shapeOfClass(view.program, classPath), options, deadline);
}

function readMembers(view: View, path: string, deadline: Deadline): MaybePromise<RelationReader> {
  const failed = 'SVC_RUNTIME_META_RESOLVE_FAILED';
  return withFaults(view.program, path, failed, () => view.materialise(path, deadline), failed);
}

async function listAll(
  view: View,
  options: ListOptions,
  request: PageRequest,
  deadline: Deadline,
): Promise<ListPage<Entity[]>> {
  requirePlain(options);
  const roots = rootConcepts(view.program);
  let size = 0;
  const orders = await ordersOf(view, roots, deadline, (members) => {
    size += members;
    enforceRowCap(size, request);
  });
  const { ids, ...more } = pageOfIndividuals(view, orders, options.offset, request);
  return { ...(await renderAll(view, roots, ids, options, deadline)), ...more, ...(options.total && { total: size }) };
}

/** Throws VALIDATION_FAILED for options that need columns. */
function requirePlain({ sort, filter }: ListOptions): void {
  if (sort.length === 0 && filter.length === 0) return;
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    'Individuals are sorted and filtered by the fields of a class; say which with "?class=".',
    { path: sort.length > 0 ? 'sort' : 'filter' },
  );
}

/** Each individual is in exactly one of them. */
function rootConcepts({ concepts }: Program): string[] {
  return [...concepts.values()].filter(({ parent }) => parent === null).map(({ path }) => path);
}

/** `onSize` gets the number of members of each class before any is sorted. */
async function ordersOf(
  view: View,
  classes: readonly string[],
  deadline: Deadline,
  onSize: (members: number) => void = () => {},
): Promise<RowOrder[]> {
  const readers: RelationReader[] = [];
  for (const path of classes) {
    const reader = await readMembers(view, path, deadline);
    onSize(reader.size);
    readers.push(reader);
  }
  const orders: RowOrder[] = [];
  for (const reader of readers) orders.push(await orderOf(view, reader, deadline));
  return orders;
}

async function renderAll(
  view: View,
  classes: readonly string[],
  ids: readonly string[],
  options: ListOptions,
  deadline: Deadline,
): Promise<ListPage<Entity[]>> {
  const types = classes.map((path): Type => ({ kind: 'class', path }));
  const renderer = await createRenderer(view, types, deadline);
  const result: Entity[] = [];
  for (const id of ids) result.push(await renderer.entity(id));
  return { result, ...(options.labels && { labels: await referenceLabels(view, result, deadline) }) };
}

/** Labels of the individuals that the fields of these entities refer to. */
function referenceLabels(view: View, entities: readonly Entity[], deadline: Deadline): Promise<Record<string, string>> {
  const types = new Set<Type>();
  const codes: number[] = [];
  for (const entity of entities) {
    for (const { name, type } of view.program.classes.get(entity.$meta.type)?.fields ?? []) {
      if (!holdsIndividuals(type)) continue;
      types.add(type);
      // References in an entity are ids, as in facts.
      for (const { id } of individualsIn(type, entity[name] as Value)) codes.push(view.interner.encodeIndividual(id));
    }
  }
  return labelsById(view, [...types], codes, deadline);
}

const ANYONE: Type = { kind: 'class', path: '' };

/** A page over the members of disjoint classes. */
function pageOfIndividuals(
  view: View,
  orders: readonly RowOrder[],
  offset: number | undefined,
  { paging, cursors, request, rowsMax }: PageRequest,
): { readonly ids: readonly string[]; readonly nextCursor?: string } {
  const { program, interner } = view;
  const key = paging.page === undefined ? undefined : cursors.read(request, paging.page);
  const read = key === undefined ? undefined : readKey(program, [ANYONE], Array.isArray(key) ? key : []);
  const after = read ?? lastOfFirst(view, orders, offset ?? 0);
  const limit = paging.limit ?? (read === undefined ? Number.POSITIVE_INFINITY : rowsMax);
  const ids: string[] = [];
  for (const [code] of merged(view, orders, after)) {
    if (ids.length >= limit) return { ids, nextCursor: cursors.issue(request, [ids.at(-1) ?? null]) };
    ids.push(interner.decodeIndividual(code as number));
  }
  return { ids };
}

/** The rows of disjoint classes in one order, after an individual or from the start. */
function* merged(
  { program, interner }: View,
  orders: readonly RowOrder[],
  after?: readonly Value[],
): Generator<readonly number[]> {
  const lists = orders.map((order) => ({ order, next: after === undefined ? 0 : order.countUpTo(after) }));
  for (;;) {
    let least:
      | { readonly id: string; readonly row: readonly number[]; readonly list: (typeof lists)[number] }
      | undefined;
    for (const list of lists) {
      if (list.next >= list.order.size) continue;
      const row = list.order.at(list.next);
      const id = interner.decodeIndividual(row[0] as number);
      if (least === undefined || compareValues(program, ANYONE, id, least.id) < 0) least = { id, row, list };
    }
    if (least === undefined) return;
    least.list.next += 1;
    yield least.row;
  }
}

/** The last of the first `count` individuals over all orders; undefined if there are fewer. */
function lastOfFirst({ interner }: View, orders: readonly RowOrder[], count: number): readonly string[] | undefined {
  if (count === 0) return undefined;
  const declared = interner.declared.length;
  const idAt = (rank: number) => interner.decodeIndividual(rank < declared ? -rank - 1 : rank - declared);
  const upTo = (id: string) => orders.reduce((sum, order) => sum + order.countUpTo([id]), 0);
  const highest = Math.max(...orders.map((order) => (order.size === 0 ? -1 : (order.at(order.size - 1)[0] as number))));
  let [low, high] = [0, declared + Math.max(0, highest)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (upTo(idAt(middle)) >= count) high = middle;
    else low = middle + 1;
  }
  return [idAt(low)];
}

/** Throws VALIDATION_FAILED for an unknown individual. */
export async function oneIndividual(view: View, reference: string, deadline: Deadline): Promise<Entity> {
  const { id, concept } = requireIndividual(view, reference);
  return (await createRenderer(view, [{ kind: 'class', path: concept }], deadline)).entity(id);
}

/** Throws VALIDATION_FAILED for an unknown individual. */
export function requireIndividual(
  view: View,
  reference: string,
): { readonly id: string; readonly code: number; readonly concept: string } {
  const { program, interner } = view;
  const id = isCreated(reference) ? reference : declaredId(program, reference);
  const code = id === undefined ? undefined : interner.encodeIndividual(id);
  const concept = code === undefined ? undefined : conceptOf(view, code);
  if (id === undefined || code === undefined || concept === undefined) {
    const missing = { received: `${id}, which does not exist`, hint: undefined };
    const { received, hint } = id === undefined ? undeclared(program, reference) : missing;
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `Expected an individual, got ${received}${hint ?? '.'} GET /v1/individuals lists those that exist, with their $id.`,
      { individual: reference },
    );
  }
  return { id, code, concept };
}

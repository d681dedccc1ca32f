/** Individuals as entities: all of a class or of every class, sorted and filtered by fields, or one by its id. */

import { ApiError } from '../../api/errors.js';
import type { Entity } from '../../api/schemas/schemas.js';
import type { Type } from '../../artifact/types.js';
import type { Deadline, MaybePromise } from '../../base/ports.js';
import { bare, compareValues, type RelationReader, type RowOrder, type View } from '../../engine/index.js';
import type { ListOptions, ListPage } from '../contract/requests.js';
import type { PageRequest } from '../state/cursor.js';
import { conceptOf, declaredId, isCreated, undeclared } from '../state/individuals.js';
import { arrange, pageOfArrangement } from '../wire/arrangements.js';
import { shapeOfClass } from '../wire/columns.js';
import { createRenderer, requireClass } from '../wire/entities.js';
import { withFaults } from '../wire/faults.js';
import { labelsById } from '../wire/labels.js';
import { orderOf, readKey } from '../wire/orders.js';
import { enforceRowCap, requireOwnCursor } from '../wire/pages.js';

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
  const open = async () => {
    const reader = await readMembers(view, classPath, deadline);
    enforceRowCap(options.filter.length > 0 ? 0 : reader.size, request);
    return reader;
  };
  const arrangement = await arrange(view, open, shapeOfClass(view.program, classPath), options, deadline);
  const { rows, ...more } = await pageOfArrangement(view, arrangement, options, request, deadline);
  const ids = rows.map(([code]) => view.interner.decodeIndividual(code as number));
  return { ...(await renderAll(view, [classPath], ids, options, deadline)), ...more };
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
  if (options.sort.length > 0 || options.filter.length > 0) {
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      'Individuals are sorted and filtered by the fields of a class; say which with "?class=".',
      { path: options.sort.length > 0 ? 'sort' : 'filter' },
    );
  }
  const roots = [...view.program.concepts.values()].filter(({ parent }) => parent === null).map(({ path }) => path);
  const readers: RelationReader[] = [];
  let size = 0;
  for (const path of roots) {
    const reader = await readMembers(view, path, deadline);
    size += reader.size;
    enforceRowCap(size, request);
    readers.push(reader);
  }
  const orders: RowOrder[] = [];
  for (const reader of readers) orders.push(await orderOf(view, reader, deadline));
  const { ids, ...more } = pageOfIndividuals(view, orders, options.offset, request);
  return { ...(await renderAll(view, roots, ids, options, deadline)), ...more, ...(options.total && { total: size }) };
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
      const plain = bare(type);
      const item = plain.kind === 'list' ? plain.of : plain;
      if (item.kind !== 'class') continue;
      types.add(item);
      const value = entity[name];
      for (const id of Array.isArray(value) ? value : [value]) {
        if (typeof id === 'string') codes.push(view.interner.encodeIndividual(id));
      }
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
  const lists = orders.map((order) => ({ order, next: after === undefined ? 0 : order.countUpTo(after) }));
  const limit = paging.limit ?? (read === undefined ? Number.POSITIVE_INFINITY : rowsMax);
  const ids: string[] = [];
  for (;;) {
    let least: { readonly id: string; readonly list: (typeof lists)[number] } | undefined;
    for (const list of lists) {
      if (list.next >= list.order.size) continue;
      const id = interner.decodeIndividual(list.order.at(list.next)[0] as number);
      if (least === undefined || compareValues(program, ANYONE, id, least.id) < 0) least = { id, list };
    }
    if (least === undefined) return { ids };
    if (ids.length >= limit) return { ids, nextCursor: cursors.issue(request, [ids.at(-1) ?? null]) };
    ids.push(least.id);
    least.list.next += 1;
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

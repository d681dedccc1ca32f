/** Lists of what there is: firings, individuals, the tuples of a relation. */

import { ApiError } from '../api/errors.js';
import type { Entity, Fact, Firing } from '../api/schemas.js';
import type { CheckDeclaration, Type } from '../artifact/types.js';
import type { Pacer } from '../base/ports.js';
import { compareValues, drive, factId, mapped, type RelationInfo, type RowOrder, type View } from '../engine/index.js';
import { requireCheck } from './callables.js';
import { createRenderer, requireClass } from './entities.js';
import { requireRelation, wireTuple } from './explanations.js';
import { withFaults } from './faults.js';
import { renderFiring } from './firings.js';
import { conceptOf, declaredId, isCreated } from './individuals.js';
import { openReader, orderOf, pageOfSections, readKey, type Section } from './orders.js';
import { enforceRowCap, type PageRequest } from './pages.js';
import type { Page } from './runtime.js';

/** By check, then by what it fires for. Throws UNKNOWN_CHECK, CHECK_EVAL_FAILED. */
export async function listFirings(
  view: View,
  filter: string | undefined,
  request: PageRequest,
  pacer: Pacer,
): Promise<Page<Firing[]>> {
  const { program } = view;
  const failed = 'SVC_RUNTIME_CHECK_EVAL_FAILED';
  const checks = filter === undefined ? [...program.checks.values()] : [requireCheck(program, filter)];
  const sections = checks
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
    .map((check): Section & { readonly check: CheckDeclaration } => ({
      check,
      key: check.path,
      types: check.parameters.map(({ type }) => type),
      async open() {
        const path = program.relationOfCheck(check.path);
        const materialise = () => view.materialise(path, pacer);
        return openReader(view, await withFaults(program, check.path, failed, materialise, failed), pacer);
      },
    }));
  const { rows, ...more } = await pageOfSections(view, sections, request, pacer);
  const result: Firing[] = [];
  for (const { section, codes } of rows) {
    const { check } = section;
    result.push(await withFaults(program, check.path, failed, () => renderFiring(view, check, codes, pacer), failed));
  }
  return { result, ...more };
}

/** All of a class, or all there are: declared ones by path, then created ones by number. */
export async function listIndividuals(
  view: View,
  classPath: string | undefined,
  request: PageRequest,
  pacer: Pacer,
): Promise<Page<Entity[]>> {
  if (classPath !== undefined) requireClass(view, classPath);
  const { program } = view;
  const roots = [...program.concepts.values()].filter(({ parent }) => parent === null).map(({ path }) => path);
  const paths = classPath === undefined ? roots : [classPath];
  const readers = [];
  let size = 0;
  for (const path of paths) {
    const materialise = () => view.materialise(path, pacer);
    const reader = await withFaults(program, path, 'SVC_RUNTIME_META_RESOLVE_FAILED', materialise);
    size += reader.size;
    enforceRowCap(size, request);
    readers.push(reader);
  }
  const orders: RowOrder[] = [];
  for (const reader of readers) orders.push(await orderOf(view, reader, pacer));
  const { ids, ...more } = pageOfIndividuals(view, orders, request);
  const types = paths.map((path): Type => ({ kind: 'class', path }));
  const renderer = await createRenderer(view, types, pacer);
  const result: Entity[] = [];
  for (const id of ids) result.push(await renderer.entity(id));
  return { result, ...more };
}

const ANYONE: Type = { kind: 'class', path: '' };

/** A page over the members of classes that have nobody in common. */
function pageOfIndividuals(
  view: View,
  orders: readonly RowOrder[],
  { paging, cursors, request, rowsMax }: PageRequest,
): { readonly ids: readonly string[]; readonly nextCursor?: string } {
  const { program, interner } = view;
  const key = paging.page === undefined ? undefined : cursors.read(request, paging.page);
  const after = key === undefined ? undefined : readKey(program, [ANYONE], Array.isArray(key) ? key : []);
  const lists = orders.map((order) => ({ order, next: after === undefined ? 0 : order.countUpTo(after) }));
  const limit = paging.limit ?? (after === undefined ? Number.POSITIVE_INFINITY : rowsMax);
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

/** Throws VALIDATION_FAILED where nobody of that name exists. */
export async function oneIndividual(view: View, reference: string, pacer: Pacer): Promise<Entity> {
  const { id, concept } = requireIndividual(view, reference);
  return (await createRenderer(view, [{ kind: 'class', path: concept }], pacer)).entity(id);
}

/** Throws VALIDATION_FAILED where nobody of that name exists. */
export function requireIndividual(
  view: View,
  reference: string,
): { readonly id: string; readonly code: number; readonly concept: string } {
  const { program, interner } = view;
  const id = isCreated(reference) ? reference : declaredId(program, reference);
  const code = id === undefined ? undefined : interner.encodeIndividual(id);
  const concept = code === undefined ? undefined : conceptOf(view, code);
  if (id === undefined || code === undefined || concept === undefined) {
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `No individual "${reference}" exists; use the $id of one that GET /v1/individuals lists.`,
      { individual: reference },
    );
  }
  return { id, code, concept };
}

/** The tuples of any relation, class, field or check. Throws VALIDATION_FAILED where there is none. */
export async function listTuples(view: View, path: string, request: PageRequest, pacer: Pacer): Promise<Page<Fact[]>> {
  const info = requireRelation(view, path, 'SVC_RUNTIME_VALIDATION_FAILED');
  const section = relationSection(view, info, pacer);
  const { rows, ...more } = await pageOfSections(view, [section], request, pacer);
  return { result: await wireFacts(view, rows, pacer), ...more };
}

export interface FactSection extends Section {
  readonly info: RelationInfo;
}

/** All facts of a relation. Opening it throws DERIVE_FAILED. */
export function relationSection(view: View, info: RelationInfo, pacer: Pacer): FactSection {
  return {
    info,
    key: info.path,
    types: info.endpoints.map(({ type }) => type),
    async open() {
      const materialise = () => view.materialise(info.path, pacer);
      const reader = await withFaults(view.program, info.path, 'SVC_RUNTIME_DERIVE_FAILED', materialise);
      return openReader(view, reader, pacer);
    },
  };
}

/** Facts in their wire form. */
export async function wireFacts(
  view: View,
  rows: readonly { readonly section: FactSection; readonly codes: readonly number[] }[],
  pacer: Pacer,
): Promise<Fact[]> {
  const facts = mapped(rows, ({ section, codes }): Fact => {
    const { path } = section.info;
    const tuple = wireTuple(view, section.info, codes);
    return { factId: factId(path, tuple), relation: path, tuple };
  });
  return drive(facts, pacer);
}

/**
 * Entities: individuals with `$meta` and all fields of their own concept, as results carry them.
 *
 * What rendering needs of derived relations is materialised once, when a renderer is made; rendering itself is synchronous.
 */

import { ApiError } from '../api/errors.js';
import type { Entity, JsonValue } from '../api/schemas.js';
import type { Type } from '../artifact/types.js';
import { didYouMean } from '../base/nearest.js';
import type { Pacer } from '../base/ports.js';
import { compareValues, type FieldInfo, type RelationReader, toWire, type Value, type View } from '../engine/index.js';
import { withFaults } from './faults.js';
import { conceptOf } from './individuals.js';
import { fieldValue } from './scope.js';

export interface Renderer {
  /** A value in its wire form, with individuals as entities. */
  render(type: Type, value: Value): JsonValue;
  entity(id: string): Entity;
}

/** A renderer for values of these types. Throws META_RESOLVE_FAILED, NAV_FIELD_RESOLVE_FAILED. */
export async function createRenderer(view: View, types: readonly Type[], pacer: Pacer): Promise<Renderer> {
  const classes = new Set<string>();
  for (const type of types) collectClasses(type, classes);
  const concepts = conceptsBelow(view, classes);
  const defines = await materialiseDefines(view, concepts, pacer);
  const navigated = await materialiseNavigation(view, concepts, pacer);
  const entity = (id: string) => renderEntity(view, id, defines, navigated);
  const render = (type: Type, value: Value): JsonValue => {
    if (value === null) return null;
    switch (type.kind) {
      case 'optional':
        return render(type.of, value);
      case 'list':
        return (value as readonly Value[]).map((item) => render(type.of, item));
      case 'record': {
        const record = value as { readonly [key: string]: Value };
        return Object.fromEntries(type.fields.map(({ name, type: of }) => [name, render(of, record[name] ?? null)]));
      }
      case 'class':
        return entity(value as string) as JsonValue;
      default:
        return toWire(type, value) as JsonValue;
    }
  };
  return { render, entity };
}

function collectClasses(type: Type, into: Set<string>): void {
  if (type.kind === 'class') into.add(type.path);
  else if (type.kind === 'optional' || type.kind === 'list') collectClasses(type.of, into);
  else if (type.kind === 'record') for (const field of type.fields) collectClasses(field.type, into);
}

/** Every concept that an individual of one of the classes may be made of. */
function conceptsBelow(view: View, classes: ReadonlySet<string>): ReadonlySet<string> {
  const { program } = view;
  const concepts = new Set<string>();
  for (const path of classes) {
    let top = path;
    while (program.classes.get(top)?.kind === 'define') top = program.classes.get(top)?.parent ?? top;
    for (const concept of program.concepts.keys()) if (program.isSubclass(concept, top)) concepts.add(concept);
  }
  return concepts;
}

async function materialiseDefines(
  view: View,
  concepts: ReadonlySet<string>,
  pacer: Pacer,
): Promise<ReadonlyMap<string, RelationReader>> {
  const { program } = view;
  const defines = new Map<string, RelationReader>();
  for (const info of program.classes.values()) {
    if (info.kind !== 'define') continue;
    const relevant = [...concepts].some((concept) =>
      info.ancestors.some((path) => program.isSubclass(concept, path) || program.isSubclass(path, concept)),
    );
    if (!relevant) continue;
    const code = 'SVC_RUNTIME_META_RESOLVE_FAILED';
    defines.set(info.path, await withFaults(program, info.path, code, () => view.materialise(info.path, pacer), code));
  }
  return defines;
}

async function materialiseNavigation(
  view: View,
  concepts: ReadonlySet<string>,
  pacer: Pacer,
): Promise<ReadonlyMap<string, RelationReader>> {
  const { program } = view;
  const navigated = new Map<string, RelationReader>();
  for (const concept of concepts) {
    for (const { navigation } of program.classes.get(concept)?.fields ?? []) {
      if (!navigation || navigated.has(navigation.relation)) continue;
      const code = 'SVC_RUNTIME_NAV_FIELD_RESOLVE_FAILED';
      const { relation } = navigation;
      navigated.set(relation, await withFaults(program, relation, code, () => view.materialise(relation, pacer), code));
    }
  }
  return navigated;
}

function renderEntity(
  view: View,
  id: string,
  defines: ReadonlyMap<string, RelationReader>,
  navigated: ReadonlyMap<string, RelationReader>,
): Entity {
  const { program, interner } = view;
  const code = interner.encodeIndividual(id);
  const concept = conceptOf(view, code);
  if (concept === undefined) return { $id: id, $meta: { type: '', classes: [] } };
  const classes = [...program.classPathsOf(concept)];
  for (const [path, reader] of defines) if (reader.has([code])) classes.push(path);
  const entity: Entity = { $id: id, $meta: { type: concept, classes: classes.sort() } };
  for (const field of program.classes.get(concept)?.fields ?? []) {
    entity[field.name] = field.navigation
      ? navigate(view, id, code, field, navigated)
      : toWire(field.type, fieldValue(view, code, field.path));
  }
  return entity;
}

function navigate(
  view: View,
  id: string,
  code: number,
  field: FieldInfo,
  navigated: ReadonlyMap<string, RelationReader>,
): JsonValue {
  const { navigation } = field;
  const reader = navigation && navigated.get(navigation.relation);
  if (!navigation || !reader) return null;
  const pattern = reader.info.endpoints.map((_, index) => (index === navigation.own ? code : null));
  const found = new Set<number>();
  for (const row of reader.match(pattern)) found.add(row[navigation.read] as number);
  const type = reader.info.endpoints[navigation.read]?.type as Type;
  const values = [...found].map((value) => view.interner.decode(type, value));
  values.sort((left, right) => compareValues(view.program, type, left, right));
  if (navigation.many) return values.map((value) => toWire(type, value)) as JsonValue;
  if (values.length > 1) {
    throw new ApiError(
      'SVC_RUNTIME_NAV_FIELD_RESOLVE_FAILED',
      `The field "${field.name}" of ${id} allows one value, but "${navigation.relation}" gives ${values.length}: ${values.map(String).join(', ')}.`,
      { field: field.path, individual: id },
    );
  }
  return toWire(type, values[0] ?? null) as JsonValue;
}

/** The class with this path, or VALIDATION_FAILED. */
export function requireClass(view: View, path: string): void {
  if (view.program.classes.has(path)) return;
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `The module has no concept or define "${path}"${didYouMean(path, view.program.classes.keys()) || '.'}`,
    { class: path },
  );
}

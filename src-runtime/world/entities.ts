/**
 * Entities: individuals with `$meta` and all fields of their own concept, as results carry them.
 *
 * What rendering needs of derived relations is materialised once, when a renderer is made; rendering itself is a generator
 * that yields between blocks of work.
 */

import { ApiError } from '../api/errors.js';
import type { Entity, JsonValue } from '../api/schemas.js';
import type { Type } from '../artifact/types.js';
import { didYouMean } from '../base/nearest.js';
import type { Pacer, Soon } from '../base/ports.js';
import {
  compareValues,
  drive,
  type FieldInfo,
  mapped,
  type Program,
  type RelationReader,
  sorted,
  toWire,
  type Value,
  type View,
} from '../engine/index.js';
import { withFaults } from './faults.js';
import { conceptFinder } from './individuals.js';

export interface Renderer {
  /** A value in its wire form, with individuals as entities. */
  render(type: Type, value: Value): Soon<JsonValue>;
  entity(id: string): Soon<Entity>;
}

/** Values and individuals that are rendered between two yields. */
const RENDERED_BETWEEN_YIELDS = 64;

/** A renderer for values of these types. Throws META_RESOLVE_FAILED, NAV_FIELD_RESOLVE_FAILED. */
export async function createRenderer(view: View, types: readonly Type[], pacer: Pacer): Promise<Renderer> {
  const { defines, navigations, stored } = renderedClasses(view.program, types);
  for (const path of stored) {
    const indexing = view.stored(path).prepare([0], pacer);
    if (indexing !== undefined) await indexing;
  }
  const rendering: Rendering = {
    view,
    defines: defines.length === 0 ? NO_READERS : await materialiseDefines(view, defines, pacer),
    navigated: navigations.length === 0 ? NO_READERS : await materialiseNavigation(view, navigations, pacer),
    shapes: new Map(),
    conceptOf: conceptFinder(view),
    rendered: 0,
  };
  return {
    render: (type, value) => drive(render(rendering, type, value), pacer),
    entity: async (id) => (await drive(render(rendering, { kind: 'class', path: '' }, id), pacer)) as Entity,
  };
}

const NO_READERS: ReadonlyMap<string, RelationReader> = new Map();

interface Rendering {
  readonly view: View;
  readonly defines: ReadonlyMap<string, RelationReader>;
  readonly navigated: ReadonlyMap<string, RelationReader>;
  /** By concept, made when the first individual of it is met. */
  readonly shapes: Map<string, EntityShape>;
  readonly conceptOf: (code: number) => string | undefined;
  /** Values so far. */
  rendered: number;
}

/** Stands by itself: a generator function made for each request would have a hidden class of its own, which outlives it. */
function* render(rendering: Rendering, type: Type, value: Value): Generator<void, JsonValue> {
  if (value === null) return null;
  rendering.rendered += 1;
  if (rendering.rendered % RENDERED_BETWEEN_YIELDS === 0) yield;
  switch (type.kind) {
    case 'optional':
      return yield* render(rendering, type.of, value);
    case 'list': {
      const items: JsonValue[] = [];
      for (const item of value as readonly Value[]) items.push(yield* render(rendering, type.of, item));
      return items;
    }
    case 'record': {
      const record = value as { readonly [key: string]: Value };
      const fields: [string, JsonValue][] = [];
      for (const { name, type: of } of type.fields) {
        fields.push([name, yield* render(rendering, of, record[name] ?? null)]);
      }
      return Object.fromEntries(fields);
    }
    case 'class':
      return (yield* renderEntity(rendering, value as string)) as JsonValue;
    default:
      return toWire(type, value) as JsonValue;
  }
}

/** What rendering values of some types reads: of every concept that an individual in them may be made of. */
interface RenderedClasses {
  /** The defines that may hold of such an individual. */
  readonly defines: readonly string[];
  /** Its stored fields. */
  readonly stored: readonly string[];
  /** The relations that its navigation fields read, each with the endpoint that is the individual. */
  readonly navigations: readonly { readonly relation: string; readonly own: number }[];
}

/** The same for every request that asks for a type. */
const RENDERED = new WeakMap<Program, WeakMap<Type, RenderedClasses>>();

function renderedClasses(program: Program, types: readonly Type[]): RenderedClasses {
  const [type] = types;
  if (type === undefined || types.length > 1) return findRenderedClasses(program, types);
  const ofProgram = RENDERED.get(program) ?? new WeakMap<Type, RenderedClasses>();
  RENDERED.set(program, ofProgram);
  const classes = ofProgram.get(type) ?? findRenderedClasses(program, types);
  ofProgram.set(type, classes);
  return classes;
}

function findRenderedClasses(program: Program, types: readonly Type[]): RenderedClasses {
  const classes = new Set<string>();
  for (const type of types) collectClasses(type, classes);
  const concepts = conceptsBelow(program, classes);
  const fields = [...concepts].flatMap((concept) => program.classes.get(concept)?.fields ?? []);
  const navigations = new Map<string, number>();
  for (const { navigation } of fields) {
    if (navigation && !navigations.has(navigation.relation)) navigations.set(navigation.relation, navigation.own);
  }
  return {
    defines: definesOf(program, concepts),
    stored: [...new Set(fields.filter(({ navigation }) => !navigation).map(({ path }) => path))],
    navigations: [...navigations].map(([relation, own]) => ({ relation, own })),
  };
}

function collectClasses(type: Type, into: Set<string>): void {
  if (type.kind === 'class') into.add(type.path);
  else if (type.kind === 'optional' || type.kind === 'list') collectClasses(type.of, into);
  else if (type.kind === 'record') for (const field of type.fields) collectClasses(field.type, into);
}

/** Every concept that an individual of one of the classes may be made of. */
function conceptsBelow(program: Program, classes: ReadonlySet<string>): ReadonlySet<string> {
  const concepts = new Set<string>();
  for (const path of classes) {
    let top = path;
    while (program.classes.get(top)?.kind === 'define') top = program.classes.get(top)?.parent ?? top;
    for (const concept of program.concepts.keys()) if (program.isSubclass(concept, top)) concepts.add(concept);
  }
  return concepts;
}

function definesOf(program: Program, concepts: ReadonlySet<string>): string[] {
  const defines: string[] = [];
  for (const info of program.classes.values()) {
    if (info.kind !== 'define') continue;
    const isRelevant = [...concepts].some((concept) =>
      info.ancestors.some((path) => program.isSubclass(concept, path) || program.isSubclass(path, concept)),
    );
    if (isRelevant) defines.push(info.path);
  }
  return defines;
}

async function materialiseDefines(
  view: View,
  paths: readonly string[],
  pacer: Pacer,
): Promise<ReadonlyMap<string, RelationReader>> {
  const defines = new Map<string, RelationReader>();
  for (const path of paths) {
    const code = 'SVC_RUNTIME_META_RESOLVE_FAILED';
    const reader = await withFaults(view.program, path, code, () => view.materialise(path, pacer), code);
    await reader.prepare([0], pacer);
    defines.set(path, reader);
  }
  return defines;
}

/** Readers of what the navigation fields of these concepts read, by relation. */
async function materialiseNavigation(
  view: View,
  navigations: RenderedClasses['navigations'],
  pacer: Pacer,
): Promise<ReadonlyMap<string, RelationReader>> {
  const navigated = new Map<string, RelationReader>();
  for (const { relation, own } of navigations) {
    const code = 'SVC_RUNTIME_NAV_FIELD_RESOLVE_FAILED';
    const reader = await withFaults(view.program, relation, code, () => view.materialise(relation, pacer), code);
    await reader.prepare([own], pacer);
    navigated.set(relation, reader);
  }
  return navigated;
}

/** How the individuals of one concept are rendered. */
interface EntityShape {
  /** Sorted. */
  readonly classes: readonly string[];
  readonly fields: readonly FieldShape[];
}

interface FieldShape {
  readonly field: FieldInfo;
  /** What holds its values. */
  readonly reader: RelationReader | undefined;
}

function* renderEntity(rendering: Rendering, id: string): Generator<void, Entity> {
  const { view, defines, conceptOf } = rendering;
  const code = view.interner.encodeIndividual(id);
  const concept = conceptOf(code);
  if (concept === undefined) return { $id: id, $meta: { type: '', classes: [] } };
  const { classes: own, fields } = shapeOf(rendering, concept);
  const classes = [...own];
  for (const [path, reader] of defines) if (reader.has([code])) classes.push(path);
  if (classes.length > own.length) classes.sort();
  const entity: Entity = { $id: id, $meta: { type: concept, classes } };
  for (const { field, reader } of fields) {
    if (reader === undefined) entity[field.name] = null;
    else if (field.navigation) entity[field.name] = yield* navigate(view, id, code, field, reader);
    else entity[field.name] = toWire(field.type, view.interner.decode(field.type, reader.codeOf(code))) as JsonValue;
  }
  return entity;
}

function shapeOf({ view, navigated, shapes }: Rendering, concept: string): EntityShape {
  const known = shapes.get(concept);
  if (known !== undefined) return known;
  const { program } = view;
  const shape: EntityShape = {
    classes: [...program.classPathsOf(concept)].sort(),
    fields: (program.classes.get(concept)?.fields ?? []).map((field) => ({
      field,
      reader: field.navigation ? navigated.get(field.navigation.relation) : view.stored(field.path),
    })),
  };
  shapes.set(concept, shape);
  return shape;
}

function* navigate(
  view: View,
  id: string,
  code: number,
  field: FieldInfo,
  reader: RelationReader,
): Generator<void, JsonValue> {
  const { navigation } = field;
  if (!navigation) return null;
  const pattern = reader.info.endpoints.map((_, index) => (index === navigation.own ? code : null));
  const found = new Set(yield* mapped(reader.match(pattern), (row) => row[navigation.read] as number));
  const type = reader.info.endpoints[navigation.read]?.type as Type;
  const decoded = yield* mapped(found, (value) => view.interner.decode(type, value));
  const values = yield* sorted(decoded, (left, right) => compareValues(view.program, type, left, right));
  if (navigation.many) return (yield* mapped(values, (value) => toWire(type, value))) as JsonValue;
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
    `The module has no concept or define "${path}"${didYouMean(path, view.program.classes.keys()) || '; GET /v1/schema lists them.'}`,
    { class: path },
  );
}

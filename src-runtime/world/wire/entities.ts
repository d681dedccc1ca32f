/**
 * Renders entities: individuals with `$meta` and all fields of their own concept.
 *
 * Derived relations are materialised once, when a renderer is created. Rendering itself only visits checkpoints.
 */

import { ApiError } from '../../api/errors.js';
import type { Entity, JsonValue } from '../../api/schemas/schemas.js';
import type { Type } from '../../artifact/types.js';
import { didYouMean } from '../../base/nearest.js';
import { andThen, type Deadline, type MaybePromise } from '../../base/ports.js';
import {
  awaited,
  compareValues,
  drive,
  driveAsync,
  type FieldInfo,
  type Interner,
  mapped,
  type Program,
  type RelationReader,
  sorted,
  toWire,
  type Value,
  type View,
} from '../../engine/index.js';
import { conceptFinder } from '../state/individuals.js';
import { withFaults } from './faults.js';

export interface Renderer {
  /** The wire form of a value, with individuals as entities. */
  render(type: Type, value: Value): MaybePromise<JsonValue>;
  entity(id: string): MaybePromise<Entity>;
}

/** How many values are rendered between checkpoints. */
const RENDERED_PER_CHECKPOINT = 64;

/** Creates a renderer for values of these types. Throws META_RESOLVE_FAILED and NAV_FIELD_RESOLVE_FAILED. */
export function createRenderer(view: View, types: readonly Type[], deadline: Deadline): MaybePromise<Renderer> {
  const [type] = types;
  const cached = type === undefined || types.length > 1 ? undefined : cachedRenderings(view);
  const known = type && cached?.get(type);
  if (known !== undefined) return new EntityRenderer(known, deadline);
  const ready = (rendering: Rendering): Renderer => {
    if (type !== undefined) cached?.set(type, rendering);
    return new EntityRenderer(rendering, deadline);
  };
  return andThen(driveAsync(prepareRendering(view, types, deadline)), ready);
}

/** Shared by all requests that read the view's state, by type. */
function cachedRenderings({ shared }: View): WeakMap<Type, Rendering> | undefined {
  if (shared === null) return undefined;
  const known = RENDERINGS.get(shared) ?? new WeakMap<Type, Rendering>();
  RENDERINGS.set(shared, known);
  return known;
}

const RENDERINGS = new WeakMap<object, WeakMap<Type, Rendering>>();

/** Everything that rendering reads, already materialised. */
interface Rendering {
  readonly program: Program;
  readonly interner: Interner;
  readonly defines: ReadonlyMap<string, RelationReader>;
  readonly navigated: ReadonlyMap<string, RelationReader>;
  readonly stored: ReadonlyMap<string, RelationReader>;
  /** By concept, created for its first individual. */
  readonly shapes: Map<string, EntityShape>;
  readonly conceptOf: (code: number) => string | undefined;
}

function* prepareRendering(
  view: View,
  types: readonly Type[],
  deadline: Deadline,
): Generator<Promise<void>, Rendering> {
  const { program, interner } = view;
  const { concepts, defines, navigations, stored } = renderedClasses(program, types);
  const readers = new Map(stored.map((path) => [path, view.stored(path)]));
  for (const reader of readers.values()) yield* indexed(reader, 0, deadline);
  return {
    program,
    interner,
    defines: yield* materialiseDefines(view, defines, deadline),
    navigated: yield* materialiseNavigation(view, navigations, deadline),
    stored: readers,
    shapes: new Map(),
    conceptOf: conceptFinder(program, new Map(concepts.map((path) => [path, view.stored(path)]))),
  };
}

function* indexed(reader: RelationReader, column: number, deadline: Deadline): Generator<Promise<void>, void> {
  const indexing = reader.prepare([column], deadline);
  if (indexing !== undefined) yield indexing;
}

class EntityRenderer implements Renderer {
  private readonly rendering: Rendering;
  private readonly deadline: Deadline;
  /** Values rendered so far. */
  private count = 0;

  constructor(rendering: Rendering, deadline: Deadline) {
    this.rendering = rendering;
    this.deadline = deadline;
  }

  render(type: Type, value: Value): MaybePromise<JsonValue> {
    if (value === null) return null;
    if (type.kind === 'class') return this.entity(value as string) as MaybePromise<JsonValue>;
    if (type.kind === 'scalar' || type.kind === 'enum') return this.withCheckpoint(toWire(type, value) as JsonValue);
    return this.withCheckpoint(drive(render(this.rendering, type, value), this.deadline));
  }

  entity(id: string): MaybePromise<Entity> {
    const { rendering, deadline } = this;
    const code = rendering.interner.encodeIndividual(id);
    const shape = shapeOf(rendering, code);
    const entity = startEntity(rendering, id, code, shape);
    if (!shape.navigates) return this.withCheckpoint(fillPlain(rendering, entity, code, shape));
    return this.withCheckpoint(drive(fill(rendering, entity, code, shape), deadline));
  }

  private withCheckpoint<T>(rendered: MaybePromise<T>): MaybePromise<T> {
    this.count += 1;
    const pause = this.count % RENDERED_PER_CHECKPOINT === 0 ? this.deadline.checkpoint() : undefined;
    return pause === undefined ? rendered : pause.then(() => rendered);
  }
}

/** At top level, because a generator function created for each request would leak its hidden class in V8. */
function* render(rendering: Rendering, type: Type, value: Value): Generator<void, JsonValue> {
  if (value === null) return null;
  switch (type.kind) {
    case 'optional':
      return yield* render(rendering, type.of, value);
    case 'list': {
      const items: JsonValue[] = [];
      for (const item of value as readonly Value[]) {
        items.push(yield* render(rendering, type.of, item));
        if (items.length % RENDERED_PER_CHECKPOINT === 0) yield;
      }
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
    case 'class': {
      const id = value as string;
      const code = rendering.interner.encodeIndividual(id);
      const shape = shapeOf(rendering, code);
      return (yield* fill(rendering, startEntity(rendering, id, code, shape), code, shape)) as JsonValue;
    }
    default:
      return toWire(type, value) as JsonValue;
  }
}

/** What rendering some types reads, for every concept that their individuals may have. */
interface RenderedClasses {
  /** The concepts that an individual may have. */
  readonly concepts: readonly string[];
  /** The defines that an individual may belong to. */
  readonly defines: readonly string[];
  /** Paths of its stored fields. */
  readonly stored: readonly string[];
  /** The relations of its navigation fields, each with the endpoint of the individual. */
  readonly navigations: readonly { readonly relation: string; readonly own: number }[];
}

/** The same for every request with this type. */
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
    concepts: [...concepts],
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

/** Every concept that an individual of one of the classes may have. */
export function conceptsBelow(program: Program, classes: ReadonlySet<string>): ReadonlySet<string> {
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

function* materialiseDefines(
  view: View,
  paths: readonly string[],
  deadline: Deadline,
): Generator<Promise<void>, ReadonlyMap<string, RelationReader>> {
  const defines = new Map<string, RelationReader>();
  const code = 'SVC_RUNTIME_META_RESOLVE_FAILED';
  for (const path of paths) {
    const reader = withFaults(view.program, path, code, () => view.materialise(path, deadline), code);
    const define = reader instanceof Promise ? yield* awaited(reader) : reader;
    yield* indexed(define, 0, deadline);
    defines.set(path, define);
  }
  return defines;
}

/** Materialises the relations of the navigation fields of these concepts, by relation. */
function* materialiseNavigation(
  view: View,
  navigations: RenderedClasses['navigations'],
  deadline: Deadline,
): Generator<Promise<void>, ReadonlyMap<string, RelationReader>> {
  const navigated = new Map<string, RelationReader>();
  const code = 'SVC_RUNTIME_NAV_FIELD_RESOLVE_FAILED';
  for (const { relation, own } of navigations) {
    const reader = withFaults(view.program, relation, code, () => view.materialise(relation, deadline), code);
    const read = reader instanceof Promise ? yield* awaited(reader) : reader;
    yield* indexed(read, own, deadline);
    navigated.set(relation, read);
  }
  return navigated;
}

/** How individuals of one concept are rendered. */
interface EntityShape {
  /** The sorted classes, without defines. */
  readonly meta: Entity['$meta'];
  readonly fields: readonly FieldShape[];
  /** Whether a field is a navigation field. */
  readonly navigates: boolean;
}

interface FieldShape {
  readonly field: FieldInfo;
  /** The relation that holds the values. */
  readonly reader: RelationReader | undefined;
}

const NOBODY: EntityShape = { meta: { type: '', classes: [] }, fields: [], navigates: false };

function shapeOf(rendering: Rendering, code: number): EntityShape {
  const { program, navigated, stored, shapes } = rendering;
  const concept = rendering.conceptOf(code);
  if (concept === undefined) return NOBODY;
  const known = shapes.get(concept);
  if (known !== undefined) return known;
  const fields = (program.classes.get(concept)?.fields ?? []).map((field) => ({
    field,
    reader: field.navigation ? navigated.get(field.navigation.relation) : stored.get(field.path),
  }));
  const classes = [...program.classPathsOf(concept)].sort();
  const shape = {
    meta: { type: concept, classes },
    fields,
    navigates: fields.some(({ field }) => field.navigation !== undefined),
  };
  shapes.set(concept, shape);
  return shape;
}

function startEntity({ defines }: Rendering, id: string, code: number, shape: EntityShape): Entity {
  // Without defines, all entities of a concept share the members that do not depend on the individual.
  if (defines.size === 0 || shape === NOBODY) return new StartedEntity(id, shape.meta);
  const { type, classes: own } = shape.meta;
  const classes = [...own];
  for (const [path, reader] of defines) if (reader.has([code])) classes.push(path);
  if (classes.length > own.length) classes.sort();
  return new StartedEntity(id, { type, classes });
}

/**
 * A class instead of an object literal: after many long-lived entities, V8 may allocate literals of that shape in the old generation, where
 * those of small responses would stay until a major collection.
 */
class StartedEntity implements Entity {
  [field: string]: JsonValue;
  readonly $id: string;
  readonly $meta: Entity['$meta'];

  constructor(id: string, meta: Entity['$meta']) {
    this.$id = id;
    this.$meta = meta;
  }
}
// Without a prototype, a field named `__proto__` is an ordinary member.
Reflect.setPrototypeOf(StartedEntity.prototype, null);

function fillPlain({ interner }: Rendering, entity: Entity, code: number, { fields }: EntityShape): Entity {
  for (const { field, reader } of fields) entity[field.name] = storedValue(interner, code, field, reader);
  return entity;
}

function* fill(rendering: Rendering, entity: Entity, code: number, { fields }: EntityShape): Generator<void, Entity> {
  for (const { field, reader } of fields) {
    entity[field.name] =
      field.navigation && reader !== undefined
        ? yield* navigate(rendering, entity.$id, code, field, reader)
        : storedValue(rendering.interner, code, field, reader);
  }
  return entity;
}

function storedValue(
  interner: Interner,
  code: number,
  { type }: FieldInfo,
  reader: RelationReader | undefined,
): JsonValue {
  return reader === undefined ? null : (toWire(type, interner.decode(type, reader.codeOf(code))) as JsonValue);
}

function* navigate(
  { program, interner }: Rendering,
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
  const decoded = yield* mapped(found, (value) => interner.decode(type, value));
  const values = yield* sorted(decoded, (left, right) => compareValues(program, type, left, right));
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

/** Returns if the class exists. Otherwise throws VALIDATION_FAILED. */
export function requireClass(view: View, path: string): void {
  if (view.program.classes.has(path)) return;
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `The module has no concept or define "${path}"${didYouMean(path, view.program.classes.keys()) || '; GET /v1/schema lists them.'}`,
    { class: path },
  );
}

/** What a program declares of stored facts: whether facts and codes mean the same under another program. */

import type { Json } from '../../artifact/types.js';
import type { Program } from '../../engine/index.js';
import { isStoredKind } from './scope.js';

/** As JSON, because it is saved with a state. */
export interface StoredShape {
  /** Declared facts and individuals, each as JSON text. They have the first codes. */
  readonly facts: readonly string[];
  readonly individuals: readonly string[];
  readonly enums: Readonly<Record<string, readonly string[]>>;
  /** Kind and parent of concepts and defines. */
  readonly classes: Readonly<Record<string, readonly [kind: string, parent: string | null]>>;
  /** Kind and endpoints of stored relations, fields and concepts, as JSON text. */
  readonly relations: Readonly<Record<string, string>>;
}

export function storedShape(program: Program): StoredShape {
  const { artifact } = program;
  return {
    facts: artifact.facts.map(({ relation, tuple }) => JSON.stringify([relation, tuple])),
    individuals: artifact.individuals.map(({ path, concept, fields }) =>
      JSON.stringify([path, concept, fields.map(({ field, value }) => [field, value])]),
    ),
    enums: Object.fromEntries(
      [...program.enums.values()].map(({ path, members }) => [path, members.map(({ name }) => name)]),
    ),
    classes: Object.fromEntries(
      [...program.classes.values()].map(({ path, kind, parent }) => [path, [kind, parent] as const]),
    ),
    relations: Object.fromEntries(
      [...program.relations.values()]
        .filter(({ kind }) => isStoredKind(kind))
        .map(({ path, kind, endpoints }) => [
          path,
          JSON.stringify([kind, endpoints.map(({ name, type }) => [name, type])]),
        ]),
    ),
  };
}

/** Whether a history that fits the first shape gives the same facts, with the same codes, under the second. */
export function keepsShape(before: StoredShape, after: StoredShape): boolean {
  return (
    isSame(before.facts, after.facts) &&
    isSame(before.individuals, after.individuals) &&
    Object.entries(before.enums).every(([path, members]) => isSame(members, valueAt(after.enums, path) ?? [])) &&
    Object.entries(before.classes).every(([path, own]) => keepsClass(own, valueAt(after.classes, path))) &&
    Object.entries(before.relations).every(([path, own]) => valueAt(after.relations, path) === own)
  );
}

/** A reference to a define is a reference to an individual of its concept. */
function keepsClass(
  before: StoredShape['classes'][string],
  after: StoredShape['classes'][string] | undefined,
): boolean {
  return after === undefined ? before[0] === 'define' : isSame(before, after);
}

function isSame(some: readonly Json[], others: readonly Json[]): boolean {
  return some.length === others.length && some.every((each, at) => each === others[at]);
}

function valueAt<T>(record: Readonly<Record<string, T>>, path: string): T | undefined {
  return Object.hasOwn(record, path) ? record[path] : undefined;
}

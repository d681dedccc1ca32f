/** Renames declarations in a whole history, as if they had always had the new names. */

import type { Json } from '../artifact/types.js';
import type { StoredEvent } from './event-store.js';
import { mapNested, type NestedPositions } from './nested-values.js';

type Names = Readonly<Record<string, string>>;

/** New names by old ones. What is not listed keeps its name. */
export interface Renaming {
  /** Of concepts, fields and relations, by path. */
  readonly paths: Names;
  /** By the old path of a relation or field, and by position of its tuples: new values. */
  readonly values: Readonly<Record<string, Readonly<Record<number, Names>>>>;
  /** The same inside lists and records. */
  readonly nested?: NestedPositions<Names>;
}

/** Returns an event with the new names. */
export function renamer(renaming: Renaming): (event: StoredEvent) => StoredEvent {
  return withNames(nameIn, renaming);
}

/**
 * Finds a new name that an event already uses for something else, which was removed or is hidden. Reusing the name would merge the
 * two.
 */
export function takenNames(renaming: Renaming): (event: StoredEvent) => string | undefined {
  const targets = new Map<Names, ReadonlySet<string>>();
  const isTaken = (names: Names, name: string): boolean => {
    const found = targets.get(names) ?? new Set(Object.values(names));
    targets.set(names, found);
    return found.has(name) && !Object.hasOwn(names, name);
  };
  let taken: string | undefined;
  const look = withNames((names, name) => {
    if (names !== undefined && isTaken(names, name)) taken ??= name;
    return name;
  }, renaming);
  return (event) => {
    taken = undefined;
    look(event);
    return taken;
  };
}

/** The new wire value at a position of a relation or field. */
export function renamedValue(renaming: Renaming, path: string, position: number, value: Json): Json {
  return readValue(nameIn, renaming, path, position, value);
}

function readValue(
  read: (names: Names | undefined, name: string) => string,
  { values, nested }: Renaming,
  path: string,
  position: number,
  value: Json,
): Json {
  if (typeof value === 'string') return read(values[path]?.[position], value);
  const places = nested?.[path]?.[position];
  if (places === undefined) return value;
  return mapNested(places, value, (names, part) => (typeof part === 'string' ? read(names, part) : part));
}

function nameIn(names: Names | undefined, name: string): string {
  return names !== undefined && Object.hasOwn(names, name) ? (names[name] as string) : name;
}

/** Replaces each name in an event by the result of `read`, which gets the renamed names of that kind. */
function withNames(
  read: (names: Names | undefined, name: string) => string,
  renaming: Renaming,
): (event: StoredEvent) => StoredEvent {
  const { paths } = renaming;
  const valueAt = (of: string, position: number, value: Json): Json => readValue(read, renaming, of, position, value);
  return (event) => {
    switch (event.kind) {
      case 'insertIndividual':
      case 'deleteIndividual':
      case 'forgetIndividual':
        return { ...event, concept: read(paths, event.concept) };
      case 'setField': {
        const { field, value } = event;
        return { ...event, field: read(paths, field), value: valueAt(field, 1, value) };
      }
      case 'insertFact':
      case 'deleteFact': {
        const { relation, tuple } = event;
        return {
          ...event,
          relation: read(paths, relation),
          tuple: tuple.map((item, at) => valueAt(relation, at, item)),
        };
      }
      case 'redacted': {
        if (event.clears === undefined) return event;
        const { id, field } = event.clears;
        return { ...event, clears: { id, field: read(paths, field) } };
      }
    }
  };
}

/** Other names for what a history tells of. A declaration that is renamed is so in all of it, as if it had always been called that. */

import type { Json } from '../artifact/types.js';
import type { StoredEvent } from './event-store.js';

type Names = Readonly<Record<string, string>>;

/** What has another name now. What is not listed keeps its own. */
export interface Renaming {
  /** Of concepts, fields and relations, by path. */
  readonly paths: Names;
  /** By relation or field as it was called before: of values at a position of its tuples, by that position. */
  readonly values: Readonly<Record<string, Readonly<Record<number, Names>>>>;
}

/** Makes of an event the one that tells the same under the new names. */
export function renamer(renaming: Renaming): (event: StoredEvent) => StoredEvent {
  return withNames(nameIn, renaming);
}

/**
 * Finds a new name that an event knows already, of something else: of what was declared once and is no more, or is hidden. To
 * give it to another would make one of the two.
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

/** A wire value at a position of a relation or field. */
export function renamedValue({ values }: Renaming, path: string, position: number, value: Json): Json {
  return typeof value === 'string' ? nameIn(values[path]?.[position], value) : value;
}

function nameIn(names: Names | undefined, name: string): string {
  return names !== undefined && Object.hasOwn(names, name) ? (names[name] as string) : name;
}

/** Puts in the place of each name that an event mentions what `read` makes of it, among those of its kind that are renamed. */
function withNames(
  read: (names: Names | undefined, name: string) => string,
  { paths, values }: Renaming,
): (event: StoredEvent) => StoredEvent {
  const valueAt = (of: string, position: number, value: Json): Json =>
    typeof value === 'string' ? read(values[of]?.[position], value) : value;
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

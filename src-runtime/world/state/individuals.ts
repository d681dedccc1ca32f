/** Resolves references on the wire: created individuals by id, declared ones by path or by unique name. */

import { localName } from '../../artifact/expression-text.js';
import type { Type } from '../../artifact/types.js';
import { articleFor } from '../../base/articles.js';
import { nearest } from '../../base/nearest.js';
import {
  holdsIndividuals,
  type Interner,
  individualsIn,
  type Program,
  type RelationReader,
  type Unresolved,
  type View,
  type WireEnvironment,
} from '../../engine/index.js';

const CREATED = /^#i(0|[1-9][0-9]{0,8})$/;

/** References must exist in `view` and be instances of the expected class. */
export function requestEnvironment(view: View): WireEnvironment {
  const { program, interner } = view;
  return {
    program,
    resolveIndividual(reference, classPath) {
      const id = CREATED.test(reference) ? reference : declaredId(program, reference);
      if (id === undefined) return undeclared(program, reference);
      const concept = conceptOf(view, interner.encodeIndividual(id));
      if (concept === undefined) return { received: `${reference}, which does not exist`, absent: id };
      return isInstance(program, concept, classPath) ? { id } : { received: ofConcept(reference, concept, classPath) };
    },
  };
}

/** For use before facts are loaded: declared individuals only, by their declared concept. */
export function declaredEnvironment(program: Program): WireEnvironment {
  return {
    program,
    resolveIndividual(reference, classPath) {
      const id = declaredId(program, reference);
      const concept = id && program.individuals.get(id.slice(1))?.concept;
      if (id === undefined || concept === undefined) return undeclared(program, reference);
      return isInstance(program, concept, classPath) ? { id } : { received: ofConcept(reference, concept, classPath) };
    },
  };
}

/** For history and declared facts: ids are taken as they are. If `concepts` is given, individuals must exist. */
export function historyEnvironment(
  view: Pick<View, 'program' | 'interner'>,
  conceptOfExisting?: (code: number) => string | undefined,
): WireEnvironment {
  const { program, interner } = view;
  return {
    program,
    resolveIndividual(reference, classPath) {
      const known = CREATED.test(reference) || program.individuals.has(reference.slice(1));
      if (!known) return { received: reference };
      if (conceptOfExisting === undefined) return { id: reference };
      const concept = conceptOfExisting(interner.encodeIndividual(reference));
      const fits = concept !== undefined && isInstance(program, concept, classPath);
      return fits ? { id: reference } : { received: reference };
    },
  };
}

/** Resolves `@m::n`, `m::n`, and if unique `@n` and `n`, to the id `@m::n`; undefined if no module declares it. */
export function declaredId(program: Program, reference: string): string | undefined {
  const name = reference.startsWith('@') ? reference.slice(1) : reference;
  if (program.individuals.has(name)) return `@${name}`;
  const paths = declaredPaths(program, name);
  return paths.length === 1 ? `@${paths[0]}` : undefined;
}

/** The error for an unknown or ambiguous declared individual, with suggestions. */
export function undeclared(program: Program, reference: string): Unresolved {
  const name = reference.replace(/^@/, '');
  const paths = declaredPaths(program, name);
  if (paths.length > 1) {
    return { received: `"${reference}", which may be ${paths.map((path) => `"${path}"`).join(' or ')}` };
  }
  const known = [...program.individuals.keys()];
  const similar = nearest(name, name.includes('::') ? known : known.map(localName));
  return {
    received: `"${reference}", which does not exist`,
    ...(similar !== undefined && {
      hint: `; did you mean "${similar}"?`,
      nearest: declaredId(program, similar) ?? similar,
    }),
  };
}

/** Full paths only if both classes have the same name. */
function ofConcept(reference: string, concept: string, classPath: string): string {
  const name = localName(concept) === localName(classPath) ? concept : localName(concept);
  return `${reference}, which is ${articleFor(name)} ${name}`;
}

function declaredPaths(program: Program, name: string): string[] {
  return [...program.individuals.keys()].filter((path) => localName(path) === name);
}

/** The concept of an individual; undefined if it does not exist in the view. */
export function conceptOf(view: Pick<View, 'program' | 'stored'>, code: number): string | undefined {
  const tuple = [code];
  return innermost(view.program, view.program.concepts.keys(), (path) => view.stored(path).has(tuple));
}

/** Like `conceptOf` for many individuals. The members of the concepts must be prepared. */
export function conceptFinder(
  program: Program,
  members: ReadonlyMap<string, RelationReader>,
): (code: number) => string | undefined {
  return (code) => {
    const tuple = [code];
    return innermost(program, members.keys(), (path) => members.get(path)?.has(tuple) === true);
  };
}

function innermost(
  program: Program,
  concepts: Iterable<string>,
  isMember: (concept: string) => boolean,
): string | undefined {
  let found: string | undefined;
  for (const path of concepts) {
    if (found !== undefined && !program.isSubclass(path, found)) continue;
    if (isMember(path)) found = path;
  }
  return found;
}

/**
 * Whether an individual of the concept may be used as the class. The members of a define are derived, so this checks only the define's
 * concept. The caller checks the members.
 */
export function isInstance(program: Program, concept: string, classPath: string): boolean {
  let wanted = classPath;
  while (program.classes.get(wanted)?.kind === 'define') wanted = program.classes.get(wanted)?.parent ?? wanted;
  return program.isSubclass(concept, wanted);
}

/** The codes of a type's values that are or contain the individual. A list or record among them may be in no fact. */
export function codesMentioning(interner: Interner, type: Type, code: number): readonly number[] {
  if (type.kind === 'class') return [code];
  if (!holdsIndividuals(type)) return [];
  const id = interner.decodeIndividual(code);
  return interner.mentions.of(id).filter((number) => {
    for (const found of individualsIn(type, interner.decode(type, number))) if (found.id === id) return true;
    return false;
  });
}

/** Created individuals are `#i<n>`; all others are declared. */
export function isCreated(id: string): boolean {
  return CREATED.test(id);
}

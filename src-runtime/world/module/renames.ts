/**
 * Renames of stored declarations: maps names of the running module to names of a candidate. The history is read, and stored after the load,
 * as if the new names had always been used. No facts are copied.
 */

import { ApiError } from '../../api/errors.js';
import type { Rename } from '../../api/schemas/module-schemas.js';
import type { Json, Type } from '../../artifact/types.js';
import { didYouMean } from '../../base/nearest.js';
import type { Program } from '../../engine/index.js';
import { type Renaming, renamedValue, renamer, type ScopeHistory, takenNames } from '../../storage/event-store.js';
import { nestedPositions } from '../state/nested-types.js';
import { isStoredKind } from '../state/scope.js';

/** A rename with a wrong name. Nothing has changed. */
export class RenameRefused extends ApiError {
  constructor(message: string, path: string) {
    super('SVC_RUNTIME_VALIDATION_FAILED', message, { path });
  }
}

export interface Renames {
  readonly given: readonly Rename[];
  /** Undefined without renames. */
  readonly renaming: Renaming | undefined;
  /** The candidate's name for a declaration of the running module, even if the candidate lacks it. */
  nameOf(path: string): string;
  /** The declaration of the running module that one of the candidate replaces; undefined for a new one. */
  formerNameOf(path: string): string | undefined;
  /** A wire tuple of a relation of the running module, in the candidate's names. */
  tupleOf(path: string, tuple: readonly Json[]): readonly Json[];
}

export const NO_RENAMES: Renames = {
  given: [],
  renaming: undefined,
  nameOf: (path) => path,
  formerNameOf: (path) => path,
  tupleOf: (_path, tuple) => tuple,
};

export type RenamedKind = 'module' | 'enum' | 'member' | 'concept' | 'field' | 'relation' | 'individual';

/** Everything that can be renamed, by path, with its kind. A member of an enum is `Enum.member`. */
export function renameable({ artifact, relations, enums, individuals }: Program): ReadonlyMap<string, RenamedKind> {
  const found = new Map<string, RenamedKind>();
  for (const { name } of artifact.modules) found.set(name, 'module');
  for (const { path, members } of enums.values()) {
    found.set(path, 'enum');
    for (const { name } of members) found.set(`${path}.${name}`, 'member');
  }
  for (const { path, kind } of relations.values()) {
    if (isStoredKind(kind)) found.set(path, kind === 'stored' ? 'relation' : (kind as 'concept' | 'field'));
  }
  for (const path of individuals.keys()) found.set(path, 'individual');
  return found;
}

/** Whether the program already has all new names. That happens if a save is repeated because its response was lost. */
export function areDone(program: Program, renames: readonly Rename[] = []): boolean {
  if (renames.length === 0) return true;
  const declared = renameable(program);
  return renames.every(({ from, to }) => !declared.has(from) && declared.has(to));
}

/** Throws RenameRefused for a name that either program lacks, and for two declarations with one new name. */
export function resolveRenames(before: Program, after: Program, renames: readonly Rename[]): Renames {
  if (renames.length === 0) return NO_RENAMES;
  const old = renameable(before);
  const names = checkedNames(old, renameable(after), renames);
  const nameOf = (path: string): string => {
    const own = names.get(path);
    if (own !== undefined) return own;
    const end = endOfParent(path);
    return end === 0 ? path : nameOf(path.slice(0, end)) + path.slice(end);
  };
  const formerNames = new Map<string, string>();
  // A check may have the name of the field that it belongs to.
  for (const path of new Set([...old.keys(), ...before.checks.keys(), ...before.rules.keys()])) {
    const name = nameOf(path);
    const other = formerNames.get(name);
    if (other !== undefined && old.has(path)) {
      const at = renames.findIndex(({ from }) => from === path || from === other);
      throw new RenameRefused(
        `"${other}" and "${path}" would both be "${name}"; use different names.`,
        `$.renames[${Math.max(at, 0)}]`,
      );
    }
    if (other === undefined) formerNames.set(name, path);
  }
  const renaming = renamingOf(before, nameOf);
  return {
    given: renames,
    renaming,
    nameOf,
    formerNameOf: (path) => formerNames.get(path),
    tupleOf: (path, tuple) => tuple.map((value, at) => renamedValue(renaming, path, at, value)),
  };
}

const RENAMEABLE = 'a module, concept, field, stored relation, enum, member or declared individual';

/** Validates the renames. Returns new names by old names. */
function checkedNames(
  old: ReadonlyMap<string, RenamedKind>,
  now: ReadonlyMap<string, RenamedKind>,
  renames: readonly Rename[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [index, { from, to }] of renames.entries()) {
    const [fromPath, toPath] = [`$.renames[${index}].from`, `$.renames[${index}].to`];
    const kind = old.get(from);
    if (kind === undefined) {
      const meant = didYouMean(from, old.keys()) || `; name ${RENAMEABLE} of it.`;
      throw new RenameRefused(`The running module has no stored declaration "${from}"${meant}`, fromPath);
    }
    if (names.has(from)) throw new RenameRefused(`"${from}" is renamed twice.`, fromPath);
    if (now.get(to) !== kind) {
      const others = [...now].filter(([, other]) => other === kind).map(([path]) => path);
      const article = kind === 'enum' || kind === 'individual' ? 'an' : 'a';
      throw new RenameRefused(
        `"${from}" is ${article} ${kind}, and the new module declares no ${kind} "${to}"${didYouMean(to, others) || '; declare it, or name one that it declares.'}`,
        toPath,
      );
    }
    names.set(from, to);
  }
  return names;
}

/** Where the parent's name ends in a path: the concept of a field, the module of a concept; 0 for a module. */
function endOfParent(path: string): number {
  const local = path.indexOf('::');
  const dot = path.indexOf('.', local + 2);
  if (local > 0 && dot > 0) return dot;
  return Math.max(local, 0);
}

function renamingOf(before: Program, nameOf: (path: string) => string): Renaming {
  const stored = [...before.relations.values()].filter(({ kind }) => isStoredKind(kind));
  const individuals = differing([...before.individuals.keys()].map((path) => [`@${path}`, `@${nameOf(path)}`]));
  const members = new Map(
    [...before.enums.values()].map(({ path, members }) => [
      path,
      differing(members.map(({ name }) => [name, localName(nameOf(`${path}.${name}`))])),
    ]),
  );
  const namesOf = (type: Type): Readonly<Record<string, string>> =>
    type.kind === 'class' ? individuals : type.kind === 'enum' ? (members.get(type.path) ?? {}) : {};
  const values = Object.fromEntries(
    [...before.relations.values()].map(({ path, endpoints }) => {
      const positions = endpoints.map(({ type }, position) => [position, namesOf(type)] as const);
      return [path, Object.fromEntries(positions.filter(([, names]) => Object.keys(names).length > 0))];
    }),
  );
  const nested = nestedPositions(before, (part) => {
    const names = namesOf(part);
    return Object.keys(names).length > 0 ? names : undefined;
  });
  return { paths: differing(stored.map(({ path }) => [path, nameOf(path)])), values, ...(nested && { nested }) };
}

function differing(names: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.filter(([from, to]) => from !== to));
}

function localName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** The history under the candidate's names. `onTaken` is called for each event that already uses a new name for something else. */
export function renamedHistory(
  store: ScopeHistory,
  { renaming }: Renames,
  onTaken: (name: string) => void,
): ScopeHistory {
  if (renaming === undefined) return store;
  const [rename, takenName] = [renamer(renaming), takenNames(renaming)];
  return {
    forks: (scopeId) => store.forks(scopeId),
    lastNumbers: (scopeId) => store.lastNumbers(scopeId),
    async *read(scopeId, fork, afterTxn, afterSeq) {
      for await (const part of store.read(scopeId, fork, afterTxn, afterSeq)) {
        const events = part.events.map((event) => {
          const taken = takenName(event);
          if (taken !== undefined) onTaken(taken);
          return rename(event);
        });
        yield { ...part, events };
      }
    },
  };
}

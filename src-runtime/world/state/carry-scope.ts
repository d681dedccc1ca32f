/**
 * Carries a scope over to a program with the same stored declarations, and perhaps more, without replaying the history. Its facts stay in
 * memory. The result is the same as a replay under the new program.
 */

import type { FactStore, Program } from '../../engine/index.js';
import { type Branch, type Fork, isStoredKind, type Scope } from './scope.js';
import { Writers } from './writers.js';

/** Whether a history that fits the first program gives the same facts, with the same codes, under the second. */
export function storesAlike(before: Program, after: Program): boolean {
  return (
    isSame(before.artifact.facts, after.artifact.facts, ({ relation, tuple }) => [relation, tuple]) &&
    isSame(before.artifact.individuals, after.artifact.individuals, ({ path, concept, fields }) => [
      path,
      concept,
      fields.map(({ field, value }) => [field, value]),
    ]) &&
    keepsEnums(before, after) &&
    keepsClasses(before, after) &&
    keepsRelations(before, after)
  );
}

/**
 * The old scope must hide no events and have no running writer. Afterwards only one of the two scopes may be written. Materialised
 * relations are carried over, except those of `affected` rules.
 */
export function carryScope(old: Scope, program: Program, affected: (rule: string) => boolean): Scope {
  const stores = new Map<FactStore, FactStore>();
  const under = { program, interner: old.interner.under(program), affected };
  const branchOf = ({ facts, base, lineage }: Branch): Branch => ({
    facts: facts.under(under, stores),
    base: base?.under(under, stores) ?? null,
    lineage,
  });
  const carried = new Map<Fork, Fork>();
  const carry = (fork: Fork): Fork => {
    const known = carried.get(fork);
    if (known !== undefined) return known;
    const parent = fork.parent && carry(fork.parent);
    const made = { ...fork, parent, branch: fork.branch && branchOf(fork.branch), projection: undefined };
    carried.set(fork, made);
    return made;
  };
  const main = { ...old.main, branch: branchOf(old.main.branch), projection: undefined };
  carried.set(old.main, main);
  return {
    ...old,
    program,
    interner: under.interner,
    writers: new Writers(),
    main,
    forks: new Map([...old.forks].map(([id, fork]) => [id, carry(fork)])),
    replayedBranches: new Map(),
    closedProjections: new Set(),
  };
}

/** Whether the candidate was carried over from the old scope, and so has all of its facts. */
export function isCarried(old: Scope, candidate: Scope): boolean {
  return candidate.declared === old.declared;
}

function isSame<T>(some: readonly T[], others: readonly T[], meaningOf: (item: T) => unknown): boolean {
  if (some.length !== others.length) return false;
  return some.every((item, at) => JSON.stringify(meaningOf(item)) === JSON.stringify(meaningOf(others[at] as T)));
}

function keepsEnums(before: Program, after: Program): boolean {
  return [...before.enums.values()].every(({ path, members }) =>
    isSame(members, after.enums.get(path)?.members ?? [], ({ name }) => name),
  );
}

/** A reference to a define is a reference to an individual of its concept. */
function keepsClasses(before: Program, after: Program): boolean {
  return [...before.classes.values()].every(({ path, kind, parent }) => {
    const other = after.classes.get(path);
    return other === undefined ? kind === 'define' : other.kind === kind && other.parent === parent;
  });
}

function keepsRelations(before: Program, after: Program): boolean {
  return [...before.relations.values()].every(({ path, kind, endpoints }) => {
    const other = after.relations.get(path);
    return (
      !isStoredKind(kind) ||
      (other?.kind === kind && isSame(endpoints, other.endpoints, ({ name, type }) => [name, type]))
    );
  });
}

/**
 * Carries a scope over to a program with the same stored declarations, and perhaps more, without replaying the history. Its facts stay in
 * memory. The result is the same as a replay under the new program.
 */

import type { FactStore, Program } from '../../engine/index.js';
import type { Branch, Fork, Scope } from './scope.js';
import { Writers } from './writers.js';

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

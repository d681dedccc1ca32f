/**
 * A scope under another program that declares everything stored as the one before does: its facts stay where they are in
 * memory. It comes to what replaying the history under the new program would make, without reading it.
 */

import { schemaHashOf } from '../artifact/identity.js';
import type { Artifact } from '../artifact/types.js';
import type { FactStore, Program } from '../engine/index.js';
import { CommitLine } from './commit-line.js';
import type { Branch, Fork, Scope } from './scope.js';
import { createWriterQueue } from './writer-queue.js';

/** Whether the same history makes the same facts under both programs, with the same codes. */
export function storeAlike(before: Program, after: Program): boolean {
  const [one, other] = [before.artifact, after.artifact];
  return storedHash(one) === storedHash(other) && areSameFacts(one, other) && areSameDefines(before, after);
}

/** Nobody writes to the scope meanwhile. Only one of the two may be written to from then on. */
export function carryScope(old: Scope, program: Program): Scope {
  const stores = new Map<FactStore, FactStore>();
  const branchOf = ({ facts, base, lineage }: Branch): Branch => ({
    facts: facts.under(program, stores),
    base: base?.under(program, stores) ?? null,
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
  const line = new CommitLine();
  return {
    ...old,
    program,
    writers: createWriterQueue(line),
    line,
    main,
    forks: new Map([...old.forks].map(([id, fork]) => [id, carry(fork)])),
    closedBranches: new Map(),
    closedProjections: new Set(),
  };
}

/** What an artifact says of itself is nothing to rely on, and reckoned once. */
function storedHash(artifact: Artifact): string {
  const hash = hashes.get(artifact) ?? schemaHashOf(artifact.schema, artifact.individuals);
  hashes.set(artifact, hash);
  return hash;
}

const hashes = new WeakMap<Artifact, string>();

function areSameFacts({ facts }: Artifact, { facts: others }: Artifact): boolean {
  if (facts.length !== others.length) return false;
  return facts.every(({ relation, tuple }, at) => {
    const other = others[at];
    return relation === other?.relation && JSON.stringify(tuple) === JSON.stringify(other.tuple);
  });
}

/** A reference to a define is one to an individual of its concept, which the hash says nothing of. */
function areSameDefines(before: Program, after: Program): boolean {
  for (const { path, kind, parent } of before.classes.values()) {
    const other = after.classes.get(path);
    if (kind === 'define' && other !== undefined && (other.kind !== kind || other.parent !== parent)) return false;
  }
  return true;
}

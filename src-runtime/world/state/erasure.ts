/**
 * What was forgotten, taken out of the forks in memory: each saw its parent as of its creation, when the individual was
 * still there. On disk their history has lost it already, so that this comes to what replaying that would make.
 */

import type { FactStore, Transaction } from '../../engine/index.js';
import type { Erasure } from '../../storage/event-store.js';
import { type Fork, isMain, isStoredKind, type Scope } from './scope.js';

export function eraseFromForks(scope: Scope, { individuals }: Erasure): void {
  const codes = individuals.map((id) => scope.interner.encodeIndividual(id));
  for (const fork of scope.forks.values()) if (!isMain(fork)) eraseFrom(fork, codes);
  scope.closedBranches.clear();
}

function eraseFrom(fork: Fork, individuals: readonly number[]): void {
  // What a derive found counted facts of the forgotten.
  fork.projection = undefined;
  if (fork.branch === undefined) return;
  const { facts, base, lineage } = fork.branch;
  if (eraseAll(facts, individuals)) lineage.own.push(0);
  if (base !== null) eraseAll(base, individuals);
}

/** False where there was nothing to erase, and so no commit. */
function eraseAll(facts: FactStore, individuals: readonly number[]): boolean {
  const transaction = facts.begin();
  let erased = 0;
  for (const code of individuals) erased += eraseIndividual(transaction, code);
  if (erased > 0) transaction.commit();
  else transaction.rollback();
  return erased > 0;
}

/** Deletes every fact that mentions the individual, also a required reference to it; returns how many. */
function eraseIndividual(transaction: Transaction, code: number): number {
  let erased = 0;
  for (const info of transaction.view.program.relations.values()) {
    if (!isStoredKind(info.kind)) continue;
    for (const [position, { type }] of info.endpoints.entries()) {
      if (type.kind !== 'class') continue;
      const pattern = info.endpoints.map((_, index) => (index === position ? code : null));
      erased += transaction.deleteMatching(info.path, pattern).length;
    }
  }
  return erased;
}

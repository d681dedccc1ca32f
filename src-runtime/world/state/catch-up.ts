/** Applies to a scope in memory what other servers have written to it. */

import { invariant } from '../../base/invariant.js';
import type { Deadline } from '../../base/ports.js';
import type { Transaction } from '../../engine/index.js';
import type { Entry, Position, SharedStore, StoredEvent, TransactionPart } from '../../storage/event-store.js';
import { closeFork } from './forks.js';
import { branchOff, dropBranch, forkOf, noteIndividuals, registerFork, transactionNote } from './open-scope.js';
import { replayTransaction } from './replay.js';
import type { Branch, Fork, Scope } from './scope.js';

/** What bringing a scope up needs. */
export interface CatchUpSite {
  readonly shared: Pick<SharedStore, 'entriesAfter'>;
  /** Opens the scope again. */
  readonly open: () => Promise<Scope>;
  readonly deadline: Deadline;
  /** Called with each fork whose label changed. */
  readonly onLabel?: (fork: Fork) => void;
}

/**
 * Brings a scope up to a position. Readers see the entries of one version together. Returns the scope, or the one that `open` returned
 * because the history was rewritten. To be called while no writer runs and nothing is pending.
 */
export async function broughtUp(scope: Scope, target: Position, site: CatchUpSite): Promise<Scope> {
  const { version, epoch } = scope.position;
  if (epoch >= target.epoch && version >= target.version) return scope;
  if (epoch === target.epoch && (await applyMissing(scope, site))) return scope;
  const opened = await site.open();
  scope.successor = opened;
  return opened;
}

/** Returns false, at some version before the last, if the history was rewritten. */
async function applyMissing(scope: Scope, { shared, deadline, onLabel }: CatchUpSite): Promise<boolean> {
  const version = new OpenVersion(scope, onLabel);
  try {
    for await (const entry of shared.entriesAfter(scope.scopeId, scope.position.version)) {
      version.startWith(entry.version);
      if (entry.kind !== 'transaction') version.apply(entry);
      else if (entry.part.events.some(isRewritten)) return false;
      else await version.addPart(entry.part, deadline);
    }
    version.commit();
    return true;
  } finally {
    version.rollback();
  }
}

/** An erasure changes older events too. */
function isRewritten({ kind }: StoredEvent): boolean {
  return kind === 'forgetIndividual' || kind === 'redacted';
}

/** The entries of one version: prepared one after the other, and committed at once. */
class OpenVersion {
  readonly #scope: Scope;
  readonly #onLabel: (fork: Fork) => void;
  #version: number | undefined;
  #commits: (() => void)[] = [];
  #created: Fork | undefined;
  #writing: { readonly transaction: Transaction; readonly fork: Fork; readonly branch: Branch } | undefined;

  constructor(scope: Scope, onLabel: (fork: Fork) => void = () => undefined) {
    this.#scope = scope;
    this.#onLabel = onLabel;
  }

  /** Commits the entries of the version before. */
  startWith(version: number): void {
    if (version === this.#version) return;
    this.commit();
    this.#version = version;
  }

  apply(entry: Exclude<Entry, { readonly kind: 'transaction' }>): void {
    const scope = this.#scope;
    switch (entry.kind) {
      case 'createFork': {
        const parent = scope.forks.get(entry.fork.parent);
        invariant(parent !== undefined, `the fork ${entry.fork.fork} comes after its parent`);
        const created = forkOf(entry.fork, parent);
        branchOff(created, parent);
        this.#created = created;
        this.#commits.push(() => registerFork(scope, created));
        return;
      }
      case 'closeFork': {
        const { status, closedAt } = entry.closing;
        const fork = this.#fork(entry.closing.fork);
        this.#commits.push(() => closeFork(scope, fork, status, closedAt));
        return;
      }
      case 'labelFork': {
        const { label, txn } = entry.labelling;
        // A closed fork may be labelled when another one has its id.
        const fork = this.#fork(entry.labelling.fork);
        if (fork.txn !== txn) return;
        this.#commits.push(() => {
          fork.label = label ?? undefined;
          this.#onLabel(fork);
        });
        return;
      }
    }
  }

  async addPart(part: TransactionPart, deadline: Deadline): Promise<void> {
    const { fork, branch, transaction } = this.#writing ?? this.#begin(part.fork);
    const misfits = await replayTransaction(transaction, part, deadline);
    if (misfits.length > 0) this.#scope.hides = true;
    noteIndividuals(this.#scope, part.events);
    this.#commits.push(transactionNote(this.#scope, fork, part));
    if (!part.isLast) return;
    const { txn } = part;
    this.#commits.push(() => {
      transaction.commit();
      branch.lineage.own.push(txn);
    });
  }

  commit(): void {
    if (this.#version === undefined) return;
    for (const commit of this.#commits) commit();
    this.#scope.position = { ...this.#scope.position, version: this.#version };
    this.#clear();
  }

  rollback(): void {
    this.#writing?.transaction.rollback();
    if (this.#created !== undefined) dropBranch(this.#created);
    this.#clear();
  }

  #clear(): void {
    this.#version = undefined;
    this.#commits = [];
    this.#created = undefined;
    this.#writing = undefined;
  }

  #begin(id: string) {
    const fork = this.#fork(id);
    const { branch } = fork;
    invariant(branch !== undefined, `the fork ${id} is open, because it was written to`);
    this.#writing = { fork, branch, transaction: branch.facts.begin() };
    return this.#writing;
  }

  #fork(id: string): Fork {
    const fork = this.#created?.id === id ? this.#created : this.#scope.forks.get(id);
    invariant(fork !== undefined, `the fork ${id} was created before it was written to`);
    return fork;
  }
}

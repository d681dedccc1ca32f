/**
 * Refuses changes that do not fit the history: an unknown scope, a transaction whose number does not follow the scope's last, an
 * event out of order, the closing of a fork that is not open, and a label for an unknown fork.
 */

import type { Change } from './database.js';
import { type ForkRecord, type LastNumbers, MAIN_FORK, StorageError } from './event-store.js';
import type { WrittenChange } from './written-changes.js';

/** The committed state. */
export interface Stored {
  /** Undefined for an unknown scope. */
  head(scopeId: string): LastNumbers | undefined;
  forks(scopeId: string): readonly ForkRecord[];
}

/** A scope after the changes so far. `opened` and `closed` hold the transaction numbers of forks. */
interface Staged {
  head: LastNumbers;
  readonly opened: Set<number>;
  readonly closed: Set<number>;
}

/**
 * Returns for each change in turn, as if those before it had been applied, why it must be refused, or undefined if it may commit.
 */
export function changeChecker(stored: Stored): (written: WrittenChange) => StorageError | undefined {
  const scopes = new Map<string, Staged>();
  // Ids that these changes have freed. What is stored under them belongs to another id now.
  const freed = new Set<string>();
  return (written) => {
    const { change } = written;
    if (change.kind === 'noteAdoption') return undefined;
    const scopeId = change.kind === 'createScope' ? change.record.scopeId : change.scopeId;
    const staged = scopes.get(scopeId) ?? (freed.has(scopeId) ? undefined : unstaged(stored.head(scopeId)));
    if (change.kind === 'createScope') {
      if (staged !== undefined) return refusal(`Scope ${scopeId} exists already`);
      scopes.set(scopeId, unstaged({ txn: 0, seq: 0 }));
      return undefined;
    }
    if (staged === undefined) return refusal(`There is no scope ${scopeId}; create it first`);
    if (change.kind === 'setAside') {
      const { asideId } = change;
      if (scopes.has(asideId) || stored.head(asideId) !== undefined) return refusal(`Scope ${asideId} exists already`);
      if (staged.opened.size > 0 || staged.closed.size > 0) return refusal(`Scope ${scopeId} is being written to`);
      scopes.set(asideId, staged);
      scopes.delete(scopeId);
      freed.add(scopeId);
      if (change.schemaHash !== undefined) scopes.set(scopeId, unstaged(staged.head));
      return undefined;
    }
    scopes.set(scopeId, staged);
    return stage(change, written, { scopeId, staged, stored });
  };
}

function unstaged(head: LastNumbers): Staged;
function unstaged(head: LastNumbers | undefined): Staged | undefined;
function unstaged(head: LastNumbers | undefined): Staged | undefined {
  return head && { head, opened: new Set(), closed: new Set() };
}

function stage(
  change: Exclude<Change, { kind: 'createScope' | 'setAside' | 'noteAdoption' }>,
  written: WrittenChange,
  { scopeId, staged, stored }: { readonly scopeId: string; readonly staged: Staged; readonly stored: Stored },
): StorageError | undefined {
  switch (change.kind) {
    case 'recordSchema':
    case 'rename':
    case 'keepOutcome':
      return undefined;
    case 'copyNumbers': {
      const { txn, seq } = change.last;
      if (txn < staged.head.txn || seq < staged.head.seq) {
        return refusal(`Scope ${scopeId} has used higher numbers than ${txn} and ${seq}`);
      }
      staged.head = change.last;
      return undefined;
    }
    case 'append':
      return stageTransaction(change.transaction.txn, written, scopeId, staged, change.isCopy);
    case 'createFork': {
      const { fork, txn } = change.fork;
      if (fork === MAIN_FORK) return refusal(`Fork ${MAIN_FORK} always exists and has no record of its own`);
      const isGap = change.isCopy && txn > staged.head.txn;
      const problem = isGap ? undefined : wrongNumber(txn, staged.head);
      if (problem !== undefined) return refusal(`Fork ${fork} of scope ${scopeId} is refused: ${problem}`);
      staged.head = { ...staged.head, txn };
      staged.opened.add(txn);
      return undefined;
    }
    case 'closeFork': {
      const { fork, txn } = change.closing;
      const isOpen = () => stored.forks(scopeId).some((each) => each.txn === txn && each.status === 'open');
      if (staged.closed.has(txn) || !(staged.opened.has(txn) || isOpen())) {
        return refusal(`Fork ${fork} of scope ${scopeId} is not open and cannot be closed`);
      }
      const refused = change.promoted && stageTransaction(change.promoted.txn, written, scopeId, staged);
      if (refused === undefined) staged.closed.add(txn);
      return refused;
    }
    case 'labelFork': {
      const { fork, txn } = change.labelling;
      if (staged.opened.has(txn) || stored.forks(scopeId).some((each) => each.txn === txn)) return undefined;
      return refusal(`There is no fork ${fork} of scope ${scopeId} to be labelled`);
    }
  }
}

function stageTransaction(
  txn: number,
  written: WrittenChange,
  scopeId: string,
  staged: Staged,
  isCopy = false,
): StorageError | undefined {
  const isGap = isCopy && txn > staged.head.txn;
  const problem = (isGap ? undefined : wrongNumber(txn, staged.head)) ?? outOfOrder(written, staged.head);
  if (problem !== undefined) return refusal(`Transaction ${txn} of scope ${scopeId} is refused: ${problem}`);
  staged.head = { txn, seq: written.parts.at(-1)?.lastSeq ?? staged.head.seq };
  return undefined;
}

function outOfOrder({ parts: [first], disorder }: WrittenChange, head: LastNumbers): string | undefined {
  if (first === undefined || first.firstSeq > head.seq) return disorder;
  return `event ${first.firstSeq} does not follow event ${head.seq}`;
}

function wrongNumber(txn: number, head: LastNumbers): string | undefined {
  return txn === head.txn + 1 ? undefined : `its number does not follow ${head.txn}, the scope's last`;
}

function refusal(message: string): StorageError {
  return new StorageError(message, 'failed');
}

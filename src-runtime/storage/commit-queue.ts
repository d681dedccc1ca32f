/**
 * Group commit: changes that wait for the disk are committed together, with a single sync, whichever scope they belong to.
 *
 * Changes commit in the order in which they were added. The numbers of a scope's transactions are consecutive, so a transaction
 * that was written on top of a refused one is refused too.
 */

import { changeChecker } from './changes.js';
import type { Change, Database } from './database.js';
import { asStorageError } from './errors.js';
import type { StorageError } from './event-store.js';
import { isRewrite } from './rewriting.js';
import { inTimeSlices } from './time-slices.js';
import { type Written, type WrittenChange, written } from './written-changes.js';

/** Longest group, in characters of its text; a single transaction may be longer. */
const GROUP_CHARACTERS_MAX = 4 * 1024 * 1024;

/** Changes that are committed together or not at all, serialized. */
export interface Ready {
  readonly written: Written;
  readonly resolve: () => void;
  readonly reject: (error: StorageError) => void;
}

interface Waiting extends Omit<Ready, 'written'> {
  /** Undefined for long changes, which are serialized when their group is taken. */
  written: Written | undefined;
  readonly writing: Generator<void, Written>;
}

export class CommitQueue {
  #waiting: Waiting[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Settles once the changes are committed or refused. They must not be modified until then. */
  async add(changes: readonly Change[]): Promise<void> {
    const writing = written(changes);
    const step = writing.next();
    const short = step.done === true ? step.value : undefined;
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ written: short, writing, resolve, reject });
    });
  }

  /** Takes the next group off the queue: all waiting changes, up to the size limit of a group. A rewrite is always alone in its group. */
  async takeGroup(): Promise<readonly Ready[]> {
    const group: Ready[] = [];
    let characters = 0;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      try {
        next.written ??= await inTimeSlices(next.writing);
      } catch (error) {
        this.#waiting.shift();
        next.reject(asStorageError(error, 'write the history'));
        continue;
      }
      characters += next.written.characters;
      const isAlone = next.written.changes.some(isRewrite);
      if (group.length > 0 && (isAlone || characters > GROUP_CHARACTERS_MAX)) break;
      this.#waiting.shift();
      const { written: all, resolve, reject } = next;
      group.push({ written: all, resolve, reject });
      if (isAlone) break;
    }
    return group;
  }
}

/** The members of a group that may commit. Rejects the others with the reason. */
export function acceptable(group: readonly Ready[], database: Database): readonly Ready[] {
  let refusalOf = changeChecker(database);
  const accepted: Ready[] = [];
  for (const ready of group) {
    const { changes } = ready.written;
    const refusal = firstRefusal(changes, refusalOf);
    if (refusal === undefined) {
      accepted.push(ready);
      continue;
    }
    ready.reject(refusal);
    if (changes.length === 1) continue;
    // The checker has applied the first changes of the refused member. Start again from the accepted ones.
    refusalOf = changeChecker(database);
    for (const { written } of accepted) firstRefusal(written.changes, refusalOf);
  }
  return accepted;
}

function firstRefusal(
  changes: readonly WrittenChange[],
  refusalOf: (written: WrittenChange) => StorageError | undefined,
): StorageError | undefined {
  for (const change of changes) {
    const refusal = refusalOf(change);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Changes that wait to be committed, in the order in which they were asked for, and those that are committed together. */

import { changeChecker } from './changes.js';
import type { Change, Database } from './database.js';
import { asStorageError } from './errors.js';
import type { StorageError } from './event-store.js';
import { inTurns } from './turns.js';
import { type Written, type WrittenChange, written } from './written-changes.js';

/** A commit takes what waits, up to about this much text; a single transaction may be larger. */
const COMMIT_CHARACTERS_MAX = 4 * 1024 * 1024;

/** Changes that are made together or not at all, and are written. */
export interface Ready {
  readonly written: Written;
  readonly resolve: () => void;
  readonly reject: (error: StorageError) => void;
}

interface Waiting extends Omit<Ready, 'written'> {
  /** Short changes are written at once, long ones when it is their turn. */
  written: Written | undefined;
  readonly writing: Generator<void, Written>;
}

export class CommitQueue {
  #waiting: Waiting[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Resolves and rejects as whoever takes the group says. */
  async add(changes: readonly Change[]): Promise<void> {
    const writing = written(changes);
    const step = writing.next();
    const driveAsync = step.done === true ? step.value : undefined;
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ written: driveAsync, writing, resolve, reject });
    });
  }

  /** What is committed next, all that waits or as much of it as a commit takes. */
  async takeGroup(): Promise<readonly Ready[]> {
    const group: Ready[] = [];
    let characters = 0;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      try {
        next.written ??= await inTurns(next.writing);
      } catch (error) {
        this.#waiting.shift();
        next.reject(asStorageError(error, 'write the history'));
        continue;
      }
      characters += next.written.characters;
      if (group.length > 0 && characters > COMMIT_CHARACTERS_MAX) break;
      this.#waiting.shift();
      const { written: all, resolve, reject } = next;
      group.push({ written: all, resolve, reject });
    }
    return group;
  }
}

/** Those of a group that may go ahead; the others are told why they are refused. */
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
    // Nothing that comes behind is to build on the part of it that would have gone ahead.
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

/**
 * Group commit: changes that wait for the disk are committed together, with a single sync, whichever scope they belong to.
 *
 * Changes commit in the order in which they were added. The numbers of a scope's transactions are consecutive, so a transaction
 * that was written on top of a refused one is refused too.
 */

import { changeChecker, type Stored } from './changes.js';
import type { Change } from './database.js';
import { asStorageError } from './errors.js';
import { type Position, ScopeBehind, type StorageError } from './event-store.js';
import { isRewrite } from './rewriting.js';
import { inTimeSlices } from './time-slices.js';
import { type Written, type WrittenChange, written } from './written-changes.js';

/** Longest group, in characters of its text; a single transaction may be longer. */
const GROUP_CHARACTERS_MAX = 4 * 1024 * 1024;

/** Changes that are committed together or not at all, serialized. */
export interface Ready {
  readonly written: Written;
  /** What it builds on, in a shared store. */
  readonly at: Position | undefined;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
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
  add(changes: readonly Change[], at?: Position): Promise<void> {
    const writing = written(changes);
    const step = writing.next();
    const short = step.done === true ? step.value : undefined;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ written: short, writing, at, resolve, reject });
    });
  }

  /** Rejects what waits and builds on an earlier write, which has failed. */
  rejectFollowing(error: Error): void {
    for (const { at, reject } of this.#waiting) if (at !== undefined) reject(error);
    this.#waiting = this.#waiting.filter(({ at }) => at === undefined);
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
      const { written: all, at, resolve, reject } = next;
      group.push({ written: all, at, resolve, reject });
      if (isAlone) break;
    }
    return group;
  }
}

/**
 * The members of a group that may commit. Rejects the others with the reason. `head` is the position of the scope in a shared store, whose
 * groups have one scope: there a member that builds on a rejected one is rejected too.
 */
export function acceptable(group: readonly Ready[], stored: Stored, head?: Position): readonly Ready[] {
  let refusalOf = changeChecker(stored);
  const accepted: Ready[] = [];
  let before: Error | undefined;
  for (const ready of group) {
    const { changes } = ready.written;
    const isBuiltOn = head !== undefined && ready.at !== undefined;
    const unfit = isBuiltOn ? (before ?? behind(ready.at, head, accepted.filter(isVersioned).length)) : undefined;
    const refusal = unfit ?? firstRefusal(changes, refusalOf);
    if (refusal === undefined) {
      accepted.push(ready);
      continue;
    }
    before ??= refusal;
    ready.reject(refusal);
    if (unfit !== undefined || changes.length === 1) continue;
    // The checker has applied the first changes of the refused member. Start again from the accepted ones.
    refusalOf = changeChecker(stored);
    for (const { written } of accepted) firstRefusal(written.changes, refusalOf);
  }
  return accepted;
}

/** Whether the write counts as a new version of its scope. */
export function isVersioned({ written }: Ready): boolean {
  return written.changes.some(({ change }) => VERSIONED.has(change.kind));
}

const VERSIONED: ReadonlySet<Change['kind']> = new Set(['append', 'createFork', 'closeFork', 'labelFork']);

function behind(at: Position | undefined, head: Position, writes: number): ScopeBehind | undefined {
  const isSame = at?.version === head.version + writes && at.epoch === head.epoch && at.deployment === head.deployment;
  return isSame ? undefined : new ScopeBehind('Another server has written to the scope');
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

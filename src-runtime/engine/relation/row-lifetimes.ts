/**
 * Row lifetimes (MVCC): the version that created each own row, and the version that deleted it. Rows of a base that an
 * overlay deleted have tombstones there; only the order of their deletions is kept here.
 */

import { countUpTo, NO_INTS, resized } from '../values/int-array.js';
import { RunLengths } from './run-lengths.js';

/** Above every version. `deletedAt` stores the version of a deletion minus NEVER, and 0 for a live row. */
export const NEVER = 0x7fffffff;

/** A vacuum compares deleted rows with at most this many versions. */
const VACUUM_VERSIONS_MAX = 16;

export class RowLifetimes {
  /** 0 for a live row, else the version of its deletion minus NEVER. */
  deletedAt = NO_INTS;
  /** No own row before this one has been deleted since the last compaction. */
  liveEnd = NEVER;
  /** True once some view does not see a row that was created before it. */
  hasHoles = false;
  /** Deleted rows slow reading: remove them as soon as no reader is open, even if they are few. */
  needsVacuum = false;
  /** Deletions up to this version may be forgotten. */
  compactedAt = 0;
  /** Of own rows and rows of the base. */
  readonly deletions = new Deletions();
  private creations = new RunLengths();
  /** Deletions before this one are vacuumed. */
  private vacuumed = 0;

  /** For rows that all exist from the beginning. */
  static of(capacity: number): RowLifetimes {
    const lifetimes = new RowLifetimes();
    lifetimes.deletedAt = new Int32Array(capacity);
    return lifetimes;
  }

  resize(count: number, capacity: number): void {
    this.deletedAt = resized(this.deletedAt, count, capacity);
  }

  /** Versions ascend. */
  create(own: number, version: number): void {
    this.creations.add(own, version);
    this.deletedAt[own] = 0;
  }

  /** The same for the rows from `own` to `end`. */
  createAll(own: number, end: number, version: number): void {
    this.creations.add(own, version);
    this.deletedAt.fill(0, own, end);
  }

  createdAt(own: number): number {
    return this.creations.of(own);
  }

  /** One past the last of `count` rows that this version or an earlier one created. */
  createdEnd(version: number, count: number): number {
    return this.creations.upTo(version, count);
  }

  remove(own: number, version: number): void {
    this.deletedAt[own] = version - NEVER;
    this.liveEnd = Math.min(this.liveEnd, own);
  }

  restore(own: number): void {
    this.deletedAt[own] = 0;
  }

  /** The version that deleted the row; undefined for a live one. */
  deletionOf(own: number): number | undefined {
    const deletedAt = this.deletedAt[own] ?? 0;
    return deletedAt === 0 ? undefined : deletedAt + NEVER;
  }

  wasDeletedAt(own: number, version: number): boolean {
    return this.deletedAt[own] === version - NEVER;
  }

  /** Whether the version sees this one of `count` rows. */
  isSeen(own: number, version: number, count: number): boolean {
    return own < this.creations.upTo(version, count) && (this.deletedAt[own] ?? 0) > version - NEVER;
  }

  /** Undoes the creations after this version among `count` rows. */
  undoCreations(version: number, count: number): void {
    const kept = this.creations.upTo(version, count);
    if (kept === count) return;
    // A row deleted at its creation is never visible. Creations stay ascending, since later ones may have this
    // version.
    this.creations.undoTo(version);
    this.creations.add(kept, version);
    this.deletedAt.fill(version - NEVER, kept, count);
    this.liveEnd = Math.min(this.liveEnd, kept);
    this.hasHoles = true;
  }

  /** Deleted rows that may slow reading. */
  get deadRows(): number {
    return this.deletions.count - Math.min(this.vacuumed, this.deletions.count);
  }

  /** Tells which of `count` rows none of these versions sees; null if a vacuum is not worth it. */
  unseenBy(versions: readonly number[], count: number): ((own: number) => boolean) | null {
    if (!this.needsVacuum || versions.length > VACUUM_VERSIONS_MAX) return null;
    const bounds = versions.map((version) => this.creations.upTo(version, count));
    return (own) => {
      const deletedAt = this.deletedAt[own] ?? 0;
      return deletedAt !== 0 && !versions.some((version, at) => own < (bounds[at] ?? 0) && deletedAt > version - NEVER);
    };
  }

  /** Notes that all deleted rows have been unlinked. */
  noteVacuum(): void {
    this.needsVacuum = false;
    this.vacuumed = this.deletions.count;
    this.compactedAt = this.deletions.last ?? this.compactedAt;
  }

  /** Starts over after a compaction: all rows are live, and were created in these runs. */
  restart(creations: RunLengths): void {
    this.creations = creations;
    this.hasHoles = false;
    this.needsVacuum = false;
    this.vacuumed = 0;
    this.liveEnd = NEVER;
    this.compactedAt = this.deletions.clear() ?? this.compactedAt;
    this.deletedAt.fill(0);
  }
}

/** The rows of a relation in the order of their deletion, with its versions. A restored row may be among them. */
class Deletions {
  private rows: number[] = [];
  private versions: number[] = [];

  get count(): number {
    return this.rows.length;
  }

  /** Versions ascend. */
  add(row: number, version: number): void {
    this.rows.push(row);
    this.versions.push(version);
  }

  /** The version of the last deletion. */
  get last(): number | undefined {
    return this.versions.at(-1);
  }

  rowAt(index: number): number {
    return this.rows[index] ?? 0;
  }

  /** How many deletions happened up to this version. */
  countBy(version: number): number {
    return countUpTo(this.versions, this.versions.length, version);
  }

  /** Drops the deletions after this version and returns their rows. */
  undoTo(version: number): number[] {
    const first = this.countBy(version);
    this.versions.length = Math.min(this.versions.length, first);
    return this.rows.splice(first);
  }

  /** Drops all deletions and returns the version of the last. */
  clear(): number | undefined {
    const last = this.versions.at(-1);
    this.rows = [];
    this.versions = [];
    return last;
  }
}

/** Of a relation without versions. */
export const NO_LIFETIMES = new RowLifetimes();

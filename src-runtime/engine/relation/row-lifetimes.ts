/**
 * When the rows of a relation are seen: each of its own from the version on that it was born at, until the one that it died at. Those
 * of a base that have died in an overlay stand in its tombs; of their deaths is only told here in which order they came.
 */

import { countUpTo, NO_INTS, resized } from '../values/int-array.js';
import { RowRuns } from './run-lengths.js';

/** Behind every version. A row that lives has the death 0; one that died at a version, that version less this. */
export const NEVER = 0x7fffffff;

/** Versions that dead rows are looked for in, at most. */
const VACUUM_VERSIONS_MAX = 16;

export class RowLifetimes {
  /** Zero for a row that lives, else the version of its death less NEVER. */
  deletedAt = NO_INTS;
  /** No own row below this one has died since the rows were last compacted. */
  liveEnd = NEVER;
  /** True once a row is not seen by every view from its birth on. */
  hasHoles = false;
  /** Dead rows are in the way of reading: they are to be dropped as soon as nobody reads, however few they are. */
  needsVacuum = false;
  /** What died up to this version may have been forgotten. */
  compactedAt = 0;
  /** Of own rows and of those of the base. */
  readonly deletions = new Deletions();
  private creations = new RowRuns();
  /** Of the deaths, those before this one are not in the way any more. */
  private vacuumed = 0;

  /** Of rows that are all there from the beginning. */
  static of(capacity: number): RowLifetimes {
    const lifetimes = new RowLifetimes();
    lifetimes.deletedAt = new Int32Array(capacity);
    return lifetimes;
  }

  resize(count: number, capacity: number): void {
    this.deletedAt = resized(this.deletedAt, count, capacity);
  }

  /** Versions never go down. */
  create(own: number, version: number): void {
    this.creations.add(own, version);
    this.deletedAt[own] = 0;
  }

  createdAt(own: number): number {
    return this.creations.of(own);
  }

  /** Behind the last of `count` rows that was born by this version. */
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

  wasDeletedAt(own: number, version: number): boolean {
    return this.deletedAt[own] === version - NEVER;
  }

  /** Whether the version sees this one of `count` rows. */
  isSeen(own: number, version: number, count: number): boolean {
    return own < this.creations.upTo(version, count) && (this.deletedAt[own] ?? 0) > version - NEVER;
  }

  /** Takes back the births of `count` rows after this version. */
  undoCreations(version: number, count: number): void {
    const kept = this.creations.upTo(version, count);
    if (kept === count) return;
    // A row that dies as it is born is seen by nobody. Births stay ascending, as later ones may be of this version.
    this.creations.undoTo(version);
    this.creations.add(kept, version);
    this.deletedAt.fill(version - NEVER, kept, count);
    this.liveEnd = Math.min(this.liveEnd, kept);
    this.hasHoles = true;
  }

  /** Of those that have died, how many may be in the way of reading. */
  get deadRows(): number {
    return this.deletions.count - Math.min(this.vacuumed, this.deletions.count);
  }

  /** Which of `count` rows none of these versions sees; null where it is not worth to tell. */
  unseenBy(versions: readonly number[], count: number): ((own: number) => boolean) | null {
    if (!this.needsVacuum || versions.length > VACUUM_VERSIONS_MAX) return null;
    const bounds = versions.map((version) => this.creations.upTo(version, count));
    return (own) => {
      const deletedAt = this.deletedAt[own] ?? 0;
      return deletedAt !== 0 && !versions.some((version, at) => own < (bounds[at] ?? 0) && deletedAt > version - NEVER);
    };
  }

  /** Notes that who has died is in nobody's way any more. */
  noteVacuum(): void {
    this.needsVacuum = false;
    this.vacuumed = this.deletions.count;
    this.compactedAt = this.deletions.last ?? this.compactedAt;
  }

  /** Of rows that have been moved together: those that are left live, and were born so. */
  restart(creations: RowRuns): void {
    this.creations = creations;
    this.hasHoles = false;
    this.needsVacuum = false;
    this.vacuumed = 0;
    this.liveEnd = NEVER;
    this.compactedAt = this.deletions.clear() ?? this.compactedAt;
    this.deletedAt.fill(0);
  }
}

/** A row that was revived may be among them. */
export class Deletions {
  private rows: number[] = [];
  private versions: number[] = [];

  get count(): number {
    return this.rows.length;
  }

  /** Versions never go down. */
  add(row: number, version: number): void {
    this.rows.push(row);
    this.versions.push(version);
  }

  /** The version of the last. */
  get last(): number | undefined {
    return this.versions.at(-1);
  }

  rowAt(index: number): number {
    return this.rows[index] ?? 0;
  }

  /** How many, counted from the first, had happened by this version. */
  countBy(version: number): number {
    return countUpTo(this.versions, this.versions.length, version);
  }

  /** Forgets those after this version and gives their rows. */
  undoTo(version: number): number[] {
    const first = this.countBy(version);
    this.versions.length = Math.min(this.versions.length, first);
    return this.rows.splice(first);
  }

  /** Forgets all of them and gives the version of the last. */
  clear(): number | undefined {
    const last = this.versions.at(-1);
    this.rows = [];
    this.versions = [];
    return last;
  }
}

/** Of a relation without versions. */
export const NO_LIFETIMES = new RowLifetimes();

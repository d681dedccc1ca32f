/**
 * When the rows of a relation are seen: each of its own from the version on that it was born at, until the one that it died at. Those
 * of a base that have died in an overlay stand in its tombs; of their deaths is only told here in which order they came.
 */

import { NO_INTS, resized } from '../values/int-array.js';
import { Deaths } from './deaths.js';
import { RowRuns } from './row-runs.js';
import { NEVER } from './versions.js';

/** Versions that dead rows are looked for in, at most. */
const PASSED_OVER_FOR = 16;

export class Lives {
  /** Zero for a row that lives, else the version of its death less NEVER. */
  death = NO_INTS;
  /** No own row below this one has died since the rows were last compacted. */
  livingEnd = NEVER;
  /** True once a row is not seen by every view from its birth on. */
  hasHoles = false;
  /** Dead rows are in the way of reading: they are to be dropped as soon as nobody reads, however few they are. */
  isCrowded = false;
  /** What died up to this version may have been forgotten. */
  compactedAt = 0;
  /** Of own rows and of those of the base. */
  readonly deaths = new Deaths();
  private births = new RowRuns();
  /** Of the deaths, those before this one are not in the way any more. */
  private passedOver = 0;

  /** Of rows that are all there from the beginning. */
  static of(capacity: number): Lives {
    const lives = new Lives();
    lives.death = new Int32Array(capacity);
    return lives;
  }

  resize(count: number, capacity: number): void {
    this.death = resized(this.death, count, capacity);
  }

  /** Versions never go down. */
  bear(own: number, version: number): void {
    this.births.add(own, version);
    this.death[own] = 0;
  }

  birthOf(own: number): number {
    return this.births.of(own);
  }

  /** Behind the last of `count` rows that was born by this version. */
  bornBy(version: number, count: number): number {
    return this.births.upTo(version, count);
  }

  kill(own: number, version: number): void {
    this.death[own] = version - NEVER;
    this.livingEnd = Math.min(this.livingEnd, own);
  }

  revive(own: number): void {
    this.death[own] = 0;
  }

  diedAt(own: number, version: number): boolean {
    return this.death[own] === version - NEVER;
  }

  /** Whether the version sees this one of `count` rows. */
  isSeen(own: number, version: number, count: number): boolean {
    return own < this.births.upTo(version, count) && (this.death[own] ?? 0) > version - NEVER;
  }

  /** Takes back the births of `count` rows after this version. */
  undoBirths(version: number, count: number): void {
    const kept = this.births.upTo(version, count);
    if (kept === count) return;
    // A row that dies as it is born is seen by nobody. Births stay ascending, as later ones may be of this version.
    this.births.undoTo(version);
    this.births.add(kept, version);
    this.death.fill(version - NEVER, kept, count);
    this.livingEnd = Math.min(this.livingEnd, kept);
    this.hasHoles = true;
  }

  /** Of those that have died, how many may be in the way of reading. */
  get crowd(): number {
    return this.deaths.count - Math.min(this.passedOver, this.deaths.count);
  }

  /** Which of `count` rows none of these versions sees; null where it is not worth to tell. */
  unseenBy(versions: readonly number[], count: number): ((own: number) => boolean) | null {
    if (!this.isCrowded || versions.length > PASSED_OVER_FOR) return null;
    const bounds = versions.map((version) => this.births.upTo(version, count));
    return (own) => {
      const death = this.death[own] ?? 0;
      return death !== 0 && !versions.some((version, at) => own < (bounds[at] ?? 0) && death > version - NEVER);
    };
  }

  /** Notes that who has died is in nobody's way any more. */
  passOver(): void {
    this.isCrowded = false;
    this.passedOver = this.deaths.count;
    this.compactedAt = this.deaths.last ?? this.compactedAt;
  }

  /** Of rows that have been moved together: those that are left live, and were born so. */
  restart(births: RowRuns): void {
    this.births = births;
    this.hasHoles = false;
    this.isCrowded = false;
    this.passedOver = 0;
    this.livingEnd = NEVER;
    this.compactedAt = this.deaths.clear() ?? this.compactedAt;
    this.death.fill(0);
  }
}

/** Of a relation without versions. */
export const NO_LIVES = new Lives();

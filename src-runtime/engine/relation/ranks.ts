/**
 * The ranks of a derived relation's own rows: of each that of its lowest known proof within its component, from 1. As long
 * as an evaluation's rounds tell, which are the ranks, they are not written out.
 */

import { NO_INTS, resized } from '../values/int-array.js';
import { RowSet } from './row-set.js';
import { RowRuns } from './run-lengths.js';

export class Ranks {
  /** True as long as no proof of a row within its component is lower than its rank says: maintenance leaves a row at its rank. */
  areLowest = true;
  /** Counted with those of the base: rows from this one on have come since, and may still get a lower rank. */
  settledEnd = 0;
  /** False of a relation whose rows have none. */
  areKnown = false;
  private written = NO_INTS;
  /** Of a relation that is evaluated: the round that found each row. */
  private rounds: RowRuns | null = null;
  /** True once a row has been loose: until then nothing is looked up. */
  hasLoose = false;
  /** Of the base's rows too. */
  private readonly loose = new RowSet();

  /** Of a relation that an evaluation fills. */
  static ofRounds(): Ranks {
    const ranks = new Ranks();
    ranks.areKnown = true;
    ranks.rounds = new RowRuns();
    return ranks;
  }

  /** Of a relation whose rows come with their ranks. */
  static written(capacity: number): Ranks {
    const ranks = new Ranks();
    ranks.areKnown = true;
    if (capacity > 0) ranks.written = new Int32Array(capacity);
    return ranks;
  }

  /** One a row, with room for as many rows as the relation has. */
  spelled(count: number, capacity: number): Int32Array<ArrayBuffer> {
    if (this.rounds !== null) {
      this.written = new Int32Array(capacity);
      this.rounds.spell(count, this.written);
      this.rounds = null;
    }
    return this.written;
  }

  /** Notes that the rows from this one on are found in this round. */
  beginRound(round: number, row: number): void {
    this.rounds?.add(row, round);
  }

  of(own: number): number {
    return this.rounds === null ? (this.written[own] ?? 0) : this.rounds.of(own);
  }

  set(own: number, rank: number): void {
    this.written[own] = rank;
  }

  /** Makes room for so many rows. */
  resize(count: number, capacity: number): void {
    if (this.areKnown && this.rounds === null) this.written = resized(this.written, count, capacity);
  }

  /** Notes that a row, counted with those of the base, may have no derivation left that gives it its rank, but lower ones. */
  loosen(row: number): void {
    this.loose.add(row);
    this.hasLoose = true;
  }

  isLoose(row: number): boolean {
    return this.hasLoose && this.loose.has(row);
  }

  /** Moves what is known of a row to one before it that is dropped. */
  move(from: number, to: number): void {
    if (from === to) return;
    if (this.written.length > 0) this.written[to] = this.written[from] ?? 0;
    if (this.loose.has(from)) this.loose.add(to);
    else this.loose.delete(to);
  }
}

/** Of a relation whose rows have none. */
export const NO_RANKS = new Ranks();

/**
 * The ranks of a derived relation's own rows. A rank is the height, from 1, of a row's lowest known proof within its
 * component. While an evaluation fills the relation, ranks are its rounds and are not stored per row.
 */

import { NO_INTS, resized } from '../values/int-array.js';
import type { Relation } from './relation.js';
import { RowSet } from './row-set.js';
import { RunLengths } from './run-lengths.js';

/** Above every rank of a proof. */
export const UNFOUNDED_RANK = 2 ** 29;

export class Ranks {
  /** True if no row has a proof lower than its rank. Maintenance does not lower ranks of settled rows. */
  areLowest = true;
  /**
   * If some rows have no well-founded proof from kept ones: all rows of the evaluation, also those that better values
   * have replaced, each with a rank above that of its premises. The rank of such a row is UNFOUNDED_RANK.
   */
  history: Relation | null = null;
  /** Rows from this one on, counted with those of the base, are new and may still get a lower rank. */
  settledEnd = 0;
  /** False if the rows have no ranks. */
  areKnown = false;
  private written = NO_INTS;
  /** During an evaluation: the round that found each row. */
  private rounds: RunLengths | null = null;
  /** True once a row has been loosened; nothing is looked up before. */
  hasLoose = false;
  /** Rows of the base included. */
  private readonly loose = new RowSet();

  /** For a relation that an evaluation fills. */
  static ofRounds(): Ranks {
    const ranks = new Ranks();
    ranks.areKnown = true;
    ranks.rounds = new RunLengths();
    return ranks;
  }

  /** For a relation whose rows come with ranks. */
  static written(capacity: number): Ranks {
    const ranks = new Ranks();
    ranks.areKnown = true;
    if (capacity > 0) ranks.written = new Int32Array(capacity);
    return ranks;
  }

  /** One rank a row, with room for as many rows as the relation. */
  toArray(count: number, capacity: number): Int32Array<ArrayBuffer> {
    if (this.rounds !== null) {
      this.written = new Int32Array(capacity);
      this.rounds.writeTo(count, this.written);
      this.rounds = null;
    }
    return this.written;
  }

  /** Notes that the rows from this one on were found in this round. */
  beginRound(round: number, row: number): void {
    this.rounds?.add(row, round);
  }

  of(own: number): number {
    return this.rounds === null ? (this.written[own] ?? 0) : this.rounds.of(own);
  }

  set(own: number, rank: number): void {
    this.written[own] = rank;
  }

  /** Makes room for this many rows. */
  resize(count: number, capacity: number): void {
    if (this.areKnown && this.rounds === null) this.written = resized(this.written, count, capacity);
  }

  /**
   * Notes that no derivation may be left that gives a row, counted with those of the base, its rank; lower ones are.
   */
  loosen(row: number): void {
    this.loose.add(row);
    this.hasLoose = true;
  }

  isLoose(row: number): boolean {
    return this.hasLoose && this.loose.has(row);
  }

  /** Moves what is known of a row to an earlier row that is dropped. */
  move(from: number, to: number): void {
    if (from === to) return;
    if (this.written.length > 0) this.written[to] = this.written[from] ?? 0;
    if (this.loose.has(from)) this.loose.add(to);
    else this.loose.delete(to);
  }
}

/** Of a relation without ranks. */
export const NO_RANKS = new Ranks();

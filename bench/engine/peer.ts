/** The interface of every peer that the benchmark compares, and the check that their results are equal. */

import type { Relation, Workload } from './workloads.js';

/** One evaluation from scratch. */
export interface Run {
  /** Milliseconds to load the input, including indexes if the peer declares them. */
  readonly loadMs: number;
  /** Milliseconds from the loaded input to the derived relations. */
  readonly evaluateMs: number;
  readonly summary: Summary;
}

/** Independent of the order of rows: equal results have equal summaries. */
export interface Summary {
  readonly facts: number;
  readonly checksum: number;
}

export type Peer = (workload: Workload) => Promise<Run>;

/** The weights of columns in a checksum. */
const WEIGHTS = [3, 7, 11];

export function summaryOf(relations: Iterable<Iterable<readonly number[]>>): Summary {
  let facts = 0;
  let checksum = 0;
  for (const rows of relations) {
    for (const row of rows) {
      facts += 1;
      for (let column = 0; column < row.length; column++)
        checksum += (row[column] as number) * (WEIGHTS[column] as number);
    }
  }
  return { facts, checksum };
}

export function sumOf(summaries: readonly Summary[]): Summary {
  return {
    facts: summaries.reduce((sum, { facts }) => sum + facts, 0),
    checksum: summaries.reduce((sum, { checksum }) => sum + checksum, 0),
  };
}

/** The checksum of a row as an SQL or Datalog expression of its column names. */
export function weighted({ columns }: Relation, asNumber = (column: string) => column): string {
  return columns.map((column, index) => `${asNumber(column)} * ${WEIGHTS[index]}`).join(' + ');
}

export function median(numbers: readonly number[]): number {
  const ascending = [...numbers].sort((a, b) => a - b);
  const middle = ascending.length >> 1;
  const upper = ascending[middle] ?? Number.NaN;
  return ascending.length % 2 === 1 ? upper : (upper + (ascending[middle - 1] ?? Number.NaN)) / 2;
}

/** The minimum number of samples. */
export interface Repeats {
  /** Samples after one warm-up run. */
  readonly runs: number;
  /** The minimum sampling time. Short measurements repeat until V8 has compiled them and the median has many samples. */
  readonly leastMs: number;
}

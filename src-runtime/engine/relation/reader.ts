/** Reads one relation as one version sees it. */

import type { Deadline, MaybePromise } from '../../base/ports.js';
import { drive } from '../scheduling/drive.js';
import type { RelationInfo, RelationReader, RowChanges } from '../types.js';
import type { Relation } from './relation.js';
import { changesBetween } from './row-changes.js';

const BLOCK_ROWS = 4096;

/** Changes reported for the smallest relation. Above a tenth of the rows, reading everything is about as good. */
const CHANGES_MIN = 1000;

export interface Writer {
  hasUndone(version: number): boolean;
}

/** What a reader knows of its relation besides the rows. */
export interface ReaderFacts {
  readonly size: number;
  readonly state: object;
  /** The open transaction that wrote this version, or null if committed. */
  readonly writer: Writer | null;
  /** False if the writer may still change it. */
  readonly isSettled: boolean;
  /** The commit that a version of a stored relation belongs to. */
  readonly commitOf?: (version: number) => number;
}

/** Reads the rows that exist when it is asked. A view of a committed version always sees the same rows. */
export class Reader implements RelationReader {
  readonly info: RelationInfo;
  readonly relation: Relation;
  readonly version: number;
  private readonly facts: ReaderFacts;

  constructor(info: RelationInfo, relation: Relation, version: number, facts: ReaderFacts) {
    this.info = info;
    this.relation = relation;
    this.version = version;
    this.facts = facts;
  }

  get size(): number {
    return this.facts.size;
  }

  get state(): object {
    return this.facts.state;
  }

  get source(): object {
    return this.relation;
  }

  *changesSince(earlier: RelationReader): Generator<void, RowChanges | undefined> {
    const { relation, version } = this;
    if (!(earlier instanceof Reader) || earlier.relation !== relation || !earlier.hasStayed) return undefined;
    if (earlier.version > version || relation.lifetimes.compactedAt > earlier.version) return undefined;
    const created = relation.createdEnd(version) - relation.createdEnd(earlier.version);
    const deleted = earlier.size + created - this.size;
    if (created + deleted > Math.max(CHANGES_MIN, this.size / 10)) return undefined;
    const { added, removed } = yield* changesBetween(relation, earlier.version, version);
    const rowsOf = (changes: Relation) => Array.from({ length: changes.count }, (_, row) => changes.rowAt(row));
    return { added: rowsOf(added), removed: rowsOf(removed) };
  }

  /** Whether the state still exists unchanged. */
  private get hasStayed(): boolean {
    const { writer, isSettled } = this.facts;
    return isSettled && writer?.hasUndone(this.version) !== true;
  }

  has(codes: readonly number[]): boolean {
    return this.relation.find(codes, this.version) >= 0;
  }

  createdAt(codes: readonly number[]): number | undefined {
    const { commitOf } = this.facts;
    const row = commitOf === undefined ? -1 : this.relation.find(codes, this.version);
    return row < 0 ? undefined : commitOf?.(this.relation.createdAt(row));
  }

  /** The commit that a version of a stored relation belongs to. */
  commitOf(version: number): number {
    return this.facts.commitOf?.(version) ?? 0;
  }

  prepare(columns: readonly number[], deadline: Deadline): MaybePromise<void> {
    if (columns.length > 0) return drive(this.relation.indexInBlocks(columns), deadline);
  }

  codeOf(first: number): number {
    return this.relation.secondOf(first, this.version);
  }

  *rows(): Generator<number[]> {
    const { relation, version } = this;
    const { end } = relation;
    for (let row = 0; row < end; row++) if (relation.isVisible(row, version)) yield relation.rowAt(row);
  }

  *blocks(): Generator<Int32Array> {
    const { relation, version } = this;
    const { arity, end } = relation;
    for (let row = 0; row < end; ) {
      const block = new Int32Array(BLOCK_ROWS * arity);
      let filled = 0;
      for (; row < end && filled < BLOCK_ROWS; row++) {
        if (relation.isVisible(row, version)) relation.copyRow(row, block, arity * filled++);
      }
      yield block.subarray(0, filled * arity);
    }
  }

  *match(pattern: readonly (number | null)[]): Generator<number[]> {
    const columns: number[] = [];
    const key: number[] = [];
    for (const [column, code] of pattern.entries()) {
      if (code === null) continue;
      columns.push(column);
      key.push(code);
    }
    if (columns.length === 0) {
      yield* this.rows();
      return;
    }
    for (const row of this.relation.matching(columns, key, this.version)) yield this.relation.rowAt(row);
  }
}

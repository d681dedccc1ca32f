/** Reads one relation as one version sees it. */

import type { Relation } from './relation.js';
import type { RelationInfo, RelationReader } from './types.js';

/** Reads rows up to what there is when it is asked; a view of a committed version sees the same ones for ever. */
export class Reader implements RelationReader {
  readonly info: RelationInfo;
  readonly relation: Relation;
  readonly version: number;

  constructor(info: RelationInfo, relation: Relation, version: number) {
    this.info = info;
    this.relation = relation;
    this.version = version;
  }

  get size(): number {
    const { relation, version } = this;
    if (!relation.versioned) return relation.count;
    if (relation.writtenAt === version) return relation.writtenSize;
    if (relation.committedAt <= version) return relation.committedSize;
    let size = 0;
    for (let row = 0; row < relation.count; row++) if (relation.isVisible(row, version)) size++;
    return size;
  }

  has(codes: readonly number[]): boolean {
    return this.relation.find(codes, this.version) >= 0;
  }

  bornAt(codes: readonly number[]): number | undefined {
    if (!this.relation.versioned) return undefined;
    const row = this.relation.find(codes, this.version);
    return row < 0 ? undefined : this.relation.birth[row];
  }

  *rows(): Generator<number[]> {
    const { relation, version } = this;
    const count = relation.count;
    for (let row = 0; row < count; row++) if (relation.isVisible(row, version)) yield relation.rowAt(row);
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
    for (const row of matchingRows(this.relation, columns, key, this.version)) yield this.relation.rowAt(row);
  }
}

/** Row numbers in natural order (an index chain runs the other way). */
export function matchingRows(
  relation: Relation,
  columns: readonly number[],
  key: readonly number[],
  version: number,
): number[] {
  const index = relation.index(columns);
  const found: number[] = [];
  for (let row = index.find(relation.rows, key); row >= 0; row = index.next[row] ?? -1) {
    if (relation.isVisible(row, version)) found.push(row);
  }
  return found.reverse();
}

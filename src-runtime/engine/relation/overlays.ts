/**
 * Relations of forks: an overlay has rows of its own, and tombstones for the rows of its base that it deleted. A bitmap
 * answers most lookups of tombstones; a map has the versions.
 */

import { LargeMap } from '../../base/large-map.js';
import type { Relation } from './relation.js';
import { RowSet } from './row-set.js';

/** Tombstones as a version sees them. */
export interface VersionedTombstones {
  readonly tombstones: Tombstones;
  readonly version: number;
}

export class Tombstones {
  private readonly rows = new RowSet();
  private readonly deletions = new LargeMap<number, number>();

  get isEmpty(): boolean {
    return this.deletions.size === 0;
  }

  add(row: number, version: number): void {
    this.rows.add(row);
    this.deletions.set(row, version);
  }

  remove(row: number): void {
    this.rows.delete(row);
    this.deletions.delete(row);
  }

  /** True if the row is deleted at this version. */
  has(row: number, version: number): boolean {
    return this.rows.has(row) && (this.deletions.get(row) ?? version + 1) <= version;
  }

  deletedAt(row: number): number | undefined {
    return this.deletions.get(row);
  }
}

/** True if one of the overlays above has deleted the row. */
export function hasTombstone(tombstones: readonly VersionedTombstones[], row: number): boolean {
  for (let index = 0; index < tombstones.length; index++) {
    const each = tombstones[index] as VersionedTombstones;
    if (each.tombstones.has(row, each.version)) return true;
  }
  return false;
}

/** The rows of one relation in a chain of overlays, as the topmost sees them. */
export interface Layer {
  readonly relation: Relation;
  readonly version: number;
  /** Number of its first row. */
  readonly offset: number;
  /** One past its last own row that the version or an earlier one created. */
  readonly createdEnd: number;
  /** Tombstones of the overlays above; null if there are none. */
  readonly tombstones: readonly VersionedTombstones[] | null;
}

/** The relations of the chain, lowest first, as this version sees them. */
export function layersOf(relation: Relation, version: number): Layer[] {
  const { base, tombstones, count, offset } = relation;
  const below = base === null ? [] : layersOf(base.relation, base.version);
  const own = tombstones.isEmpty ? null : { tombstones, version };
  const seen =
    own === null ? below : below.map((layer) => ({ ...layer, tombstones: [...(layer.tombstones ?? []), own] }));
  if (count === 0 && base !== null) return seen;
  return [...seen, { relation, version, offset, createdEnd: relation.createdEnd(version) - offset, tombstones: null }];
}

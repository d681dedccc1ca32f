/** The rows of a base that have died in an overlay, and when: a set to ask fast, a map to ask when. */

import { LargeMap } from '../../base/large-map.js';
import type { Relation } from './relation.js';
import { RowSet } from './row-set.js';

/** Tombs as a version sees them. */
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

  /** True where the row has died by this version. */
  has(row: number, version: number): boolean {
    return this.rows.has(row) && (this.deletions.get(row) ?? version + 1) <= version;
  }

  deletedAt(row: number): number | undefined {
    return this.deletions.get(row);
  }
}

/** True where the row has died in one of the overlays above its own. */
export function hasTombstone(tombstones: readonly VersionedTombstones[], row: number): boolean {
  for (let index = 0; index < tombstones.length; index++) {
    const each = tombstones[index] as VersionedTombstones;
    if (each.tombstones.has(row, each.version)) return true;
  }
  return false;
}

/** Rows of one relation of a chain of overlays, as the topmost sees them. */
export interface Layer {
  readonly relation: Relation;
  readonly version: number;
  /** Number of its first row. */
  readonly offset: number;
  /** Behind the last of its own rows that was born by the version. */
  readonly createdEnd: number;
  /** What has died in the overlays above; null where nothing has. */
  readonly tombstones: readonly VersionedTombstones[] | null;
}

/** The relations of the chain, the lowest first, as this version sees them. */
export function layersOf(relation: Relation, version: number): Layer[] {
  const { base, tombstones, count, offset } = relation;
  const below = base === null ? [] : layersOf(base.relation, base.version);
  const own = tombstones.isEmpty ? null : { tombstones, version };
  const seen =
    own === null ? below : below.map((layer) => ({ ...layer, tombstones: [...(layer.tombstones ?? []), own] }));
  if (count === 0 && base !== null) return seen;
  return [...seen, { relation, version, offset, createdEnd: relation.createdEnd(version) - offset, tombstones: null }];
}

/** The rows of a base that have died in an overlay, and when: a set to ask fast, a map to ask when. */

import { LargeMap } from '../../base/large-map.js';
import { RowSet } from './row-set.js';

/** Tombs as a version sees them. */
export interface BuriedAt {
  readonly tombs: Tombs;
  readonly version: number;
}

export class Tombs {
  private readonly rows = new RowSet();
  private readonly deaths = new LargeMap<number, number>();

  get isEmpty(): boolean {
    return this.deaths.size === 0;
  }

  bury(row: number, version: number): void {
    this.rows.add(row);
    this.deaths.set(row, version);
  }

  raise(row: number): void {
    this.rows.delete(row);
    this.deaths.delete(row);
  }

  /** True where the row has died by this version. */
  has(row: number, version: number): boolean {
    return this.rows.has(row) && (this.deaths.get(row) ?? version + 1) <= version;
  }

  diedAt(row: number): number | undefined {
    return this.deaths.get(row);
  }
}

/** True where the row has died in one of the overlays above its own. */
export function isBuried(tombs: readonly BuriedAt[], row: number): boolean {
  for (let index = 0; index < tombs.length; index++) {
    const each = tombs[index] as BuriedAt;
    if (each.tombs.has(row, each.version)) return true;
  }
  return false;
}

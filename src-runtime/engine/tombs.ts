/** The rows of a base that have died in an overlay, and when: bits to ask fast, a map to ask when. */

/** Tombs as a version sees them. */
export interface BuriedAt {
  readonly tombs: Tombs;
  readonly version: number;
}

export class Tombs {
  private bits = new Uint32Array(0);
  private readonly deaths = new Map<number, number>();

  get isEmpty(): boolean {
    return this.deaths.size === 0;
  }

  bury(row: number, version: number): void {
    const word = row >>> 5;
    if (word >= this.bits.length) {
      // Untouched pages of zeros cost no memory.
      const larger = new Uint32Array(Math.max(64, 2 * word));
      larger.set(this.bits);
      this.bits = larger;
    }
    this.bits[word] = (this.bits[word] ?? 0) | (1 << (row & 31));
    this.deaths.set(row, version);
  }

  raise(row: number): void {
    const word = row >>> 5;
    this.bits[word] = (this.bits[word] ?? 0) & ~(1 << (row & 31));
    this.deaths.delete(row);
  }

  /** True where the row has died by this version. */
  has(row: number, version: number): boolean {
    const word = this.bits[row >>> 5];
    if (word === undefined || ((word >>> (row & 31)) & 1) === 0) return false;
    return (this.deaths.get(row) ?? version + 1) <= version;
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

/** A bitmap of row numbers. */

export class RowSet {
  private bits = new Uint32Array(0);

  add(row: number): void {
    const word = row >>> 5;
    if (word >= this.bits.length) {
      // Untouched pages of zeros take no memory.
      const larger = new Uint32Array(Math.max(64, 2 * word));
      larger.set(this.bits);
      this.bits = larger;
    }
    this.bits[word] = (this.bits[word] ?? 0) | (1 << (row & 31));
  }

  delete(row: number): void {
    const word = row >>> 5;
    if (word < this.bits.length) this.bits[word] = (this.bits[word] ?? 0) & ~(1 << (row & 31));
  }

  has(row: number): boolean {
    const word = this.bits[row >>> 5];
    return word !== undefined && ((word >>> (row & 31)) & 1) === 1;
  }
}

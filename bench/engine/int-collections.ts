/** A set and a list of non-negative integers in typed arrays, for the hand-written baselines. */

const FREE = -1;

/** Open addressing; at most half full. */
export class IntSet {
  private table = new Int32Array(1 << 16).fill(FREE);
  private size = 0;

  /** Returns false if the set already contains the number. */
  add(key: number): boolean {
    if (!this.place(key)) return false;
    this.size += 1;
    if (this.size * 2 >= this.table.length) this.grow();
    return true;
  }

  private place(key: number): boolean {
    const { table } = this;
    const mask = table.length - 1;
    let slot = (Math.imul(key, 0x9e3779b1) >>> 7) & mask;
    for (let found = table[slot]; found !== FREE; found = table[slot]) {
      if (found === key) return false;
      slot = (slot + 1) & mask;
    }
    table[slot] = key;
    return true;
  }

  private grow(): void {
    const before = this.table;
    this.table = new Int32Array(before.length * 2).fill(FREE);
    for (const key of before) if (key !== FREE) this.place(key);
  }
}

/** Grows by doubling. Only the first `length` items are in use. */
export class IntList {
  items = new Int32Array(1 << 12);
  length = 0;

  push(item: number): void {
    if (this.length === this.items.length) {
      const wider = new Int32Array(this.length * 2);
      wider.set(this.items);
      this.items = wider;
    }
    this.items[this.length++] = item;
  }
}

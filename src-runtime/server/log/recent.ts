/** Things in the order in which they came, of which any can be taken out again: what a bounded log is made of. */

/** What stands in such an order. It stands in one at most. */
export class Linked {
  /** What it takes, in whatever the bound is told in. */
  size = 0;
  older: this | undefined;
  newer: this | undefined;
}

export class Recent<Entry extends Linked> {
  newest: Entry | undefined;
  oldest: Entry | undefined;
  count = 0;
  /** Of all together. */
  size = 0;

  add(entry: Entry): void {
    entry.older = this.newest;
    if (this.newest === undefined) this.oldest = entry;
    else this.newest.newer = entry;
    this.newest = entry;
    this.count += 1;
    this.size += entry.size;
  }

  remove(entry: Entry): void {
    const { older, newer } = entry;
    if (older === undefined) this.oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.newest = older;
    else newer.older = older;
    entry.older = undefined;
    entry.newer = undefined;
    this.count -= 1;
    this.size -= entry.size;
  }

  /** Of one that is there. */
  resize(entry: Entry, size: number): void {
    this.size += size - entry.size;
    entry.size = size;
  }

  /** The newest first. What is removed meanwhile ends it. */
  *entries(): Generator<Entry> {
    for (let entry = this.newest; entry !== undefined; entry = entry.older) yield entry;
  }
}

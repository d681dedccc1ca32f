/** A doubly linked list with a total size, for a bounded log. Any entry can be removed. */

/** An entry. It is in one list at most. */
export class Linked {
  /** In the unit of the bound. */
  size = 0;
  older: this | undefined;
  newer: this | undefined;
}

export class Recent<Entry extends Linked> {
  newest: Entry | undefined;
  oldest: Entry | undefined;
  count = 0;
  /** The sum of the sizes. */
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

  /** Changes the size of an entry of this list. */
  resize(entry: Entry, size: number): void {
    this.size += size - entry.size;
    entry.size = size;
  }

  /** Newest first. Ends if the current entry is removed meanwhile. */
  *entries(): Generator<Entry> {
    for (let entry = this.newest; entry !== undefined; entry = entry.older) yield entry;
  }
}

/** The facts that maintenance has still to look at, the lowest first and in batches. */

/** What waits to be looked at, by path and height. */
export class Queue<T> {
  private readonly levels = new Map<number, Map<string, T[]>>();
  /** Descending, so that the lowest is taken from the end. */
  private readonly heights: number[] = [];

  add(height: number, path: string, item: T): void {
    const level = this.levels.get(height) ?? this.newLevel(height);
    const items = level.get(path);
    if (items === undefined) level.set(path, [item]);
    else items.push(item);
  }

  /** The lowest items: as many levels as make a batch. Undefined where nothing waits. */
  next(): { readonly height: number; readonly items: ReadonlyMap<string, readonly T[]> } | undefined {
    const lowest = this.heights.at(-1);
    if (lowest === undefined) return undefined;
    const items = new Map<string, T[]>();
    for (let size = 0; size < BATCH_SIZE; ) {
      const height = this.heights.pop();
      if (height === undefined) break;
      for (const [path, level] of this.levels.get(height) ?? []) {
        const batch = items.get(path) ?? [];
        for (const item of level) batch.push(item);
        items.set(path, batch);
        size += level.length;
      }
      this.levels.delete(height);
    }
    return { height: lowest, items };
  }

  private newLevel(height: number): Map<string, T[]> {
    const level = new Map<string, T[]>();
    this.levels.set(height, level);
    let at = this.heights.length;
    while (at > 0 && (this.heights[at - 1] ?? 0) < height) at -= 1;
    this.heights.splice(at, 0, height);
    return level;
  }
}

/** Facts that are worth a run of a plan. Levels of fewer are looked at together, which may ask for a fact twice. */
const BATCH_SIZE = 256;

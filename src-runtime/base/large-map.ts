/** Maps with any number of keys. V8 limits one Map to 2^24 keys; `LargeMap` continues in a second Map. */

/** The maximum number of keys of one Map. Growing a Map moves all its keys at once, which takes 0.2 s at this size. */
const KEYS_MAX = 1 << 22;

export class LargeMap<K, V extends {}> {
  private newest = new Map<K, V>();
  /** Earlier maps, which get no more keys. */
  private readonly full: Map<K, V>[] = [];
  private readonly keysMax: number;

  constructor(keysMax = KEYS_MAX) {
    this.keysMax = keysMax;
  }

  get size(): number {
    let { size } = this.newest;
    for (const map of this.full) size += map.size;
    return size;
  }

  get(key: K): V | undefined {
    const value = this.newest.get(key);
    return value !== undefined || this.full.length === 0 ? value : this.full.find((map) => map.has(key))?.get(key);
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  set(key: K, value: V): void {
    const known = this.full.find((map) => map.has(key));
    if (known !== undefined) {
      known.set(key, value);
      return;
    }
    if (this.newest.size >= this.keysMax && !this.newest.has(key)) {
      this.full.push(this.newest);
      this.newest = new Map();
    }
    this.newest.set(key, value);
  }

  delete(key: K): boolean {
    return this.newest.delete(key) || this.full.some((map) => map.delete(key));
  }

  clear(): void {
    this.newest.clear();
    this.full.length = 0;
  }

  *[Symbol.iterator](): Generator<[K, V]> {
    for (const map of this.full) yield* map;
    yield* this.newest;
  }
}

/** A map of texts, divided among several maps by the ends of the keys, so that growing moves few keys at once. */
export class TextMap<V extends {}> {
  private readonly parts: (LargeMap<string, V> | undefined)[] = [];

  get size(): number {
    return this.parts.reduce((sum, part) => sum + (part?.size ?? 0), 0);
  }

  get(key: string): V | undefined {
    return this.parts[partOf(key)]?.get(key);
  }

  set(key: string, value: V): void {
    const part = partOf(key);
    this.parts[part] ??= new LargeMap();
    this.parts[part]?.set(key, value);
  }

  delete(key: string): boolean {
    return this.parts[partOf(key)]?.delete(key) === true;
  }
}

/** One of 16 parts. */
function partOf(key: string): number {
  const { length } = key;
  return length < 2 ? length : (key.charCodeAt(length - 1) * 7 + key.charCodeAt(length - 2) + length) & 15;
}

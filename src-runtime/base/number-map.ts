/**
 * A map from numbers to whole numbers from 0 to 2³¹ − 2, in typed arrays. A Map allocates an object for each key that is no small integer, and
 * moves all keys at once when it grows; here the keys are in parts, of which one grows at a time.
 */
export class NumberMap {
  size = 0;
  private readonly parts: (Part | undefined)[] = [];

  get(key: number): number | undefined {
    const hash = hashOf(key);
    return this.parts[hash >>> PART_SHIFT]?.get(key, hash);
  }

  set(key: number, value: number): void {
    const hash = hashOf(key);
    this.parts[hash >>> PART_SHIFT] ??= new Part();
    if (this.parts[hash >>> PART_SHIFT]?.set(key, hash, value) === true) this.size += 1;
  }

  delete(key: number): boolean {
    const hash = hashOf(key);
    const wasThere = this.parts[hash >>> PART_SHIFT]?.delete(key, hash) === true;
    if (wasThere) this.size -= 1;
    return wasThere;
  }
}

/** 64 parts. */
const PART_SHIFT = 26;

const SLOTS_MIN = 16;

/** A slot holds its value plus one, 0 if it is free, or −1 if its key was deleted. */
const DELETED = -1;

/** An open-addressed table. */
class Part {
  private keys = new Float64Array(SLOTS_MIN);
  private values = new Int32Array(SLOTS_MIN);
  /** Slots that are not free. */
  private used = 0;
  /** Keys that are not deleted. */
  private live = 0;

  get(key: number, hash: number): number | undefined {
    const value = this.values[this.slotOf(key, hash)] as number;
    return value > 0 ? value - 1 : undefined;
  }

  /** Whether the key is new. */
  set(key: number, hash: number, value: number): boolean {
    if (this.used * 2 >= this.keys.length) this.rebuild();
    const slot = this.slotOf(key, hash);
    const before = this.values[slot] as number;
    if (before === 0) this.used += 1;
    if (before <= 0) this.live += 1;
    this.keys[slot] = key;
    this.values[slot] = value + 1;
    return before <= 0;
  }

  delete(key: number, hash: number): boolean {
    const slot = this.slotOf(key, hash);
    if ((this.values[slot] as number) <= 0) return false;
    this.values[slot] = DELETED;
    this.live -= 1;
    if (this.live * 8 < this.keys.length && this.keys.length > SLOTS_MIN) this.rebuild();
    return true;
  }

  /** The slot of the key, or the free one where it belongs. */
  private slotOf(key: number, hash: number): number {
    const { keys, values } = this;
    const mask = keys.length - 1;
    let slot = hash & mask;
    while (values[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  /** Forgets deleted keys, and makes room for as many keys again. */
  private rebuild(): void {
    const { keys, values } = this;
    let length = SLOTS_MIN;
    while (length < this.live * 4) length *= 2;
    this.keys = new Float64Array(length);
    this.values = new Int32Array(length);
    this.used = 0;
    this.live = 0;
    for (let slot = 0; slot < keys.length; slot++) {
      const value = values[slot] as number;
      if (value > 0) this.set(keys[slot] as number, hashOf(keys[slot] as number), value - 1);
    }
  }
}

const double = new Float64Array(1);
const halves = new Int32Array(double.buffer);

function hashOf(key: number): number {
  // As in a Map, −0 is the key 0.
  double[0] = key + 0;
  let hash = Math.imul((halves[0] as number) ^ Math.imul(halves[1] as number, 0x85ebca6b), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/**
 * The tuples of a relation as a set of 31-bit keys, where their codes are small enough to be packed side by side: one look
 * into memory tells whether a tuple is there, where the index by row needs two. Each column has so many bits; where a code
 * needs more, the bits are dealt out anew.
 */

const SLOTS_MIN = 32;
const KEY_BITS = 31;

export class PackedKeys {
  /** Keys where their hash puts them, or behind; −1 where there is none. Never more than half full. */
  slots = new Int32Array(SLOTS_MIN).fill(-1);
  /** How far a product is shifted to become a slot. */
  hashShift = 32 - Math.log2(SLOTS_MIN);
  /** Of each column. */
  bits: readonly number[];
  shifts: readonly number[];

  constructor(arity: number) {
    const equal = Math.floor(KEY_BITS / arity);
    this.bits = Array.from({ length: arity }, (_, column) => equal + (column < KEY_BITS % arity ? 1 : 0));
    this.shifts = shiftsOf(this.bits);
  }

  /** Forgets every key. */
  clear(): void {
    this.slots.fill(-1);
  }

  /** Makes room for as many keys again. */
  grow(): void {
    const old = this.slots;
    this.slots = new Int32Array(old.length * 2).fill(-1);
    this.hashShift -= 1;
    for (let slot = 0; slot < old.length; slot++) {
      const key = old[slot] ?? -1;
      if (key >= 0) this.place(key);
    }
  }

  /** Deals the bits out so that these codes fit beside those of the rows. False where they do not. */
  refit(rows: Int32Array, count: number, codes: readonly number[]): boolean {
    const arity = codes.length;
    // What any of the codes has set, so that its length is that of the longest.
    const set = [...codes];
    for (let row = 0; row < count; row++) {
      for (let column = 0; column < arity; column++)
        set[column] = (set[column] ?? 0) | (rows[row * arity + column] ?? 0);
    }
    const needed = set.map((code) => 32 - Math.clz32(code));
    let spare = KEY_BITS - needed.reduce((sum, bits) => sum + bits, 0);
    if (spare < 0) return false;
    const bits = [...needed];
    for (let column = 0; spare > 0; column = (column + 1) % arity, spare--) bits[column] = (bits[column] ?? 0) + 1;
    this.bits = bits;
    this.shifts = shiftsOf(bits);
    this.slots.fill(-1);
    for (let row = 0; row < count; row++) {
      let key = 0;
      for (let column = 0; column < arity; column++)
        key |= (rows[row * arity + column] ?? 0) << (this.shifts[column] ?? 0);
      this.place(key);
    }
    return true;
  }

  private place(key: number): void {
    const mask = this.slots.length - 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> this.hashShift;
    while ((this.slots[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
    this.slots[slot] = key;
  }
}

function shiftsOf(bits: readonly number[]): number[] {
  let below = 0;
  return bits.map((each) => {
    below += each;
    return below - each;
  });
}

/** Arities whose tuples can be packed at all. */
export function isPackable(arity: number): boolean {
  return arity >= 1 && arity <= 4;
}

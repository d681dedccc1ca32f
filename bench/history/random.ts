/** Seeded randomness (mulberry32), so that a run repeats its choices. */

export interface Random {
  /** At least 0 and below 1. */
  next(): number;
  /** A whole number from 0 to `below` - 1. */
  int(below: number): number;
  pick<T>(list: readonly [T, ...(readonly T[])]): T;
  shuffled<T>(list: readonly T[]): T[];
}

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    next,
    int,
    pick: (list) => list[int(list.length)] ?? list[0],
    shuffled: (list) =>
      list
        .map((each) => ({ each, rank: next() }))
        .sort((one, other) => one.rank - other.rank)
        .map(({ each }) => each),
  };
}

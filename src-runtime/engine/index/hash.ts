/**
 * JavaScript source that maps a key of integers to its slot. Plans and index maintenance inline it with their own key
 * columns. It serves hash tables and tables with a slot for every possible key.
 */

/** Defines `fold`. Every generated function that uses `slotSource` needs it. */
export const FOLD_SOURCE = 'function fold(h, shift) { return h ^ (h >>> shift); }';

/** Names of the parts of a `Layout`. */
export interface LayoutNames {
  /** One a column of the key. */
  readonly factors: readonly string[];
  readonly shift: string;
}

/** Names that a lookup reads beside the layout. */
export interface TableNames {
  readonly layout: LayoutNames;
  readonly slots: string;
  readonly mask: string;
  /** Bits of each column if every key has its own slot; null for a hash table. */
  readonly bits: string;
}

/** An expression of the slot for these keys (names or constants), to be masked to the table's size. */
export function slotSource(keys: readonly string[], { factors, shift }: LayoutNames): string {
  if (keys.length === 0) return '0';
  const sum = keys.map((key, column) => `Math.imul(${key}, ${factors[column]})`).join(' + ');
  return `fold((${sum}) | 0, ${shift})`;
}

/**
 * Statements that declare `slot` and `row`: where the key belongs, and the row there, negative if the key is missing.
 * `differs` is true if the row has another key. It is evaluated only if slots are shared, because reading the row is
 * often a cache miss.
 */
export function probeSource(
  keys: readonly string[],
  { layout, slots, mask, bits }: TableNames,
  { slot, row, differs }: { readonly slot: string; readonly row: string; readonly differs: string },
): string {
  return `let ${slot} = ${slotSource(keys, layout)} & ${mask}, ${row};
    if (${bits} !== null) ${row} = ${fitsSource(keys, bits)} ? ${slots}[${slot}] : -1;
    else while ((${row} = ${slots}[${slot}]) >= 0 && (${differs})) ${slot} = (${slot} + 1) & ${mask};`;
}

/** A condition: each key has at most its bits. */
export function fitsSource(keys: readonly string[], bits: string): string {
  const above = keys.map((key, column) => `(${key} >>> ${bits}[${column}])`);
  return `(${above.join(' | ') || '0'}) === 0`;
}

/** Statements that declare the names from a layout. */
export function layoutSource(layout: string, { factors, shift }: LayoutNames): string {
  const taken = factors.map((name, column) => `${name} = ${layout}.factors[${column}]`);
  return `const ${[...taken, `${shift} = ${layout}.shift`].join(', ')};`;
}

export function layoutNames(columns: number, suffix: string | number = ''): LayoutNames {
  return {
    factors: Array.from({ length: columns }, (_, column) => `factor${suffix}_${column}`),
    shift: `shift${suffix}`,
  };
}

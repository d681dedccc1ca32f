/**
 * Where a key of integers has its slot in a table, as JavaScript source: plans and index maintenance inline it with their
 * own key columns. The same code serves a table by hash and one in which every possible key has a slot of its own.
 */

/** Defines `fold`; must stand in every generated function that uses `slotSource`. */
export const FOLD_SOURCE = 'function fold(h, shift) { return h ^ (h >>> shift); }';

/** Names that stand for what a `Layout` holds. */
export interface LayoutNames {
  /** One a column of the key. */
  readonly factors: readonly string[];
  readonly shift: string;
}

/** What a look at a table reads, by name, beside the layout. */
export interface TableNames {
  readonly layout: LayoutNames;
  readonly slots: string;
  readonly mask: string;
  /** Bits of each column in a table in which every key has its own slot; null for a hash table. */
  readonly bits: string;
}

/** An expression for these keys (names or constants), to be masked to the table's size. */
export function slotSource(keys: readonly string[], { factors, shift }: LayoutNames): string {
  if (keys.length === 0) return '0';
  const sum = keys.map((key, column) => `Math.imul(${key}, ${factors[column]})`).join(' + ');
  return `fold((${sum}) | 0, ${shift})`;
}

/**
 * Statements that declare `slot` and `row`, and set them to where the key belongs and the row there; below zero where it is
 * not in the table. `differs` is true where the row has another key: it is asked only where slots are shared, as the row
 * often lies where nothing has been read yet.
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

/** A condition that is true where the keys have no more than these bits each. */
export function fitsSource(keys: readonly string[], bits: string): string {
  const above = keys.map((key, column) => `(${key} >>> ${bits}[${column}])`);
  return `(${above.join(' | ') || '0'}) === 0`;
}

/** Statements that take the names from a layout. */
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

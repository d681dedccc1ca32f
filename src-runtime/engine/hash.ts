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

/** An expression for these keys (names or constants), to be masked to the table's size. */
export function slotSource(keys: readonly string[], { factors, shift }: LayoutNames): string {
  if (keys.length === 0) return '0';
  const sum = keys.map((key, column) => `Math.imul(${key}, ${factors[column]})`).join(' + ');
  return `fold((${sum}) | 0, ${shift})`;
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

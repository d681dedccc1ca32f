/** The visible rows of a tree, and what each key does: the part of `tree.tsx` that needs no DOM. */

export interface TreeNode {
  readonly id: string;
  readonly children: readonly TreeNode[];
  /** Number of children, if those are made when they are first read. */
  readonly size?: number;
}

export interface TreeRow<N extends TreeNode> {
  readonly node: N;
  /** From 1, as `aria-level` counts. */
  readonly level: number;
  /** Position among its siblings, from 1, and their number. */
  readonly position: number;
  readonly siblings: number;
  readonly parent: string | undefined;
  /** Undefined on a leaf. */
  readonly expanded: boolean | undefined;
}

/** Every node whose ancestors are expanded, in order. */
export function treeRows<N extends TreeNode & { readonly children: readonly N[] }>(
  roots: readonly N[],
  collapsed: ReadonlySet<string>,
): TreeRow<N>[] {
  const rows: TreeRow<N>[] = [];
  // Not recursive: a proof may be deeper than the call stack.
  const stack: Omit<TreeRow<N>, 'expanded'>[] = [];
  const push = (nodes: readonly N[], level: number, parent: string | undefined): void => {
    for (let index = nodes.length - 1; index >= 0; index--) {
      const node = nodes[index];
      if (node !== undefined) stack.push({ node, level, position: index + 1, siblings: nodes.length, parent });
    }
  };
  push(roots, 1, undefined);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const leaf = (next.node.size ?? next.node.children.length) === 0;
    const expanded = leaf ? undefined : !collapsed.has(next.node.id);
    rows.push({ ...next, expanded });
    if (expanded === true) push(next.node.children, next.level + 1, next.node.id);
  }
  return rows;
}

/**
 * Type-ahead: the next row after the current one whose name starts with the typed letters, wrapping around at the end. Repeating one
 * letter steps through the matches; with several letters the current row may match too.
 */
export function treeFind<N extends TreeNode>(
  rows: readonly TreeRow<N>[],
  current: string | undefined,
  typed: string,
  nameOf: (node: N) => string,
): N | undefined {
  const letters = new Set(typed.toLowerCase());
  const wanted = letters.size === 1 ? ([...letters][0] ?? '') : typed.toLowerCase();
  const at = rows.findIndex((row) => row.node.id === current);
  const from = letters.size === 1 ? at + 1 : Math.max(0, at);
  const serialQueue = [...rows.slice(from), ...rows.slice(0, from)];
  return serialQueue.find(({ node }) => nameOf(node).toLowerCase().startsWith(wanted))?.node;
}

export type TreeMove =
  | { readonly kind: 'select'; readonly id: string }
  | { readonly kind: 'expand'; readonly id: string }
  | { readonly kind: 'collapse'; readonly id: string };

/** What a key does on the row `current`, by the ARIA pattern for trees; undefined for none. */
export function treeMove<N extends TreeNode>(
  rows: readonly TreeRow<N>[],
  current: string | undefined,
  key: string,
): TreeMove | undefined {
  const index = Math.max(
    0,
    rows.findIndex((row) => row.node.id === current),
  );
  const row = rows[index];
  if (row === undefined) return undefined;
  const select = (target: TreeRow<N> | undefined): TreeMove | undefined =>
    target === undefined ? undefined : { kind: 'select', id: target.node.id };
  switch (key) {
    case 'ArrowDown':
      return select(rows[index + 1]);
    case 'ArrowUp':
      return select(rows[index - 1]);
    case 'Home':
      return select(rows[0]);
    case 'End':
      return select(rows.at(-1));
    case 'ArrowRight':
      if (row.expanded === false) return { kind: 'expand', id: row.node.id };
      return row.expanded === true ? select(rows[index + 1]) : undefined;
    case 'ArrowLeft':
      if (row.expanded === true) return { kind: 'collapse', id: row.node.id };
      return row.parent === undefined ? undefined : { kind: 'select', id: row.parent };
    default:
      return undefined;
  }
}

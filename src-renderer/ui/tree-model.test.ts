/** The visible rows of a tree, and its keys. */

import { describe, expect, it } from 'vitest';
import { type TreeNode, treeFind, treeMove, treeRows } from './tree-model.js';

interface Node extends TreeNode {
  readonly children: readonly Node[];
}

const node = (id: string, ...children: Node[]): Node => ({ id, children });
const roots = [node('a', node('b', node('c')), node('d')), node('e')];

const shown = (collapsed: string[]): string[] => treeRows(roots, new Set(collapsed)).map((row) => row.node.id);

it('finds a row by the start of its name, from the current row on with wraparound', () => {
  const rows = treeRows([node('lease'), node('liable'), node('Paid'), node('lot')], new Set());
  const found = (current: string | undefined, typed: string) => treeFind(rows, current, typed, ({ id }) => id)?.id;
  expect([found('lease', 'l'), found('liable', 'll'), found('lot', 'lll')]).toEqual(['liable', 'lot', 'lease']);
  expect([found('liable', 'li'), found('liable', 'le'), found(undefined, 'pa')]).toEqual(['liable', 'lease', 'Paid']);
  expect(found('lease', 'x')).toBeUndefined();
});

describe('tree rows', () => {
  it('come in order, without those below a collapsed node', () => {
    expect(shown([])).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(shown(['b'])).toEqual(['a', 'b', 'd', 'e']);
    expect(shown(['a'])).toEqual(['a', 'e']);
  });

  it('have a level, a position and a number of siblings', () => {
    expect(treeRows(roots, new Set()).find((row) => row.node.id === 'd')).toMatchObject({
      level: 2,
      position: 2,
      siblings: 2,
      parent: 'a',
      expanded: undefined,
    });
  });

  it('are listed for a tree deeper than the call stack', () => {
    let deep = node('leaf');
    for (let depth = 0; depth < 50_000; depth++) deep = node(`n${depth}`, deep);
    expect(treeRows([deep], new Set())).toHaveLength(50_001);
  });
});

describe('tree keys', () => {
  const move = (current: string, key: string, collapsed: string[] = []) =>
    treeMove(treeRows(roots, new Set(collapsed)), current, key);

  it('move up, down and to both ends', () => {
    expect(move('a', 'ArrowDown')).toEqual({ kind: 'select', id: 'b' });
    expect(move('d', 'ArrowUp')).toEqual({ kind: 'select', id: 'c' });
    expect(move('c', 'Home')).toEqual({ kind: 'select', id: 'a' });
    expect(move('a', 'End')).toEqual({ kind: 'select', id: 'e' });
    expect(move('e', 'ArrowDown')).toBeUndefined();
  });

  it('expand and collapse, then move to the child and the parent', () => {
    expect(move('a', 'ArrowRight', ['a'])).toEqual({ kind: 'expand', id: 'a' });
    expect(move('a', 'ArrowRight')).toEqual({ kind: 'select', id: 'b' });
    expect(move('a', 'ArrowLeft')).toEqual({ kind: 'collapse', id: 'a' });
    expect(move('c', 'ArrowLeft')).toEqual({ kind: 'select', id: 'b' });
    expect(move('c', 'ArrowRight')).toBeUndefined();
  });
});

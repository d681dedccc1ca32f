/** The graph of forks has each fork once, edges from parent to fork, which lead back from what was promoted. */

import { expect, it } from 'vitest';
import type { ForkInfo } from '../../src-runtime/api/fork-schemas.js';
import { FORK_LAYOUT, forkGraph } from './fork-graph.js';
import type { ForkNode } from './fork-tree.js';

const node = (id: string, status: ForkInfo['status'], ...children: ForkNode[]): ForkNode => ({
  id,
  fork: { id, parent: null, baseSeq: 0, status, createdAt: '', events: 0 },
  children,
});
const roots = [node('main', 'open', node('a', 'promoted', node('a1', 'open')), node('b', 'aborted'))];

it('leads from parents to forks, and back from those that were promoted', () => {
  const { forks, edges } = forkGraph(roots, 'main');
  expect(forks.map(({ id }) => id)).toEqual(['main', 'a', 'a1', 'b']);
  expect(edges.map(({ from, to, promoted }) => `${from} ${promoted ? '↔' : '→'} ${to}`)).toEqual([
    'main ↔ a',
    'main → b',
    'a → a1',
  ]);
});

it('places a fork beside the first that was made from it, and the others below', () => {
  const { positions } = forkGraph(roots, 'main');
  const { columnWidth: x, rowHeight: y } = FORK_LAYOUT;
  expect(positions).toEqual({ main: { x: 0, y: 0 }, a: { x, y: 0 }, a1: { x: 2 * x, y: 0 }, b: { x, y } });
});

it('too large to draw keeps the eldest generations, and the way to the fork that is shown, and says how many it leaves out', () => {
  const graph = forkGraph(roots, 'main', 3);
  expect(graph.forks.map(({ id }) => id)).toEqual(['main', 'a', 'b']);
  expect(graph.edges.every(({ to }) => to !== 'a1')).toBe(true);
  expect(graph.leftOut).toBe(1);
  expect(forkGraph(roots, 'a1', 3).forks.map(({ id }) => id)).toEqual(['main', 'a', 'a1']);
});

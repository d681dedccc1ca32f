/** The graph of forks has each fork once, edges from parent to fork, which lead back from what was promoted. */

import { expect, it } from 'vitest';
import type { ForkInfo } from '../../src-runtime/api/fork-schemas.js';
import type { Point } from '../components/graph-route.js';
import { FORK_LAYOUT, forkGraph, wayBack } from './fork-graph.js';
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

it('leads back from no promotion that was undone', () => {
  const [main, ...others] = roots;
  const undone = node('c', 'promoted');
  const c = { ...undone, fork: { ...undone.fork, undoneAt: '2026-01-02' } };
  const { edges } = forkGraph([{ ...(main as ForkNode), children: [c] }, ...others], 'main');
  expect(edges.map(({ promoted }) => promoted)).toEqual([false]);
});

it('leads back by a line of its own, beside the one to the first and up the free column to the parent of the others', () => {
  const { positions } = forkGraph(roots, 'main');
  const { nodeWidth, nodeHeight, columnWidth, rowHeight } = FORK_LAYOUT;
  const [main, a, b] = ['main', 'a', 'b'].map((id) => positions[id] ?? { x: -1, y: -1 });
  const beside = nodeHeight / 2 + 12;
  expect(wayBack(a as Point, main as Point)).toEqual([
    { x: columnWidth, y: beside },
    { x: nodeWidth, y: beside },
  ]);
  expect(wayBack(b as Point, main as Point)).toEqual([
    { x: columnWidth, y: rowHeight + beside },
    { x: nodeWidth / 2, y: rowHeight + beside },
    { x: nodeWidth / 2, y: nodeHeight },
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

/** The graph has each fork once, with edges from parents, and back edges of promotions. */

import { expect, it } from 'vitest';
import type { ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { Point } from '../../../graph/graph-route.js';
import type { ForkNode } from '../fork-tree.js';
import { FORK_LAYOUT, forkGraph, forkViewport, wayBack } from './fork-graph.js';

const node = (id: string, status: ForkInfo['status'], ...children: ForkNode[]): ForkNode => ({
  id,
  fork: { id, parent: null, baseSeq: 0, status, createdAt: '', events: 0 },
  children,
});
const roots = [node('main', 'open', node('a', 'promoted', node('a1', 'open')), node('b', 'aborted'))];

it('has an edge from each parent to its forks, marked if the fork was promoted', () => {
  const { forks, edges } = forkGraph(roots, 'main');
  expect(forks.map(({ id }) => id)).toEqual(['main', 'a', 'a1', 'b']);
  expect(edges.map(({ from, to, promoted }) => `${from} ${promoted ? '↔' : '→'} ${to}`)).toEqual([
    'main ↔ a',
    'main → b',
    'a → a1',
  ]);
});

it('does not mark a promotion that was reverted', () => {
  const [main, ...others] = roots;
  const undone = node('c', 'promoted');
  const c = { ...undone, fork: { ...undone.fork, undoneAt: '2026-01-02' } };
  const { edges } = forkGraph([{ ...(main as ForkNode), children: [c] }, ...others], 'main');
  expect(edges.map(({ promoted }) => promoted)).toEqual([false]);
});

it('routes the back edge of the first fork beside its edge, and the others up the free column', () => {
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

it('places the first fork beside its parent, and the others below', () => {
  const { positions } = forkGraph(roots, 'main');
  const { columnWidth: x, rowHeight: y } = FORK_LAYOUT;
  expect(positions).toEqual({ main: { x: 0, y: 0 }, a: { x, y: 0 }, a1: { x: 2 * x, y: 0 }, b: { x, y } });
});

it('limits the graph to the oldest generations and the path to the shown fork, and counts omitted forks', () => {
  const graph = forkGraph(roots, 'main', 3);
  expect(graph.forks.map(({ id }) => id)).toEqual(['main', 'a', 'b']);
  expect(graph.edges.every(({ to }) => to !== 'a1')).toBe(true);
  expect(graph.leftOut).toBe(1);
  expect(forkGraph(roots, 'a1', 3).forks.map(({ id }) => id)).toEqual(['main', 'a', 'a1']);
});

const { nodeWidth, nodeHeight, columnWidth, rowHeight } = FORK_LAYOUT;
/** Creates forks of one parent; the first has several generations. */
const positionsOf = (rows: number, generations = 2): Record<string, Point> =>
  Object.fromEntries<Point>([
    ...Array.from({ length: generations }, (_, at) => [`g${at}`, { x: at * columnWidth, y: 0 }] as const),
    ...Array.from({ length: rows }, (_, at) => [`r${at}`, { x: columnWidth, y: at * rowHeight }] as const),
  ]);
const onScreen = (point: Point, { x, y, zoom }: ReturnType<typeof forkViewport>) => ({
  ...{ left: x + point.x * zoom, right: x + (point.x + nodeWidth) * zoom },
  ...{ top: y + point.y * zoom, bottom: y + (point.y + nodeHeight) * zoom },
});

it('opens centred and at full size if it fits', () => {
  const room = { width: 900, height: 200 };
  const view = forkViewport(positionsOf(3), 'r1', room);
  expect(view.zoom).toBe(1);
  const [first, last] = [onScreen({ x: 0, y: 0 }, view), onScreen({ x: columnWidth, y: 2 * rowHeight }, view)];
  expect([first.left, first.top]).toEqual([room.width - last.right, room.height - last.bottom]);
});

it('opens with all generations readable and the shown fork visible if the rows do not fit', () => {
  const positions = positionsOf(14, 4);
  for (const height of [168, 172, 190, 260, 333]) {
    for (const shown of ['r0', 'r6', 'r13']) {
      const view = forkViewport(positions, shown, { width: 863, height });
      // Text of 13 pixels has at least 12 on the screen.
      expect(13 * view.zoom).toBeGreaterThanOrEqual(12);
      const nodes = Object.values(positions).map((point) => onScreen(point, view));
      expect(nodes.filter(({ left, right }) => left < 0 || right > 863)).toEqual([]);
      const own = onScreen(positions[shown] as Point, view);
      expect(own.top >= 0 && own.bottom <= height, `${shown} is visible at height ${height}`).toBe(true);
    }
  }
});

it('opens with the shown fork visible if the generations do not fit either', () => {
  const view = forkViewport(positionsOf(14, 9), 'g8', { width: 863, height: 172 });
  const own = onScreen({ x: 8 * columnWidth, y: 0 }, view);
  expect(own.left >= 0 && own.right <= 863 && own.top >= 0 && own.bottom <= 172).toBe(true);
});

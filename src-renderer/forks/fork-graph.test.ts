/** The graph of forks has each fork once, edges from parent to fork, which lead back from what was promoted. */

import { expect, it, vi } from 'vitest';
import type { ForkInfo } from '../../src-runtime/api/fork-schemas.js';
import { forkGraph } from './fork-graph.js';
import type { ForkNode } from './fork-tree.js';

// The layouter needs a page's workers; what is laid out does not.
vi.mock('../components/graph-layout.js', () => ({ layoutGraph: vi.fn() }));

const node = (id: string, status: ForkInfo['status'], ...children: ForkNode[]): ForkNode => ({
  id,
  fork: { id, parent: null, baseSeq: 0, status, createdAt: '', events: 0 },
  children,
});
const roots = [node('main', 'open', node('a', 'promoted', node('a1', 'open')), node('b', 'aborted'))];

it('leads from parents to forks, and back from those that were promoted', () => {
  const { forks, edges } = forkGraph(roots);
  expect(forks.map(({ id }) => id)).toEqual(['main', 'a', 'b', 'a1']);
  expect(edges.map(({ from, to, promoted }) => `${from} ${promoted ? '↔' : '→'} ${to}`)).toEqual([
    'main ↔ a',
    'main → b',
    'a → a1',
  ]);
});

it('too large to draw keeps the eldest generations and says how many it leaves out', () => {
  const graph = forkGraph(roots, 3);
  expect(graph.forks.map(({ id }) => id)).toEqual(['main', 'a', 'b']);
  expect(graph.edges.every(({ to }) => to !== 'a1')).toBe(true);
  expect(graph.leftOut).toBe(1);
});

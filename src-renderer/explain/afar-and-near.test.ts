/** A large graph from afar and from near: which step a point means, and how little of it the library is given. */

import { describe, expect, it } from 'vitest';
import type { Step } from '../components/proof-outline.js';
import { PROOF_FORMS } from './graph-layout.js';
import { inSight } from './in-sight.js';
import { afarOf, stepAt } from './proof-afar.js';
import type { ProofGraph } from './proof-graph.js';

const [form] = PROOF_FORMS;
const { nodeWidth, nodeHeight } = form;

/** A chain of steps, one below the other. */
const IDS = Array.from({ length: 40 }, (_, place) => `s${place}`);
const GRAPH: ProofGraph = {
  steps: IDS.map((id, place) => ({ id, kind: place < 39 ? 'derived' : 'stored' }) as Step),
  edges: IDS.slice(1).map((to, place) => ({ id: `${place}`, from: `s${place}`, to })),
  hidden: new Map(),
  isFull: false,
};
const PLACES = {
  form,
  positions: Object.fromEntries(IDS.map((id, place) => [id, { x: 0, y: place * 200 }])),
  ways: {},
};

describe('from afar', () => {
  it('a point means the step that it is on, or the nearest within reach', () => {
    const at = (x: number, y: number) => stepAt(GRAPH, PLACES, { x, y }, 10)?.id;
    expect(at(1, 401)).toBe('s2');
    expect(at(nodeWidth + 9, 400 + nodeHeight)).toBe('s2');
    expect(at(nodeWidth + 11, 400)).toBeUndefined();
    expect(at(nodeWidth / 2, 400 - 9)).toBe('s2');
    expect(at(nodeWidth / 2, 300)).toBeUndefined();
  });

  it('each step and each edge is drawn once, those of a kind in one path', () => {
    const { kinds, edges } = afarOf(GRAPH, PLACES, { x: 0, y: 0, width: nodeWidth, height: 8_000 });
    const begun = (path: string | undefined): number => path?.split('M').length ?? 0;
    expect(kinds.map(({ kind, boxes }) => [kind, begun(boxes) - 1])).toEqual([
      ['derived', 39],
      ['stored', 1],
    ]);
    expect(begun(edges) - 1).toBe(39);
  });
});

describe('from near', () => {
  const nodes = IDS.map((id) => ({
    id,
    position: PLACES.positions[id] ?? { x: 0, y: 0 },
    data: {},
    focusable: id === 's0',
  }));
  const edges = GRAPH.edges.map(({ id, from, to }) => ({ id, source: from, target: to }));
  const seen = (top: number, height: number) => inSight(nodes, edges, { x: 0, y: top, width: 100, height }, form);

  it('what is in sight is drawn, the ends of its edges, and what the keyboard comes to', () => {
    expect(seen(2_000, 300).nodes.map(({ id }) => id)).toEqual(['s0', 's9', 's10', 's11', 's12']);
    expect(seen(2_000, 300).edges.map(({ source }) => source)).toEqual(['s9', 's10', 's11']);
  });

  it('an edge that passes with both ends out of sight is drawn', () => {
    const between = seen(nodeHeight + 10, 20);
    expect(between.edges).toMatchObject([{ source: 's0', target: 's1' }]);
    expect(between.nodes.map(({ id }) => id)).toEqual(['s0', 's1']);
  });
});

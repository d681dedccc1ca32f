import { describe, expect, it } from 'vitest';
import { visibleParts } from './graph-culling.js';
import { nodeAt, pathsByKind, type ShapedNode } from './graph-shapes.js';

const [width, height] = [148, 56];

/** A chain of nodes from top to bottom. */
const SHAPES: readonly ShapedNode[] = Array.from({ length: 40 }, (_, place) => ({
  id: `s${place}`,
  glyph: place < 39 ? 'derived' : 'stored',
  x: 0,
  y: place * 200,
  width,
  height,
}));

describe('the overview', () => {
  it('finds the node at a point, or the nearest within the tolerance', () => {
    const at = (x: number, y: number) => nodeAt(SHAPES, { x, y }, 10);
    expect(at(1, 401)).toBe('s2');
    expect(at(width + 9, 400 + height)).toBe('s2');
    expect(at(width + 11, 400)).toBeUndefined();
    expect(at(width / 2, 400 - 9)).toBe('s2');
    expect(at(width / 2, 300)).toBeUndefined();
  });

  it('draws each node once, in one path for each kind', () => {
    const boxes = pathsByKind(SHAPES).map((kind) => [kind.glyph, kind.boxes.split('M').length - 1]);
    expect(boxes).toEqual([
      ['derived', 39],
      ['stored', 1],
    ]);
  });
});

describe('the visible part of a graph', () => {
  const nodes = SHAPES.map(({ id, x, y }) => ({ id, position: { x, y }, data: {}, focusable: id === 's0' }));
  const edges = SHAPES.slice(1).map(({ id }, place) => ({ id, source: `s${place}`, target: id }));
  const seen = (top: number, below: number) =>
    visibleParts(nodes, edges, SHAPES, { x: 0, y: top, width: 100, height: below });

  it('includes the visible nodes, the ends of their edges, and the tab stop', () => {
    expect(seen(2_000, 300).nodes.map(({ id }) => id)).toEqual(['s0', 's9', 's10', 's11', 's12']);
    expect(seen(2_000, 300).edges.map(({ source }) => source)).toEqual(['s9', 's10', 's11']);
  });

  it('includes an edge that crosses it with both ends outside', () => {
    const between = seen(height + 10, 20);
    expect(between.edges).toMatchObject([{ source: 's0', target: 's1' }]);
    expect(between.nodes.map(({ id }) => id)).toEqual(['s0', 's1']);
  });
});

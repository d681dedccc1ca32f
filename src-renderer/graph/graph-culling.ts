/**
 * Culling: gives the library only nodes and edges near the viewport, because it updates all that it has with each move.
 */

import { type Edge, type Node, type Rect, useStore } from '@xyflow/react';
import { useMemo } from 'react';
import type { ShapedNode } from './graph-shapes.js';

/** Grid size. The visible part is computed again only when the viewport enters another cell. */
const CELL_SIZE = 512;

/** The visible part of the graph, rounded to the grid. It keeps its identity while it stays the same. */
export function useVisibleRect(): Rect {
  const cells = useStore(({ transform: [x, y, zoom], width, height }) => {
    const [left, top] = [Math.floor(-x / zoom / CELL_SIZE), Math.floor(-y / zoom / CELL_SIZE)];
    const [right, bottom] = [Math.ceil((width - x) / zoom / CELL_SIZE), Math.ceil((height - y) / zoom / CELL_SIZE)];
    return [left, top, right, bottom].join(' ');
  });
  return useMemo(() => {
    const [left = 0, top = 0, right = 0, bottom = 0] = cells.split(' ').map((cell) => Number(cell) * CELL_SIZE);
    return { x: left, y: top, width: right - left, height: bottom - top };
  }, [cells]);
}

/** The nodes and edges that intersect `visible`, with both ends of each edge, and the tab stop. */
export function visibleParts<N extends Node, E extends Edge>(
  nodes: readonly N[],
  edges: readonly E[],
  shapes: readonly ShapedNode[],
  visible: Rect,
): { readonly nodes: N[]; readonly edges: E[] } {
  const shapeOf = new Map(shapes.map((shape) => [shape.id, shape]));
  const ends = new Set<string>();
  const visibleEdges = edges.filter(({ source, target }) => {
    const [from, to] = [shapeOf.get(source), shapeOf.get(target)];
    const isVisible = from !== undefined && to !== undefined && intersects(boundingRect(from, to), visible);
    if (isVisible) ends.add(source).add(target);
    return isVisible;
  });
  const isNear = (id: string): boolean => {
    const shape = shapeOf.get(id);
    return ends.has(id) || (shape !== undefined && intersects(shape, visible));
  };
  return { nodes: nodes.filter(({ id, focusable }) => focusable === true || isNear(id)), edges: visibleEdges };
}

function intersects(one: Rect, other: Rect): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

function boundingRect(one: Rect, other: Rect): Rect {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}

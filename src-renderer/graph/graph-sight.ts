/** What of a large graph is in sight or near it: the library is given no more, as all that it has takes time whenever one moves. */

import { type Edge, type Node, type Rect, useStore } from '@xyflow/react';
import { useMemo } from 'react';
import type { ShapedNode } from './graph-shapes.js';

/** What is in sight is looked up anew when it enters another square of this size. */
const SQUARE = 512;

/** Part of the graph that all in sight lies in: the same object while it stays the same. */
export function useSight(): Rect {
  const squares = useStore(({ transform: [x, y, zoom], width, height }) => {
    const [left, top] = [Math.floor(-x / zoom / SQUARE), Math.floor(-y / zoom / SQUARE)];
    const [right, bottom] = [Math.ceil((width - x) / zoom / SQUARE), Math.ceil((height - y) / zoom / SQUARE)];
    return [left, top, right, bottom].join(' ');
  });
  return useMemo(() => {
    const [left = 0, top = 0, right = 0, bottom = 0] = squares.split(' ').map((square) => Number(square) * SQUARE);
    return { x: left, y: top, width: right - left, height: bottom - top };
  }, [squares]);
}

/**
 * Of the nodes those in `sight`, and of edges those whose ends have it between them. An edge brings its ends along, and what
 * the keyboard comes to is there wherever it is.
 */
export function inSight<N extends Node, E extends Edge>(
  nodes: readonly N[],
  edges: readonly E[],
  shapes: readonly ShapedNode[],
  sight: Rect,
): { readonly nodes: N[]; readonly edges: E[] } {
  const shapeOf = new Map(shapes.map((shape) => [shape.id, shape]));
  const ends = new Set<string>();
  const kept = edges.filter(({ source, target }) => {
    const [from, to] = [shapeOf.get(source), shapeOf.get(target)];
    const isKept = from !== undefined && to !== undefined && meets(around(from, to), sight);
    if (isKept) ends.add(source).add(target);
    return isKept;
  });
  const isNear = (id: string): boolean => {
    const shape = shapeOf.get(id);
    return ends.has(id) || (shape !== undefined && meets(shape, sight));
  };
  return { nodes: nodes.filter(({ id, focusable }) => focusable === true || isNear(id)), edges: kept };
}

function meets(one: Rect, other: Rect): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

function around(one: Rect, other: Rect): Rect {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}

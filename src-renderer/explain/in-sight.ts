/** What of a large graph is in sight or near it: the library is given no more, as all that it has takes time whenever one moves. */

import { type Edge, type Node, type Rect, useStore } from '@xyflow/react';
import { useMemo } from 'react';

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

/** Of nodes of one size: those in `sight`, and of edges those whose ends have it between them. An edge brings its ends along. */
export function inSight<N extends Node, E extends Edge>(
  nodes: readonly N[],
  edges: readonly E[],
  sight: Rect,
  size: { readonly nodeWidth: number; readonly nodeHeight: number },
): { readonly nodes: N[]; readonly edges: E[] } {
  const { nodeWidth, nodeHeight } = size;
  const meets = (left: number, top: number, right: number, bottom: number): boolean =>
    left < sight.x + sight.width &&
    right + nodeWidth > sight.x &&
    top < sight.y + sight.height &&
    bottom + nodeHeight > sight.y;
  const at = new Map(nodes.map(({ id, position }) => [id, position]));
  const ends = new Set<string>();
  const kept = edges.filter(({ source, target }) => {
    const [from, to] = [at.get(source), at.get(target)];
    if (from === undefined || to === undefined) return false;
    const isKept = meets(
      Math.min(from.x, to.x),
      Math.min(from.y, to.y),
      Math.max(from.x, to.x),
      Math.max(from.y, to.y),
    );
    if (isKept) ends.add(source).add(target);
    return isKept;
  });
  const isNear = ({ id, position: { x, y } }: N): boolean => ends.has(id) || meets(x, y, x, y);
  return { nodes: nodes.filter((node) => node.focusable === true || isNear(node)), edges: kept };
}

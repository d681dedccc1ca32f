/** Layout of the fork graph: an edge from each parent, and a back edge for each promotion. */

import type { Viewport } from '@xyflow/react';
import type { ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { Positions } from '../../../graph/graph-layout.js';
import type { Point } from '../../../graph/graph-route.js';
import type { ForkNode } from '../fork-tree.js';
import { isUndoable } from '../fork-words.js';

export interface ForkEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Promoted and not reverted. */
  readonly promoted: boolean;
}

export interface ForkGraph {
  readonly forks: readonly ForkInfo[];
  readonly edges: readonly ForkEdge[];
  readonly positions: Positions;
  /** Number of forks not drawn. */
  readonly leftOut: number;
}

/** Most nodes drawn; the list has all forks. */
const GRAPH_FORKS_MAX = 120;

/** Breadth first, so that the deepest forks are omitted first. The selected fork and its ancestors are always drawn. */
export function forkGraph(roots: readonly ForkNode[], shown: string, forksMax = GRAPH_FORKS_MAX): ForkGraph {
  const drawn = new Set(pathTo(roots, shown));
  let leftOut = 0;
  for (let level = roots; level.length > 0; level = level.flatMap(({ children }) => children)) {
    for (const node of level) {
      if (drawn.size < forksMax) drawn.add(node);
      else if (!drawn.has(node)) leftOut += 1;
    }
  }
  const forks: ForkInfo[] = [];
  const edges: ForkEdge[] = [];
  const positions: Record<string, Point> = {};
  let row = 0;
  // Each node is level with its first child, which is the newest.
  const place = (nodes: readonly ForkNode[], depth: number): void => {
    for (const { id, fork, children } of nodes.filter((node) => drawn.has(node))) {
      forks.push(fork);
      positions[id] = { x: depth * FORK_LAYOUT.columnWidth, y: row * FORK_LAYOUT.rowHeight };
      const inner = children.filter((child) => drawn.has(child));
      for (const child of inner) {
        edges.push({ id: `${id}>${child.id}`, from: id, to: child.id, promoted: isUndoable(child.fork) });
      }
      if (inner.length === 0) row += 1;
      else place(inner, depth + 1);
    }
  };
  place(roots, 0);
  return { forks, edges, positions, leftOut };
}

/** Empty if unknown. */
function pathTo(nodes: readonly ForkNode[], wanted: string): ForkNode[] {
  for (const node of nodes) {
    if (node.id === wanted) return [node];
    const below = pathTo(node.children, wanted);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}

/** Forks are placed to the right of their parent. */
export const FORK_LAYOUT = { nodeWidth: 184, nodeHeight: 44, columnWidth: 232, rowHeight: 56 } as const;

/** Text of 13 pixels has at least 12 on the screen. */
const READABLE_ZOOM = 12 / 13;
const MARGIN = 24;

/** Initial viewport: the whole graph if readable; else as many rows as fit around the selected fork. */
export function forkViewport(
  positions: Positions,
  shown: string,
  room: { readonly width: number; readonly height: number },
): Viewport {
  const { nodeWidth, nodeHeight, columnWidth, rowHeight } = FORK_LAYOUT;
  const places = Object.values(positions);
  const columns = 1 + Math.max(0, ...places.map(({ x }) => x / columnWidth));
  const rows = 1 + Math.max(0, ...places.map(({ y }) => y / rowHeight));
  const [width, height] = [(columns - 1) * columnWidth + nodeWidth, (rows - 1) * rowHeight + nodeHeight];
  const across = (room.width - 2 * MARGIN) / width;
  const whole = Math.min(1, across, (room.height - MARGIN) / height);
  if (whole >= READABLE_ZOOM) {
    return { x: (room.width - width * whole) / 2, y: (room.height - height * whole) / 2, zoom: whole };
  }
  const zoom = across < READABLE_ZOOM ? 1 : Math.min(1, across);
  const at = positions[shown] ?? places[0] ?? { x: 0, y: 0 };
  const pitch = rowHeight * zoom;
  const inSight = Math.max(1, Math.floor(room.height / pitch + 0.001));
  const first = Math.max(0, Math.min(rows - inSight, at.y / rowHeight - Math.floor((inSight - 1) / 2)));
  const top =
    rows <= inSight
      ? (room.height - height * zoom) / 2
      : (room.height - inSight * pitch + pitch - nodeHeight * zoom) / 2;
  return { x: startOf(at.x + nodeWidth / 2, width, room.width, zoom), y: top - first * pitch, zoom };
}

/** Scroll offset that centres `middle`, without empty margins. */
function startOf(middle: number, size: number, room: number, zoom: number): number {
  const least = room - MARGIN - size * zoom;
  if (least >= MARGIN) return (least + MARGIN) / 2;
  return Math.min(MARGIN, Math.max(least, room / 2 - middle * zoom));
}

/** Distance of a back edge below its forward edge. */
const BACK_BELOW = 12;

/**
 * Back edge of a promotion, drawn separately: an arrow head on a shared edge would seem to belong to all forks. Below a fork, its
 * column is free down to its last child.
 */
export function wayBack(from: Point, to: Point): readonly Point[] {
  const { nodeWidth, nodeHeight } = FORK_LAYOUT;
  const y = from.y + nodeHeight / 2 + BACK_BELOW;
  if (from.y === to.y)
    return [
      { x: from.x, y },
      { x: to.x + nodeWidth, y },
    ];
  const x = to.x + nodeWidth / 2;
  return [
    { x: from.x, y },
    { x, y },
    { x, y: to.y + nodeHeight },
  ];
}

/** The forks as a graph: each with an edge from the fork that it was made from, and one back where its changes are there. */

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
  /** Its changes went back to where it came from, and were not taken back since. */
  readonly promoted: boolean;
}

export interface ForkGraph {
  readonly forks: readonly ForkInfo[];
  readonly edges: readonly ForkEdge[];
  readonly positions: Positions;
  /** Forks that are not drawn because there are too many. */
  readonly leftOut: number;
}

/** More than this is no picture any more; the list has them all. */
const GRAPH_FORKS_MAX = 120;

/**
 * Generation by generation, so that what is left out lies deepest, and of one generation last in the list; but for the fork
 * that is shown and those that it came of, which are drawn always.
 */
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
  // Each beside the first of those that were made from it, so that one with many stands where the newest of them are.
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

/** Empty where it is not among them. */
function pathTo(nodes: readonly ForkNode[], wanted: string): ForkNode[] {
  for (const node of nodes) {
    if (node.id === wanted) return [node];
    const below = pathTo(node.children, wanted);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}

/** Forks stand to the right of what they were made from. */
export const FORK_LAYOUT = { nodeWidth: 208, nodeHeight: 44, columnWidth: 272, rowHeight: 56 } as const;

/** Of a whole graph, from here on text is readable; where some of it is out of sight, down to that, so that what is in sight is so as a whole. */
const WHOLE_ZOOM_MIN = 0.85;
const PART_ZOOM_MIN = 0.7;
const MARGIN = 24;

/**
 * How the graph opens: whole where it stays legible, nothing is shrunk to dust. Else as many whole rows as the room is high,
 * those around the fork that is shown, and all generations where they can be read side by side.
 */
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
  if (whole >= WHOLE_ZOOM_MIN) {
    return { x: (room.width - width * whole) / 2, y: (room.height - height * whole) / 2, zoom: whole };
  }
  const zoomMax = across < PART_ZOOM_MIN ? 1 : Math.min(1, across);
  const exact = room.height / (rowHeight * Math.ceil(room.height / (rowHeight * zoomMax)));
  const zoom = exact < PART_ZOOM_MIN ? zoomMax : exact;
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

/** Where a drawing begins that has `middle` in the middle of its frame, or as near to it as leaves no more empty than it must. */
function startOf(middle: number, size: number, room: number, zoom: number): number {
  const least = room - MARGIN - size * zoom;
  if (least >= MARGIN) return (least + MARGIN) / 2;
  return Math.min(MARGIN, Math.max(least, room / 2 - middle * zoom));
}

/** So far below the line that leads to a fork runs the one that leads back. */
const BACK_BELOW = 12;

/**
 * The way back of a promotion: a line of its own, as a head on the one that many forks share would seem to be of all of them.
 * Below a fork its column is free down to the last that came of it.
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

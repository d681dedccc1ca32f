/**
 * A graph from afar, where text would be dust: the shapes of all nodes in one path a kind, and all edges in one. A thousand
 * elements that come into sight at once cost a quarter of a second, and tens of milliseconds whenever they move.
 */

import type { Rect } from '@xyflow/react';
import type { GlyphKind } from '../ui/glyph.js';

export interface ShapedNode extends Rect {
  readonly id: string;
  /** From afar, what a node is is all that is told of it. */
  readonly glyph: GlyphKind;
}

export interface ShapedEdge {
  readonly from: string;
  readonly to: string;
  readonly path: string;
}

/** All that is drawn of a graph from afar. */
export interface GraphShape {
  readonly bounds: Rect;
  readonly nodes: readonly ShapedNode[];
  readonly edges: readonly ShapedEdge[];
}

/** By kind of node, the boxes of its nodes, and a path through the middles of them. */
export interface KindPaths {
  readonly glyph: GlyphKind;
  readonly boxes: string;
  readonly middles: string;
}

export function pathsByKind(nodes: readonly ShapedNode[]): KindPaths[] {
  const paths = new Map<GlyphKind, { boxes: string[]; middles: string[] }>();
  for (const { glyph, x, y, width, height } of nodes) {
    const path = paths.get(glyph) ?? { boxes: [], middles: [] };
    paths.set(glyph, path);
    path.boxes.push(`M${x} ${y}h${width}v${height}h${-width}z`);
    path.middles.push(`${x + width / 2} ${y + height / 2}`);
  }
  return [...paths].map(([glyph, { boxes, middles }]) => ({
    glyph,
    boxes: boxes.join(''),
    middles: `M${middles.join('L')}`,
  }));
}

/** The node at a point of the graph, or the nearest one no farther from it than `reach`: what is small is hard to hit. */
export function nodeAt(
  nodes: readonly ShapedNode[],
  point: { readonly x: number; readonly y: number },
  reach: number,
): string | undefined {
  let nearest: string | undefined;
  let least = reach;
  for (const { id, x, y, width, height } of nodes) {
    const beside = Math.max(x - point.x, point.x - x - width, 0);
    const above = Math.max(y - point.y, point.y - y - height, 0);
    const distance = Math.hypot(beside, above);
    if (distance <= least) [nearest, least] = [id, distance];
  }
  return nearest;
}

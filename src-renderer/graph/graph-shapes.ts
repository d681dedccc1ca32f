/**
 * Shapes of a graph for its overview: one path for all nodes of a kind, one for all edges. A thousand elements would
 * take 250 ms to appear, and tens of milliseconds with each move.
 */

import type { Rect } from '@xyflow/react';
import type { GlyphKind } from '../ui/glyph.js';

export interface ShapedNode extends Rect {
  readonly id: string;
  /** The overview shows the kind of a node only. */
  readonly glyph: GlyphKind;
}

export interface ShapedEdge {
  readonly from: string;
  readonly to: string;
  readonly path: string;
}

export interface GraphShape {
  readonly bounds: Rect;
  readonly nodes: readonly ShapedNode[];
  readonly edges: readonly ShapedEdge[];
}

/** For one kind of node: a path of all boxes, and a path through their centres. */
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

/** The node at a point, or the nearest within `tolerance`, because small nodes are hard to hit. */
export function nodeAt(
  nodes: readonly ShapedNode[],
  point: { readonly x: number; readonly y: number },
  tolerance: number,
): string | undefined {
  let nearest: string | undefined;
  let least = tolerance;
  for (const { id, x, y, width, height } of nodes) {
    const beside = Math.max(x - point.x, point.x - x - width, 0);
    const above = Math.max(y - point.y, point.y - y - height, 0);
    const distance = Math.hypot(beside, above);
    if (distance <= least) [nearest, least] = [id, distance];
  }
  return nearest;
}

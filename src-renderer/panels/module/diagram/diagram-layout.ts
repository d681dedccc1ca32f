/** Where the boxes and lines of a diagram stand: each box as large as its text, each label with room beside its class. */

import { type Routes, routeGraph } from '../../../graph/graph-layout.js';
import type { Diagram, DiagramNode } from './diagram.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export type LaidOutDiagram = Routes;

export const HEAD_HEIGHT = 28;
export const LINE_HEIGHT = 20;
/** Under the last line. */
const FOOT_HEIGHT = 6;
/** At each side of a box. */
export const PADDING = 10;
/** The shape before a name, with the room behind it. */
export const GLYPH_WIDTH = 20;
/** Between the name of a field and its type. */
export const COLUMN_GAP = 16;
const WIDTH_MAX = 280;
/** Names are bold, and another font may be somewhat wider than the one that was measured. */
const BOLD = 1.1;
const LABEL_HEIGHT = 14;
/** Of the font of labels to that of lines. */
const LABEL_FONT = 11 / 12;

export function layoutDiagram({ nodes, edges }: Diagram, measure: (text: string) => number): Promise<LaidOutDiagram> {
  return routeGraph({
    nodes: nodes.map((node) => ({ id: node.id, ...sizeOf(node, measure), grows: node.kind === 'concept' })),
    edges: edges.map(({ id, from, to, label, labelAt }) => ({
      id,
      from,
      to,
      label:
        label === ''
          ? undefined
          : { width: Math.ceil(measure(label) * LABEL_FONT) + 8, height: LABEL_HEIGHT, at: labelAt },
    })),
  });
}

export function sizeOf({ name, lines, more }: DiagramNode, measure: (text: string) => number): Size {
  const title = measure(name) * BOLD * (13 / 12) + GLYPH_WIDTH;
  const names = Math.max(0, ...lines.map((line) => measure(line.name)));
  const types = Math.max(0, ...lines.map((line) => measure(line.type)));
  const columns = types === 0 ? names : names + COLUMN_GAP + types;
  const count = lines.length + (more > 0 ? 1 : 0);
  return {
    width: Math.min(WIDTH_MAX, Math.ceil(Math.max(title, columns * 1.03) + 2 * PADDING)),
    height: HEAD_HEIGHT + (count === 0 ? 0 : count * LINE_HEIGHT + FOOT_HEIGHT),
  };
}

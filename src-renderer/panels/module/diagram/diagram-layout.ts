/** Layout of the diagram: boxes as large as their text, and labels at the ends of edges. */

import { type Routes, routeGraph } from '../../../graph/graph-layout.js';
import type { Diagram, DiagramNode } from './diagram.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export type LaidOutDiagram = Routes;

export const HEAD_HEIGHT = 28;
export const LINE_HEIGHT = 20;
/** Below the last line. */
const FOOT_HEIGHT = 6;
/** At each side of a box. */
export const PADDING = 10;
/** The glyph before a name, with its gap. */
export const GLYPH_WIDTH = 20;
/** Between the name of a field and its type. */
export const COLUMN_GAP = 16;
const WIDTH_MAX = 280;
/** Names are bold, and a fallback font may be wider than the measured one. */
const BOLD = 1.1;
const LABEL_HEIGHT = 14;

export function layoutDiagram({ nodes, edges }: Diagram, measure: (text: string) => number): Promise<LaidOutDiagram> {
  return routeGraph({
    nodes: nodes.map((node) => ({ id: node.id, ...sizeOf(node, measure), grows: node.kind === 'concept' })),
    edges: edges.map(({ id, from, to, label, labelAt }) => ({
      id,
      from,
      to,
      label: label === '' ? undefined : { width: Math.ceil(measure(label)) + 8, height: LABEL_HEIGHT, at: labelAt },
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

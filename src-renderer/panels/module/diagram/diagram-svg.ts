/** The diagram as a standalone SVG. */

import { routePath } from '../../../graph/graph-route.js';
import { escaped, measureText, round, SVG_GLYPHS, svgDocument } from '../../../graph/svg-drawing.js';
import { type Diagram, type DiagramEdge, type DiagramKind, type DiagramNode, KIND_NAME } from './diagram.js';
import {
  COLUMN_GAP,
  GLYPH_WIDTH,
  HEAD_HEIGHT,
  type LaidOutDiagram,
  LINE_HEIGHT,
  layoutDiagram,
  PADDING,
  type Size,
} from './diagram-layout.js';
import { headOf } from './diagram-route.js';

export async function diagramSvg(title: string, diagram: Diagram): Promise<string> {
  return drawingOf(title, diagram, await layoutDiagram(diagram, measureText), measureText);
}

export function drawingOf(
  title: string,
  { nodes, edges }: Diagram,
  { positions, sizes, lines }: LaidOutDiagram,
  measure: (text: string) => number,
): string {
  const boxes = nodes.map((node) => ({
    node,
    at: positions[node.id] ?? { x: 0, y: 0 },
    size: sizes[node.id] ?? { width: 0, height: 0 },
  }));
  const points = Object.values(lines).flatMap((line) => line.points);
  return svgDocument({
    title,
    measure,
    width: Math.max(0, ...boxes.map(({ at, size }) => at.x + size.width), ...points.map(({ x }) => x)),
    height: Math.max(0, ...boxes.map(({ at, size }) => at.y + size.height), ...points.map(({ y }) => y)),
    content: [
      ...edges.map((edge) => lineGroup(edge, lines[edge.id])),
      ...boxes.map(({ node, at, size }) => boxGroup(node, at, size, measure)),
    ],
    style: STYLE,
    darkStyle: '.head.is{fill:#17181b}.box.enum{fill:#121315}',
  });
}

function lineGroup(edge: DiagramEdge, line: LaidOutDiagram['lines'][string] | undefined): string {
  if (line === undefined) return '';
  const head = headOf(edge, line.points);
  const looks = `${edge.kind}${edge.derived ? ' derived' : ''}`;
  return [
    `<path class="edge ${looks}" d="${routePath(line.points)}"/>`,
    head === undefined ? '' : `<path class="edge head ${edge.kind}" d="${head}"/>`,
    line.label === undefined
      ? ''
      : `<text class="dim" x="${round(line.label.x + 4)}" y="${round(line.label.y + 11)}">${escaped(edge.label)}</text>`,
  ].join('');
}

const GLYPH: Readonly<Record<DiagramKind, string>> = {
  concept: `<g class="glyph">${SVG_GLYPHS.class}</g>`,
  define: `<g class="glyph derived">${SVG_GLYPHS.derived}</g>`,
  derived: `<g class="glyph derived">${SVG_GLYPHS.derived}</g>`,
  stored: `<g class="glyph stored">${SVG_GLYPHS.stored}</g>`,
  enum: `<g class="glyph">${SVG_GLYPHS.test}</g>`,
};

function boxGroup(
  { kind, name, lines, more }: DiagramNode,
  { x, y }: { readonly x: number; readonly y: number },
  { width, height }: Size,
  measure: (text: string) => number,
): string {
  const isRound = kind === 'stored' || kind === 'derived';
  const room = width - 2 * PADDING;
  const rows = [...lines, ...(more > 0 ? [{ name: `${more} more`, type: '' }] : [])];
  const baseline = (index: number): number => HEAD_HEIGHT + index * LINE_HEIGHT + 14;
  return [
    `<g transform="translate(${round(x)} ${round(y)})">`,
    `<title>${escaped(`${name}: ${KIND_NAME[kind]}`)}</title>`,
    `<rect class="node box ${kind}" width="${width}" height="${height}" rx="${isRound ? 14 : 4}"/>`,
    `<g transform="translate(${PADDING} 8)">${GLYPH[kind]}</g>`,
    `<text class="text" x="${PADDING + GLYPH_WIDTH}" y="18" font-weight="600">${escaped(cut(name, room - GLYPH_WIDTH, measure))}</text>`,
    rows.length === 0 || isRound ? '' : `<path class="edge" d="M0 ${HEAD_HEIGHT}H${width}"/>`,
    ...rows.map(
      (row, index) =>
        `<text class="text" x="${PADDING}" y="${baseline(index)}">${escaped(cut(row.name, room, measure))}</text>` +
        (row.type === ''
          ? ''
          : `<text class="dim" x="${width - PADDING}" y="${baseline(index)}" text-anchor="end">${escaped(cut(row.type, room - measure(row.name) - COLUMN_GAP / 2, measure))}</text>`),
    ),
    '</g>',
  ].join('');
}

function cut(text: string, room: number, measure: (text: string) => number): string {
  if (measure(text) <= room) return text;
  let end = text.length - 1;
  while (end > 1 && measure(`${text.slice(0, end)}…`) > room) end--;
  return `${text.slice(0, end)}…`;
}

const STYLE =
  '.edge.derived,.box.define,.box.derived{stroke-dasharray:5 4}.edge.enum{stroke-dasharray:1 4;stroke-linecap:round}' +
  '.edge.head{stroke-dasharray:none}.head.is{fill:#fff}.box.enum{fill:#f7f7f8}';

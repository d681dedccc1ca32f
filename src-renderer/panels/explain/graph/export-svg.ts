/** A proof graph as a standalone SVG, with a legend. */

import { KIND_WORD, type StepKind } from '../../../domain/proof/proof-outline.js';
import { escaped, FALLBACK_FONT_FACTOR, round, SVG_GLYPHS, svgDocument, wrapped } from '../../../graph/svg-drawing.js';
import { edgePath } from './proof-edges.js';
import type { ProofGraph } from './proof-graph.js';
import type { ProofLayout } from './proof-layout.js';

export interface Drawing extends ProofLayout {
  readonly title: string;
  readonly graph: ProofGraph;
  readonly textOf: (step: ProofGraph['steps'][number]) => string;
  /** The same with shortened names, to fit a node. */
  readonly briefOf: (step: ProofGraph['steps'][number]) => string;
  /** Width of a text in the font of the drawing. */
  readonly measure: (text: string) => number;
}

const LEGEND_HEIGHT = 24;
const LINE_HEIGHT = 16;
const PADDING = 10;
const GLYPH_WIDTH = 20;
export function graphSvg(drawing: Drawing): string {
  const { title, graph, positions, form, measure } = drawing;
  const { nodeWidth, nodeHeight } = form;
  const places = graph.steps.map(({ id }) => positions[id] ?? { x: 0, y: 0 });
  return svgDocument({
    title,
    measure,
    width: Math.max(...places.map(({ x }) => x), 0) + nodeWidth,
    height: Math.max(...places.map(({ y }) => y), 0) + nodeHeight,
    footer: { height: LEGEND_HEIGHT, content: legend([...new Set(graph.steps.map(({ kind }) => kind))]) },
    content: [
      ...graph.edges.map((edge) => `<path class="edge" d="${edgePath(edge, drawing)}"/>`),
      ...graph.steps.map((step) => nodeGroup(step, drawing)),
    ],
    style: STYLE,
    darkStyle: DARK_STYLE,
  });
}

function nodeGroup(step: ProofGraph['steps'][number], drawing: Drawing): string {
  const { positions, form, textOf, briefOf, measure, graph } = drawing;
  const { nodeWidth, nodeHeight } = form;
  const { x, y } = positions[step.id] ?? { x: 0, y: 0 };
  const room = nodeWidth - 2 * PADDING - GLYPH_WIDTH;
  const lines = wrapped(
    briefOf(step),
    room / FALLBACK_FONT_FACTOR,
    Math.floor((nodeHeight - 8) / LINE_HEIGHT),
    measure,
  );
  const top = nodeHeight / 2 - ((lines.length - 1) * LINE_HEIGHT) / 2 + 4;
  const hidden = graph.hidden.get(step.id);
  return [
    `<g transform="translate(${round(x)} ${round(y)})">`,
    `<title>${escaped(`${WORD[step.kind]}: ${textOf(step)}`)}</title>`,
    `<rect class="node ${step.kind}" width="${nodeWidth}" height="${nodeHeight}" rx="4"/>`,
    `<g class="glyph ${step.kind}" transform="translate(${PADDING} ${nodeHeight / 2 - 6})">${SHAPE[step.kind]}</g>`,
    ...lines.map(
      (line, index) =>
        `<text class="text" x="${PADDING + GLYPH_WIDTH}" y="${round(top + index * LINE_HEIGHT)}">${escaped(line)}</text>`,
    ),
    hidden === undefined
      ? ''
      : `<text class="dim" x="${nodeWidth - 4}" y="${nodeHeight + 13}" text-anchor="end">${hidden} more</text>`,
    '</g>',
  ].join('');
}

function legend(kinds: readonly StepKind[]): string {
  let x = 0;
  return kinds
    .map((kind) => {
      const item = `<g transform="translate(${x} 0)"><g class="glyph ${kind}">${SHAPE[kind]}</g><text class="dim" x="18" y="10">${WORD[kind]}</text></g>`;
      x += 34 + WORD[kind].length * 6;
      return item;
    })
    .join('');
}

/** A file cannot link to the place where a repeated fact is expanded. */
const WORD: Record<StepKind, string> = { ...KIND_WORD, ref: 'elsewhere' };

const CROSSED =
  '<g fill="none" stroke="currentColor" stroke-width="1.5"><circle cx="6" cy="6" r="4.5"/><path d="M3 9l6-6"/></g>';

const DASHED =
  '<circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2.5 2"/>';

const OCTAGON = '<path d="M4 1h4l3 3v4l-3 3H4L1 8V4z" fill="currentColor"/>';

/** The glyphs of the page, on a grid of 12. */
const SHAPE: Record<StepKind, string> = {
  declared: SVG_GLYPHS.declared,
  stored: SVG_GLYPHS.stored,
  derived: SVG_GLYPHS.derived,
  absent: CROSSED,
  whyNot: CROSSED,
  test: SVG_GLYPHS.test,
  aggregate:
    '<path d="M9.5 3V2H2.8L6 6 2.8 10h6.7V9" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/>',
  contribution:
    '<circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5"/><circle cx="6" cy="6" r="1.8" fill="currentColor"/>',
  ref: SVG_GLYPHS.class,
  clause: SVG_GLYPHS.class,
  missing: OCTAGON,
  fails: OCTAGON,
  missingToo: CROSSED,
  failsToo: CROSSED,
  open: DASHED,
};

const STYLE = '.node.absent,.node.whyNot,.node.open{stroke-dasharray:4 3}.node.missing,.node.fails{stroke:#b3261e}';
const DARK_STYLE = '.node.missing,.node.fails{stroke:#f28b82}';

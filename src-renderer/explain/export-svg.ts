/**
 * A proof graph as a drawing that stands alone: vectors and text, colours and fonts inside, light or dark as whoever
 * looks at it prefers, and light where the viewer knows no preference.
 */

import type { Positions } from '../components/graph-layout.js';
import type { StepKind } from '../components/proof-outline.js';
import type { ProofGraph } from './proof-graph.js';

export interface Drawing {
  readonly title: string;
  readonly graph: ProofGraph;
  readonly positions: Positions;
  readonly nodeWidth: number;
  readonly nodeHeight: number;
  readonly textOf: (step: ProofGraph['steps'][number]) => string;
  /** How wide a text is in the font of the drawing. */
  readonly measure: (text: string) => number;
}

const MARGIN = 24;
const TITLE_HEIGHT = 32;
const LEGEND_HEIGHT = 24;
/** Where the font is not installed another is taken, which is somewhat wider. */
const OTHER_FONT = 1.1;
const LINE_HEIGHT = 16;
const PADDING = 10;
const GLYPH_WIDTH = 20;
const FONT = "Inter, 'Inter Variable', 'Segoe UI', system-ui, sans-serif";

export const SVG_FONT = `12px ${FONT}`;

export function graphSvg(drawing: Drawing): string {
  const { title, graph, positions, nodeWidth, nodeHeight } = drawing;
  const places = graph.steps.map(({ id }) => positions[id] ?? { x: 0, y: 0 });
  const width = Math.max(...places.map(({ x }) => x), 0) + nodeWidth + 2 * MARGIN;
  const height = Math.max(...places.map(({ y }) => y), 0) + nodeHeight + 2 * MARGIN + TITLE_HEIGHT + LEGEND_HEIGHT;
  const used = new Set(graph.steps.map(({ kind }) => kind));
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}" font-family="${FONT}" font-size="12" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    '<rect class="page" width="100%" height="100%"/>',
    `<text class="text" x="${MARGIN}" y="${MARGIN + 6}" font-size="14" font-weight="600">${escaped(title)}</text>`,
    `<g transform="translate(${MARGIN} ${MARGIN + TITLE_HEIGHT})">`,
    ...graph.edges.map((edge) => edgePath(edge, drawing)),
    ...graph.steps.map((step) => nodeGroup(step, drawing)),
    '</g>',
    legend([...used], height - 16),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

function edgePath({ from, to }: ProofGraph['edges'][number], { positions, nodeWidth, nodeHeight }: Drawing): string {
  const start = positions[from] ?? { x: 0, y: 0 };
  const end = positions[to] ?? { x: 0, y: 0 };
  const [x1, y1] = [start.x + nodeWidth / 2, start.y + nodeHeight];
  const [x2, y2] = [end.x + nodeWidth / 2, end.y];
  const bend = Math.max(Math.abs(y2 - y1) / 2, 12);
  const points = [x1, y1, x1, y1 + bend, x2, y2 - bend, x2, y2].map(round);
  return `<path class="edge" d="M${points[0]} ${points[1]}C${points[2]} ${points[3]} ${points[4]} ${points[5]} ${points[6]} ${points[7]}"/>`;
}

function nodeGroup(step: ProofGraph['steps'][number], drawing: Drawing): string {
  const { positions, nodeWidth, nodeHeight, textOf, measure, graph } = drawing;
  const { x, y } = positions[step.id] ?? { x: 0, y: 0 };
  const text = textOf(step);
  const room = nodeWidth - 2 * PADDING - GLYPH_WIDTH;
  const lines = wrapped(text, room / OTHER_FONT, Math.floor((nodeHeight - 8) / LINE_HEIGHT), measure);
  const top = nodeHeight / 2 - ((lines.length - 1) * LINE_HEIGHT) / 2 + 4;
  const hidden = graph.hidden.get(step.id);
  return [
    `<g transform="translate(${round(x)} ${round(y)})">`,
    `<title>${escaped(`${WORD[step.kind]}: ${text}`)}</title>`,
    `<rect class="node ${step.kind}" width="${nodeWidth}" height="${nodeHeight}" rx="4"/>`,
    `<g class="glyph ${step.kind}" transform="translate(${PADDING} ${nodeHeight / 2 - 6})">${SHAPE[step.kind]}</g>`,
    ...lines.map(
      (line, index) =>
        `<text class="text" x="${PADDING + GLYPH_WIDTH}" y="${round(top + index * LINE_HEIGHT)}">${escaped(line)}</text>`,
    ),
    hidden === undefined
      ? ''
      : `<text class="dim" x="${nodeWidth - 4}" y="${nodeHeight + 13}" text-anchor="end" font-size="11">${hidden} more</text>`,
    '</g>',
  ].join('');
}

function legend(kinds: readonly StepKind[], y: number): string {
  let x = MARGIN;
  return kinds
    .map((kind) => {
      const item = `<g transform="translate(${x} ${round(y - 9)})"><g class="glyph ${kind}">${SHAPE[kind]}</g><text class="dim" x="18" y="10" font-size="11">${WORD[kind]}</text></g>`;
      x += 34 + WORD[kind].length * 6;
      return item;
    })
    .join('');
}

/** By words, and inside a word that is wider than the room; what does not fit ends in an ellipsis. */
function wrapped(text: string, room: number, linesMax: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer) <= room) line = longer;
    else {
      if (line !== '') lines.push(line);
      line = word;
      while (measure(line) > room && line.length > 1) {
        let end = line.length - 1;
        while (end > 1 && measure(line.slice(0, end)) > room) end--;
        lines.push(line.slice(0, end));
        line = line.slice(end);
      }
    }
  }
  lines.push(line);
  if (lines.length <= linesMax) return lines;
  const last = lines[linesMax - 1] ?? '';
  return [...lines.slice(0, linesMax - 1), `${last.slice(0, Math.max(1, last.length - 2))}…`];
}

/** Without what XML has no form for. */
function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  const plain = [...text].filter((sign) => sign >= ' ' || sign === '\n' || sign === '\t').join('');
  return plain.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const WORD: Record<StepKind, string> = {
  declared: 'declared',
  stored: 'stored',
  derived: 'derived',
  absent: 'absent',
  test: 'test',
  aggregate: 'aggregate',
  ref: 'elsewhere',
  whyNot: 'does not hold',
  clause: 'clause',
  fails: 'fails',
};

const CROSSED =
  '<g fill="none" stroke="currentColor" stroke-width="1.5"><circle cx="6" cy="6" r="4.5"/><path d="M3 9l6-6"/></g>';
const RING = '<circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="1.5"/>';

/** The shapes of the page, on a field of 12. */
const SHAPE: Record<StepKind, string> = {
  declared: '<path d="M6 1l5 5-5 5-5-5z" fill="currentColor"/>',
  stored: '<rect x="1.5" y="1.5" width="9" height="9" rx="1.5" fill="currentColor"/>',
  derived:
    '<g fill="currentColor"><circle cx="6" cy="3" r="1.8"/><circle cx="2.8" cy="9" r="1.8"/><circle cx="9.2" cy="9" r="1.8"/></g>',
  absent: CROSSED,
  whyNot: CROSSED,
  test: '<path d="M2 4.2h8M2 7.8h8" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/>',
  aggregate:
    '<path d="M9.5 3V2H2.8L6 6 2.8 10h6.7V9" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/>',
  ref: RING,
  clause: RING,
  fails: '<path d="M4 1h4l3 3v4l-3 3H4L1 8V4z" fill="currentColor"/>',
};

const STYLE = `
.page{fill:#fff}.text{fill:#1c1e22}.dim{fill:#5a5f69}.edge{fill:none;stroke:#b4b8c1}.node{fill:#fff;stroke:#c9ccd3}
.glyph{color:#5a5f69}.glyph.declared{color:#855600}.glyph.stored{color:#0b6b62}.glyph.derived{color:#6a3fc0}.glyph.fails{color:#b3261e}
.node.absent,.node.whyNot{stroke-dasharray:4 3}.node.fails{stroke:#b3261e}
@media (prefers-color-scheme:dark){
.page{fill:#17181b}.text{fill:#e4e5e8}.dim{fill:#a4a8b1}.edge{stroke:#5a5e68}.node{fill:#1e2023;stroke:#41444c}
.glyph{color:#a4a8b1}.glyph.declared{color:#dca94a}.glyph.stored{color:#4fc2b4}.glyph.derived{color:#b79bf2}.glyph.fails{color:#f28b82}
.node.fails{stroke:#f28b82}}
`;

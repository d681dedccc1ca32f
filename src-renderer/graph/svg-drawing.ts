/**
 * A standalone SVG document for exported graphs: vectors and text, with embedded styles. It follows the viewer's color
 * scheme, or is light if the viewer has none.
 */

const FONT = "Inter, 'Inter Variable', 'Segoe UI', system-ui, sans-serif";
const SVG_FONT = `12px ${FONT}`;
/** A fallback font may be this much wider. */
export const FALLBACK_FONT_FACTOR = 1.1;
/** Height of a title of one line. */
const TITLE_HEIGHT = 32;
const TITLE_LINE_HEIGHT = 20;
/** The title is larger and bolder than measured text. */
const TITLE_FACTOR = (14 / 12) * 1.06 * FALLBACK_FONT_FACTOR;
/** A small drawing becomes this wide for its title, so that the title takes fewer lines. */
const TITLE_WIDTH_MIN = 400;

/** Margin around the drawing, and below its title. */
const MARGIN = 24;

interface SvgDocument {
  readonly title: string;
  /** Width of a text in the font of the drawing. */
  readonly measure: (text: string) => number;
  /** Size of the content, without title and margins. */
  readonly width: number;
  readonly height: number;
  /** A footer of a line or two. */
  readonly footer?: { readonly height: number; readonly content: string };
  /** The content, from its own origin. */
  readonly content: readonly string[];
  /** Styles in addition to those of page, text, lines and glyphs. */
  readonly style: string;
  readonly darkStyle: string;
}

export function svgDocument(document: SvgDocument): string {
  const { title, measure, height, footer, content, style, darkStyle } = document;
  const width = Math.max(document.width, Math.min(TITLE_WIDTH_MIN, measure(title) * TITLE_FACTOR));
  const titleLines = wrapped(title, width / TITLE_FACTOR, Number.POSITIVE_INFINITY, measure);
  const top = MARGIN + TITLE_HEIGHT + (titleLines.length - 1) * TITLE_LINE_HEIGHT;
  const page = {
    width: round(width + 2 * MARGIN),
    height: round(top + height + MARGIN + (footer?.height ?? 0)),
  };
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${page.width}" height="${page.height}" viewBox="0 0 ${page.width} ${page.height}" font-family="${FONT}" font-size="12" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>\n${STYLE}${style}\n@media (prefers-color-scheme:dark){\n${DARK_STYLE}${darkStyle}}\n</style>`,
    '<rect class="page" width="100%" height="100%"/>',
    ...titleLines.map(
      (line, index) =>
        `<text class="text" x="${MARGIN}" y="${MARGIN + 6 + index * TITLE_LINE_HEIGHT}" font-size="14" font-weight="600">${escaped(line)}</text>`,
    ),
    `<g transform="translate(${MARGIN} ${top})">`,
    ...content,
    '</g>',
    footer === undefined ? '' : `<g transform="translate(${MARGIN} ${round(page.height - 25)})">${footer.content}</g>`,
    '</svg>',
  ];
  return `${parts.filter(Boolean).join('\n')}\n`;
}

/** Drops characters that XML cannot represent. */
export function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  const plain = [...text].filter((sign) => sign >= ' ' || sign === '\n' || sign === '\t').join('');
  return plain.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/**
 * Breaks between words, and within a word that is wider than a line. The last line ends in an ellipsis if text is left.
 */
export function wrapped(text: string, room: number, linesMax: number, measure: (text: string) => number): string[] {
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

const canvas: { context: CanvasRenderingContext2D | null | undefined } = { context: undefined };

export function measureText(text: string): number {
  canvas.context ??= document.createElement('canvas').getContext('2d');
  if (canvas.context === null) return text.length * 6.5;
  canvas.context.font = SVG_FONT;
  return canvas.context.measureText(text).width;
}

/** The glyphs of the page, on a grid of 12. */
export const SVG_GLYPHS = {
  declared: '<path d="M6 1l5 5-5 5-5-5z" fill="currentColor"/>',
  stored: '<rect x="1.5" y="1.5" width="9" height="9" rx="1.5" fill="currentColor"/>',
  derived:
    '<g fill="currentColor"><circle cx="6" cy="3" r="1.8"/><circle cx="2.8" cy="9" r="1.8"/><circle cx="9.2" cy="9" r="1.8"/></g>',
  test: '<path d="M2 4.2h8M2 7.8h8" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/>',
  class: '<circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="1.5"/>',
} as const;

const STYLE = `.page{fill:#fff}.text{fill:#1c1e22}.dim{fill:#5a5f69}.edge{fill:none;stroke:#b4b8c1}.node{fill:#fff;stroke:#c9ccd3}
.glyph{color:#5a5f69}.glyph.declared{color:#855600}.glyph.stored{color:#0b6b62}.glyph.derived{color:#6a3fc0}.glyph.missing,.glyph.fails{color:#b3261e}
`;
const DARK_STYLE = `.page{fill:#17181b}.text{fill:#e4e5e8}.dim{fill:#a4a8b1}.edge{stroke:#5a5e68}.node{fill:#1e2023;stroke:#41444c}
.glyph{color:#a4a8b1}.glyph.declared{color:#dca94a}.glyph.stored{color:#4fc2b4}.glyph.derived{color:#b79bf2}.glyph.missing,.glyph.fails{color:#f28b82}
`;

/** Prints diagnostics for people: place, message, the source line with carets, and the hint. */

import type { Diagnostic } from '../base/diagnostic.js';
import type { Span } from '../base/span.js';

interface Source {
  readonly file: string;
  readonly text: string;
  /** The path to print instead of the file name. */
  readonly shown?: string;
}

/** All diagnostics, then a line with their counts. `colour` uses ANSI codes. */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: readonly Source[],
  colour: boolean,
): string {
  const paint = painter(colour);
  const lines = new Map(sources.map(({ file, text }) => [file, text.split(/\r?\n/)]));
  const placed = (span: Span): string => placeOf(span, sources);
  const blocks = diagnostics.map((diagnostic) => formatOne(diagnostic, lines, placed, paint));
  return `${[...blocks, countLine(diagnostics)].join('\n\n')}\n`;
}

/** The source line on which a span starts, with carets, without colours. */
export function excerptOf(span: Span, sources: readonly Source[]): string {
  const lines = new Map(sources.map(({ file, text }) => [file, text.split(/\r?\n/)]));
  return excerpt(span, lines, (text) => text, painter(false));
}

/** `file:line:column`, which terminals and editors turn into a link. */
export function placeOf({ file, start }: Span, sources: readonly Source[]): string {
  const shown = sources.find((source) => source.file === file)?.shown ?? file;
  return `${shown}:${start.line}:${start.column}`;
}

function formatOne(
  diagnostic: Diagnostic,
  lines: ReadonlyMap<string, readonly string[]>,
  place: (span: Span) => string,
  paint: Painter,
): string {
  const { code, severity, message, span, notes = [], hint } = diagnostic;
  const shade = severity === 'error' ? 'red' : 'yellow';
  const parts = [
    `${paint('bold', place(span))} ${paint(shade, `${severity} ${code}`)} ${message}`,
    excerpt(span, lines, (text) => paint(shade, text), paint),
    ...notes.flatMap((note) => [
      `  ${paint('bold', place(note.span))} ${note.message}`,
      excerpt(note.span, lines, (text) => paint('cyan', text), paint),
    ]),
  ];
  if (hint !== undefined) parts.push(`  ${paint('cyan', 'hint:')} ${hint}`);
  return parts.filter((part) => part !== '').join('\n');
}

/** The first line of the span with carets under it, up to the end of that line. */
function excerpt(
  { file, start, end }: Span,
  lines: ReadonlyMap<string, readonly string[]>,
  mark: (text: string) => string,
  paint: Painter,
): string {
  const line = lines.get(file)?.[start.line - 1];
  if (line === undefined) return '';
  const gutter = String(start.line);
  const from = start.column - 1;
  const to = end.line === start.line ? end.column - 1 : line.length;
  // Keeps tabs, so that the carets line up whatever the tab width.
  const indent = line.slice(0, from).replace(/[^\t]/g, ' ');
  const bar = paint('dim', '|');
  return [
    `  ${paint('dim', gutter)} ${bar} ${line}`,
    `  ${' '.repeat(gutter.length)} ${bar} ${indent}${mark('^'.repeat(Math.max(1, to - from)))}`,
  ].join('\n');
}

function countLine(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const counted = [errors > 0 && count(errors, 'error'), warnings > 0 && count(warnings, 'warning')].filter(Boolean);
  return counted.length === 0 ? 'no findings' : counted.join(', ');
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

type Painter = (shade: keyof typeof CODES, text: string) => string;

/** Adds ANSI codes to a text if `colour` is set. */
export function painter(colour: boolean): Painter {
  return (shade, text) => (colour ? `\u001b[${CODES[shade]}m${text}\u001b[0m` : text);
}

/** The sources of a build: named relative to their common folder and sorted, for any order of input. */

import type { Span } from '../base/span.js';

export interface Source {
  readonly file: string;
  readonly text: string;
}

/** Names files relative to their deepest common folder, with `/` between folders, sorted by name. */
export function placeSources(sources: readonly Source[]): Source[] {
  const split = sources.map(({ file, text }) => ({ parts: file.replaceAll('\\', '/').split('/'), text }));
  let shared = Math.min(...split.map(({ parts }) => parts.length - 1));
  const [first] = split;
  for (const { parts } of split) {
    let same = 0;
    while (same < shared && parts[same] === first?.parts[same]) same++;
    shared = same;
  }
  return split
    .map(({ parts, text }) => ({ file: parts.slice(shared).join('/'), text }))
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.text < b.text ? -1 : 1));
}

/** The source text of a span on one line: runs of space and comments become one space, text literals stay. */
export function oneLine(source: string, span: Span): string {
  const text = source.slice(span.start.offset, span.end.offset);
  return text.replace(TOKEN, (token) => (token.startsWith('"') ? token : ' ')).replace(/^ +| +$/g, '');
}

/** A text literal (unchanged), or a run of white space and comments (replaced). */
const TOKEN = /"(?:[^"\\]|\\.)*"|(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/g;

/** Sources with a cursor in them, for the tests of the language service. */

import type { Span } from '../../../base/span.js';
import type { Analysis, SourceText } from '../../analyse.js';
import { analyse } from '../index.js';

interface AtCursor {
  readonly analysis: Analysis;
  readonly file: string;
  readonly offset: number;
}

/** Analyses one source, or several separated by lines `// file NAME`, and removes the `|` that marks the cursor. */
export function withCursor(source: string): AtCursor {
  const marked = sourcesOf(source);
  const at = marked.find(({ text }) => text.includes('|'));
  const sources = marked.map(({ file, text }) => ({ file, text: text.replace('|', '') }));
  return { analysis: analyse(sources), file: at?.file ?? 'm.entail', offset: at?.text.indexOf('|') ?? 0 };
}

export function sourcesOf(source: string): SourceText[] {
  if (!source.startsWith('// file ')) return [{ file: 'm.entail', text: source }];
  return source
    .split(/^\/\/ file /m)
    .slice(1)
    .map((part) => ({ file: part.slice(0, part.indexOf('\n')), text: part.slice(part.indexOf('\n') + 1) }));
}

/** `m.entail:3:8`: the start of a span. */
export function placeText(span: Span): string {
  return `${span.file}:${span.start.line}:${span.start.column}`;
}

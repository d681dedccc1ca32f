/** Edits of texts. */

import type { SourceText } from '../analyse.js';
import type { TextEdit } from './types.js';

/** The source with the edits of its file made. Edits must not overlap. */
export function applyEdits(source: SourceText, edits: readonly TextEdit[]): SourceText {
  const own = edits.filter(({ span }) => span.file === source.file);
  if (own.length === 0) return source;
  let text = '';
  let at = 0;
  for (const { span, text: replacement } of own.toSorted((a, b) => a.span.start.offset - b.span.start.offset)) {
    text += source.text.slice(at, span.start.offset) + replacement;
    at = span.end.offset;
  }
  return { file: source.file, text: text + source.text.slice(at) };
}

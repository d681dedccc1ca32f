/** What a cure is made from, and the edits that cures are made of. */

import type { Diagnostic } from '../../base/diagnostic.js';
import type { Span } from '../../base/span.js';
import type { Analysis, QuickFix, TextEdit } from './types.js';

export type Fix = Omit<QuickFix, 'diagnostic'>;

export interface Finding {
  readonly analysis: Analysis;
  readonly diagnostic: Diagnostic;
  /** The file's text. */
  readonly text: string;
  /** What the finding points at. */
  readonly found: string;
}

export function replaced(title: string, span: Span, text: string): Fix {
  return { title, edits: [{ span, text }] };
}

/** An edit at an offset near `span`. Only the offsets of an edit are read; its lines are those of the span. */
export function insertion(span: Span, offset: number, text: string): TextEdit {
  const place = { ...span.end, offset };
  return { span: { ...span, start: place, end: place }, text };
}

/** The data that quick fixes use, and helpers for their edits. */

import type { Span } from '../../base/span.js';
import type { Analysis } from '../analyse.js';
import type { Finding } from '../finding.js';
import type { QuickFix, TextEdit } from './types.js';

export type Fix = Omit<QuickFix, 'diagnostic'>;

export interface FixContext {
  readonly analysis: Analysis;
  readonly finding: Finding;
  /** The whole file. */
  readonly text: string;
  /** The text at the span of the finding. */
  readonly found: string;
}

export function replaced(title: string, span: Span, text: string): Fix {
  return { title, edits: [{ span, text }] };
}

/** An edit at an offset near `span`. Only the offsets of an edit are exact; its lines are those of the span. */
export function insertion(span: Span, offset: number, text: string): TextEdit {
  const place = { ...span.end, offset };
  return { span: { ...span, start: place, end: place }, text };
}

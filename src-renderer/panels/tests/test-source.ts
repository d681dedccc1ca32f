/** The lines of a test in its source, and which of them the failure is about. */

import type { Span } from '../../../src-runtime/base/span.js';

export interface SourceLine {
  /** From 1, in the file. */
  readonly number: number;
  readonly text: string;
  readonly failing: boolean;
}

/** Without the indentation that all lines share. Empty where the source is not known, or is another than what was loaded. */
export function testLines(text: string | undefined, test: Span, failing: Span | undefined): SourceLine[] {
  if (text === undefined) return [];
  const lines = text.split('\n').slice(test.start.line - 1, test.end.line);
  if (!/^\s*test\b/.test(lines[0] ?? '')) return [];
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const shared = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line, index) => {
    const number = test.start.line + index;
    return {
      number,
      text: line.slice(shared).trimEnd(),
      failing: failing !== undefined && failing.start.line <= number && number <= failing.end.line,
    };
  });
}

/** The source lines of a test, with the failing ones marked. */

import type { Span } from '../../../src-runtime/base/span.js';

export interface SourceLine {
  /** Line number in the file, from 1. */
  readonly number: number;
  readonly text: string;
  readonly failing: boolean;
}

/** Removes common indentation. Empty if the source is unknown or has changed. */
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

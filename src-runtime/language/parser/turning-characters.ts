/**
 * Characters that turn the direction of reading. In a comment or a text they make the rest of the line look like something else
 * than what is compiled (Boucher and Anderson, Trojan Source, 2021; CVE-2021-42574).
 */

import type { Diagnostic } from '../../base/diagnostic.js';

/** Embeddings, overrides and isolates of the Unicode Bidirectional Algorithm, with what ends them. Marks, which turn nothing but themselves, are none. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/;

const LINE_END = /\r\n|\r|\n/g;

/** The first of each line, unless one of these errors is about it already, as it is outside of comments and texts. */
export function turningCharacters(file: string, text: string, errors: readonly Diagnostic[]): Diagnostic[] {
  if (!TURNING.test(text)) return [];
  const starts = [0, ...[...text.matchAll(LINE_END)].map(({ index, 0: end }) => index + end.length)];
  return starts.flatMap((start, index): Diagnostic[] => {
    const at = text.slice(start, starts[index + 1]).search(TURNING);
    const offset = start + at;
    const isTold = errors.some(({ span }) => span.start.offset <= offset && offset < span.end.offset);
    if (at < 0 || isTold) return [];
    const name = `U+${text.charCodeAt(offset).toString(16).toUpperCase()}`;
    const from = { line: index + 1, column: at + 1, offset };
    const span = { file, start: from, end: { ...from, column: at + 2, offset: offset + 1 } };
    const message = `the direction of reading is turned by ${name}`;
    const hint = 'Remove it where nobody meant it; in a text it can be written as an escape, `\\u{…}`.';
    return [{ code: 'W0003', severity: 'warning', message, span, hint }];
  });
}

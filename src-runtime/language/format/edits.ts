/** The changes of formatting, as edits of the gaps between tokens, so that an editor keeps its cursor and folds. */

import type { Position } from '../../base/span.js';
import { tokenize } from '../lexer.js';
import type { TextEdit } from '../service/types.js';
import { format } from './format.js';

interface Piece {
  readonly start: number;
  readonly end: number;
}

/**
 * The edits that turn a text into `format(file, text)`: in source order, not adjacent, not empty. No edits for a formatted text or
 * one with syntax errors.
 */
export function formatEdits(file: string, text: string): TextEdit[] {
  const { value: formatted } = format(file, text);
  if (formatted === text) return [];
  const before = piecesOf(file, text);
  const after = piecesOf(file, formatted);
  const positionAt = positions(text);
  const edits: TextEdit[] = [];
  const compare = (from: Piece, to: Piece) => {
    const [removed, added] = [text.slice(from.start, from.end), formatted.slice(to.start, to.end)];
    if (removed === added) return;
    const { head, tail } = sharedEnds(removed, added);
    const start = positionAt(from.start + head);
    edits.push({
      span: { file, start, end: positionAt(from.end - tail) },
      text: added.slice(head, added.length - tail),
    });
  };
  let [fromEnd, toEnd] = [0, 0];
  before.forEach((piece, index) => {
    // Formatting moves tokens and comments but never adds or drops one, so that they can be paired by index.
    const partner = after[index] ?? { start: formatted.length, end: formatted.length };
    compare({ start: fromEnd, end: piece.start }, { start: toEnd, end: partner.start });
    compare(piece, partner);
    [fromEnd, toEnd] = [piece.end, partner.end];
  });
  return edits;
}

/** Tokens and comments in order, followed by the end of the text. */
function piecesOf(file: string, text: string): Piece[] {
  const { tokens, comments } = tokenize(file, text);
  return [...tokens, ...comments].sort((a, b) => a.start - b.start);
}

/** How many characters two texts have in common at either end, and in no character twice; a CRLF is never cut in two. */
function sharedEnds(one: string, other: string): { readonly head: number; readonly tail: number } {
  const most = Math.min(one.length, other.length);
  let head = 0;
  while (head < most && one[head] === other[head]) head += 1;
  if (head > 0 && one[head - 1] === '\r') head -= 1;
  let tail = 0;
  while (tail < most - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  if (tail > 0 && one.at(-tail) === '\n') tail -= 1;
  return { head, tail };
}

/** Positions by offset; the offsets must be in ascending order. */
function positions(text: string): (offset: number) => Position {
  const ends = /\r\n|\r|\n/g;
  let [line, lineStart] = [1, 0];
  let next = ends.exec(text);
  return (offset) => {
    while (next !== null && ends.lastIndex <= offset) {
      line += 1;
      lineStart = ends.lastIndex;
      next = ends.exec(text);
    }
    return { line, column: offset - lineStart + 1, offset };
  };
}

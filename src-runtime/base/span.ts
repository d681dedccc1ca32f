/** Places in source text. A span names a file as the artifact does: relative to the sources' common folder. */

/** A place in a source file. Lines and columns count from 1, in UTF-16 code units; `offset` counts from 0. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** A half-open range of source text: `end` is the first position after it. */
export interface Span {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
}

export function isWithin(inner: Span, outer: Span): boolean {
  return inner.file === outer.file && inner.start.offset >= outer.start.offset && inner.end.offset <= outer.end.offset;
}

/** The smallest span that covers both; they must be in one file. */
export function joinSpans(first: Span, last: Span): Span {
  return { file: first.file, start: first.start, end: last.end };
}

/** Words and paths, which every part of a module has. */

import type { Span } from '../../base/span.js';

/** A word in the source. */
export interface Name {
  readonly text: string;
  readonly span: Span;
}

/** `a::b::c`; at least one segment. */
export interface Path {
  readonly segments: readonly Name[];
  readonly span: Span;
}

/** The path in source form: `a::b::c`. */
export function pathText(path: Path): string {
  return path.segments.map((segment) => segment.text).join('::');
}

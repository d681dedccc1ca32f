/** Syntax highlighting outside of the editor. */

import { highlightNext, highlightState } from '../../src-runtime/language/highlight.js';

/** A token of a line; white space has no kind. */
export interface Stretch {
  readonly text: string;
  readonly kind: string | null;
}

export function stretchesOf(line: string): Stretch[] {
  const stretches: Stretch[] = [];
  const state = highlightState();
  for (let at = 0; at < line.length; ) {
    const { kind, end } = highlightNext(line, at, state);
    const next = Math.max(end, at + 1);
    stretches.push({ text: line.slice(at, next), kind });
    at = next;
  }
  return stretches;
}

/** The line as elements with class `syntax-` and kind. */
export function highlightedElements(line: string): HTMLElement[] {
  return stretchesOf(line).map(({ text, kind }) => {
    const element = document.createElement('span');
    if (kind !== null) element.className = `syntax-${kind}`;
    element.textContent = text;
    return element;
  });
}

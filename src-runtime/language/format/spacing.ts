/** Whether a space stands between two tokens of one line. */

import type { Layout } from './layout.js';

const TOUCHES_BEFORE = new Set([',', ')', ']', '.', '..', '::', ':', '?']);
const TOUCHES_BEHIND = new Set(['(', '[', '.', '..', '::', '@']);
/** What two marks would be read as if they touched. */
const JOINED = new Set(['::', '->', '=>', '==', '!=', '<=', '>=', '??', '++', '..']);

/** Between the token at `index` and the one before it; nothing stands before the first. */
export function spaceBetween(layout: Layout, index: number): '' | ' ' {
  if (index === 0) return '';
  const [before, text] = [layout.textAt(index - 1), layout.textAt(index)];
  const touches = layout.isGlued(index) || TOUCHES_BEFORE.has(text) || TOUCHES_BEHIND.has(before);
  return touches && !JOINED.has(`${before.slice(-1)}${text.slice(0, 1)}`) ? '' : ' ';
}

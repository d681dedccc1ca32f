/** The information about the name under the pointer. */

import type { Analysis } from '../analyse.js';
import { docOf, notesOf, signatureOf } from './describe.js';
import { occurrenceAt } from './symbol-index.js';
import type { Hover } from './types.js';

/** Null if there is no name, and inside comments and texts. */
export function hoverAt(analysis: Analysis, file: string, offset: number): Hover | null {
  const found = occurrenceAt(analysis, file, offset);
  if (found === undefined) return null;
  const { target } = found.entity;
  return {
    span: found.span,
    signature: signatureOf(analysis, target),
    doc: docOf(analysis, target),
    notes: notesOf(target),
  };
}

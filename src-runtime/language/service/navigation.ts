/** Definition, references and hover: what the name at an offset refers to. */

import type { Span } from '../../base/span.js';
import type { Analysis } from '../analyse.js';
import { docOf, notesOf, signatureOf } from './describe.js';
import { occurrenceAt } from './symbol-index.js';
import type { Hover, Reference } from './types.js';

/**
 * The declarations of the symbol at `offset`: several spans for the clauses of one rule and for a context field that several modules
 * declare; empty for built-in names, and if there is no name.
 */
export function definitionAt(analysis: Analysis, file: string, offset: number): readonly Span[] {
  return referencesAt(analysis, file, offset)
    .filter(({ isDeclaration }) => isDeclaration)
    .map(({ span }) => span);
}

/** Every place that names the same thing, the one at `offset` and the declarations included, file by file. */
export function referencesAt(analysis: Analysis, file: string, offset: number): readonly Reference[] {
  const { occurrences } = occurrenceAt(analysis, file, offset)?.entity ?? { occurrences: [] };
  return occurrences.map(({ span, isDeclaration }) => ({ span, isDeclaration }));
}

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

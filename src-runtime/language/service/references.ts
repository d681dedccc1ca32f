/** From a name to its declaration, and to all its uses in all files. */

import type { Span } from '../../base/span.js';
import type { Analysis } from '../analyse.js';
import { occurrenceAt } from './symbol-index.js';
import type { Reference } from './types.js';

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

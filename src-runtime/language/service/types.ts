/**
 * The results of the language service: plain values over texts and offsets, so that an editor in a worker, a language server over
 * stdio and a test can all use the same functions. Offsets count UTF-16 code units from 0.
 */

import type { Diagnostic } from '../../base/diagnostic.js';
import type { Span } from '../../base/span.js';

/** Replaces the text at `span` by `text`. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

export type CompletionKind =
  | 'keyword'
  | 'module'
  | 'concept'
  | 'define'
  | 'enum'
  | 'member'
  | 'type'
  | 'relation'
  | 'derive'
  | 'check'
  | 'individual'
  | 'query'
  | 'mutation'
  | 'fn'
  | 'builtIn'
  | 'variable'
  | 'field'
  | 'endpoint'
  | 'parameter'
  | 'context'
  | 'code';

export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** A type or a signature, in source form: `Decimal`, `(lease: Lease, tenant: Person)`. */
  readonly detail: string | null;
  readonly doc: string | null;
  /** The text that replaces the range; by default `label`. */
  readonly insert?: string;
  /** Edits elsewhere that go with it: the `use` that imports a name of another module. */
  readonly also?: readonly TextEdit[];
  /** How it is named without them, by its path. */
  readonly qualified?: string;
  /** Best first; items of the same rank are sorted by label. */
  readonly rank: number;
}

export interface Completions {
  /** The range that an item replaces: from the start of the word to its end. */
  readonly from: number;
  readonly to: number;
  readonly items: readonly Completion[];
}

export interface Hover {
  /** The span of the name or expression that is described. */
  readonly span: Span;
  /** In source form: `pub relation tenantOf(lease: Lease, tenant: Person)`. */
  readonly signature: string;
  readonly doc: string | null;
  /** Further lines: where it is declared, a field's refinement, the type of an expression. */
  readonly notes: readonly string[];
}

export interface Reference {
  readonly span: Span;
  readonly isDeclaration: boolean;
}

/** The edits of a rename, or a sentence that says why it is impossible and what to do instead. */
export type RenameOutcome =
  | { readonly ok: true; readonly edits: readonly TextEdit[] }
  | { readonly ok: false; readonly reason: string };

export interface SignatureHelp {
  /** The callee with its parameters, in source form. */
  readonly label: string;
  readonly doc: string | null;
  /** The range of each parameter in `label`, and its documentation. */
  readonly parameters: readonly { readonly from: number; readonly to: number; readonly doc: string | null }[];
  /** The parameter at the cursor; null after the last one. */
  readonly active: number | null;
}

export interface QuickFix {
  /** `Change to "tenantOf"`. */
  readonly title: string;
  readonly diagnostic: Diagnostic;
  readonly edits: readonly TextEdit[];
}

export interface FoldingRange {
  readonly from: number;
  readonly to: number;
  readonly kind: 'block' | 'comment' | 'imports';
}

export type OutlineKind =
  | 'enum'
  | 'concept'
  | 'relation'
  | 'individual'
  | 'fact'
  | 'derive'
  | 'define'
  | 'check'
  | 'query'
  | 'mutation'
  | 'fn'
  | 'context'
  | 'extern'
  | 'test';

export interface OutlineItem {
  readonly kind: OutlineKind;
  readonly name: string;
  readonly public: boolean;
  /** The whole item. */
  readonly span: Span;
  /** Clauses of one derived relation, and facts of one relation in a row, count as one item. */
  readonly parts: number;
}

/** Compile findings as plain values. Front-end phases return them and never throw on user input. */

import type { Span } from './span.js';

export type Severity = 'error' | 'warning';

export interface DiagnosticNote {
  readonly message: string;
  readonly span: Span;
}

/** One compile finding. `code` is `E` or `W` and four digits; a code never changes its meaning. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  readonly notes?: readonly DiagnosticNote[];
  /** What to do, as one imperative sentence. */
  readonly hint?: string;
}

/** The result of a front-end phase: its value as far as it could be made, and everything it found. */
export interface Checked<T, D extends Diagnostic = Diagnostic> {
  readonly value: T;
  readonly diagnostics: readonly D[];
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

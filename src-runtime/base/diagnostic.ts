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
  /** The way out, as one imperative sentence. */
  readonly hint?: string;
}

/** What a front-end phase returns: its value as far as it could be made, and everything it found. */
export interface Checked<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

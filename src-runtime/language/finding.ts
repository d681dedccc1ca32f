/** The findings of parser and checker: a diagnostic, with the data that its texts were written from. */

import type { Diagnostic } from '../base/diagnostic.js';
import { nearest } from '../base/nearest.js';
import type { Span } from '../base/span.js';

export interface Finding extends Diagnostic {
  /** The name that is unknown, unbound or ambiguous. Only the first finding about a name of a declaration is kept. */
  readonly subject?: string;
  /** The edits that the hint suggests, best first; the language service offers them as quick fixes. */
  readonly remedies?: readonly Remedy[];
}

/** An edit at the span of a finding. */
export type Remedy =
  /** Replaces the last word of a name or path. */
  | { readonly kind: 'rename'; readonly name: string }
  | { readonly kind: 'replace'; readonly text: string }
  /** Replaces an operator of another language; an empty text removes it. */
  | { readonly kind: 'operator'; readonly text: string }
  /** Writes a missing bracket or comma after the token before the span. */
  | { readonly kind: 'insert'; readonly text: string }
  /** Adds a condition such as `Person(p)` to the body. */
  | { readonly kind: 'condition'; readonly text: string }
  /** Binds the variable with `let` instead of comparing it. */
  | { readonly kind: 'let'; readonly comparison: Span }
  /** Writes `let` before a name. */
  | { readonly kind: 'define'; readonly at: Span }
  /** Adds the variable to those that an aggregate lists. */
  | { readonly kind: 'list'; readonly listed: readonly string[] }
  /** Puts parentheses around a condition. */
  | { readonly kind: 'parentheses'; readonly around: Span }
  /** Adds cases to a `match`. */
  | { readonly kind: 'cases'; readonly members: readonly string[] };

export type FindingDetails = Required<Pick<Finding, 'hint'>> & Pick<Finding, 'notes' | 'subject' | 'remedies'>;

/** Removes what only the language layer uses. The wire format of a diagnostic has no other members. */
export function toDiagnostic({ subject: _, remedies: __, ...diagnostic }: Finding): Diagnostic {
  return diagnostic;
}

/** `Did you mean "x"?` with its remedy, if a known name is similar enough. */
export function suggestion(name: string, known: Iterable<string>, quote: '"' | '`' = '"'): FindingDetails | undefined {
  const meant = nearest(name, known);
  if (meant === undefined) return undefined;
  return { hint: `Did you mean ${quote}${meant}${quote}?`, remedies: [{ kind: 'rename', name: meant }] };
}

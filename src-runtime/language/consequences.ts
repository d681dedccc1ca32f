/** Findings of the checker that only follow from what the parser could not read. */

import type { Checked, Diagnostic } from '../base/diagnostic.js';
import type { Span } from '../base/span.js';
import type { ModuleSyntax } from './ast.js';
import type { CodeName } from './codes/registry.js';

/** What may be missing only because it stood in what could not be read. */
const ABOUT_WHAT_IS_MISSING: ReadonlySet<string> = new Set<CodeName>([
  ...(['E0206', 'E0207', 'E0209', 'E0303', 'E0304', 'E0305', 'E0306'] as const),
  ...(['E0401', 'E0402', 'E0403', 'W0401', 'E0605', 'E0606', 'E0608'] as const),
]);

/** What a declaration that could not be read whole may have. */
const ABOUT_WHAT_IS_USED: ReadonlySet<string> = new Set<CodeName>([
  ...(['E0105', 'E0106', 'E0207', 'E0304', 'E0306', 'E0608'] as const),
]);

/** The findings that are mistakes of their own. One mistake gives one diagnostic. */
export function withoutConsequences(
  findings: readonly Diagnostic[],
  parsed: readonly Checked<ModuleSyntax>[],
): Diagnostic[] {
  const unreadable = parsed.flatMap(unreadableItems);
  return findings.filter(({ code, span, notes = [] }) => {
    if (ABOUT_WHAT_IS_USED.has(code) && notes.some((note) => unreadable.some((item) => isIn(note.span, item))))
      return false;
    const hit = unreadable.find((item) => isIn(span, item));
    if (hit === undefined) return true;
    if (hit.errors.some((error) => overlap(error, span))) return false;
    // A `let` that could not be read leaves its name unknown to what follows.
    if (code === 'E0101') return span.start.offset < Math.min(...hit.errors.map((error) => error.start.offset));
    return !ABOUT_WHAT_IS_MISSING.has(code);
  });
}

interface UnreadableItem {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly errors: readonly Span[];
}

/** The items with a syntax error in them, or where the next one begins. */
function unreadableItems({ value, diagnostics }: Checked<ModuleSyntax>): UnreadableItem[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ span }) => span);
  if (errors.length === 0) return [];
  return value.items.flatMap((item, i) => {
    const from = item.span.start.offset;
    const to = value.items[i + 1]?.span.start.offset ?? value.span.end.offset;
    const own = errors.filter((error) => isBetween(error, from, to));
    return own.length === 0 ? [] : [{ file: value.file, from, to, errors: own }];
  });
}

function isIn(span: Span, { file, from, to }: UnreadableItem): boolean {
  return file === span.file && isBetween(span, from, to);
}

function isBetween(span: Span, from: number, to: number): boolean {
  return span.start.offset >= from && span.start.offset <= to;
}

function overlap(a: Span, b: Span): boolean {
  return a.start.offset < b.end.offset && b.start.offset < a.end.offset;
}

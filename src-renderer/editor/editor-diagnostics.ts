/** Compiler findings in the editor: squiggle, gutter mark, and message, hint and code on hover. */

import type { Diagnostic as LintDiagnostic } from '@codemirror/lint';
import type { EditorView } from '@codemirror/view';
import type { Diagnostic } from '../../src-runtime/base/diagnostic.js';
import type { QuickFix, TextEdit } from '../../src-runtime/language/service/index.js';

/**
 * The findings of `file` with their fixes. Positions are clipped, because the text may be shorter than when it was
 * compiled.
 */
export function lintDiagnostics(
  diagnostics: readonly Diagnostic[],
  file: string,
  length: number,
  fixes: readonly QuickFix[],
  applyFix: (view: EditorView, edits: readonly TextEdit[]) => void,
): LintDiagnostic[] {
  return diagnostics
    .filter((diagnostic) => diagnostic.span.file === file)
    .map((diagnostic) => {
      const from = Math.min(diagnostic.span.start.offset, length);
      return {
        from,
        to: Math.max(from, Math.min(diagnostic.span.end.offset, length)),
        severity: diagnostic.severity,
        message: [diagnostic.message, diagnostic.hint].filter((line) => line !== undefined).join(' '),
        renderMessage: () => finding(diagnostic),
        actions: fixes
          .filter((fix) => isSame(fix.diagnostic, diagnostic))
          .map((fix) => ({ name: fix.title, apply: (view) => applyFix(view, fix.edits) })),
      };
    });
}

/** Compares by value, because both were copied from the worker. */
function isSame(left: Diagnostic, right: Diagnostic): boolean {
  return (
    left.code === right.code && left.span.start.offset === right.span.start.offset && left.message === right.message
  );
}

function finding(diagnostic: Diagnostic): HTMLElement {
  const element = line('finding', diagnostic.message);
  if (diagnostic.hint !== undefined) element.append(line('finding-hint', diagnostic.hint));
  for (const note of diagnostic.notes ?? []) {
    element.append(line('finding-note', `${note.message} (line ${note.span.start.line})`));
  }
  element.append(line('finding-code', `${diagnostic.severity} ${diagnostic.code}`));
  return element;
}

function line(className: string, text: string): HTMLElement {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
}
